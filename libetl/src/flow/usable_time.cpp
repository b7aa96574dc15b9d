#include <etl/flow/usable_time.hpp>

#include <algorithm>

namespace etl::flow {

namespace {

constexpr std::int64_t day = 86'400 * Filetime::per_second;

/// Whether raw timestamps are related to StartTime.
bool is_relative(const format::LogfileHeader& header) noexcept {
    const format::ClockType type = header.clock_type();
    return (type == format::ClockType::qpc && header.perf_freq > 0) ||
           (type == format::ClockType::cpu_cycles && header.cpu_speed_mhz > 0);
}

} // namespace

UsableTimes::UsableTimes(const TraceInfo& trace) noexcept {
    const format::LogfileHeader& header = trace.header;
    const bool is_system_time = header.clock_type() == format::ClockType::system_time;
    if (!trace.has_header || !(is_system_time || is_relative(header))) {
        return;
    }
    const bool has_start = header.start_time >= Filetime::unix_epoch;
    if (has_start || is_system_time) {
        const std::int64_t first = has_start ? header.start_time - day : Filetime::unix_epoch;
        first_ = trace.clock.to_raw({first});
    }
    const bool has_end =
        header.end_time >= Filetime::unix_epoch && header.end_time >= header.start_time;
    if (has_end && (has_start || is_system_time)) {
        constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max() - day;
        last_ = trace.clock.to_raw({std::min(header.end_time, last) + day});
    }
    has_zero_ = trace.reference_time == 0;
}

std::optional<Filetime> wall_time(const Event& event) noexcept {
    if (!event.has_time) {
        return std::nullopt;
    }
    const Filetime time = event.time();
    return time.ticks >= Filetime::unix_epoch ? std::optional(time) : std::nullopt;
}

std::optional<std::int64_t> stored_time(const Event& event) noexcept {
    const format::RecordShape shape = format::record_at(event.bytes());
    return shape.has_time ? std::optional(shape.time) : std::nullopt;
}

} // namespace etl::flow
