#include <etl/trace/recording.hpp>

#include <chrono>

namespace etl::trace {

Recording begin_recording(Filetime start, std::uint32_t processors, format::ClockType clock) {
    constexpr std::uint32_t ticks_per_microsecond = 10;
    Recording recording;
    format::LogfileHeader& header = recording.header;
    header.major_version = 10;
    header.sub_version = 1;
    header.sub_minor_version = 5;
    header.provider_version = 19045;
    header.number_of_processors = processors;
    header.log_file_mode = format::log_mode::sequential;
    header.timer_resolution = 156'250; // 1/64 s, as everywhere
    header.pointer_size = 8;
    header.cpu_speed_mhz = clock == format::ClockType::cpu_cycles ? ticks_per_microsecond : 0;
    header.time_zone.standard_name = u"UTC";
    header.time_zone.daylight_name = u"UTC";
    header.boot_time = start.ticks;
    header.perf_freq = Filetime::per_second;
    header.start_time = start.ticks;
    header.reserved_flags = static_cast<std::uint32_t>(clock);
    recording.reference_time = clock == format::ClockType::system_time ? start.ticks : 0;
    return recording;
}

Filetime now() noexcept {
    using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, Filetime::per_second>>;
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return {Filetime::unix_epoch + std::chrono::duration_cast<Ticks>(since_1970).count()};
}

} // namespace etl::trace
