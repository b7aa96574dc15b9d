#include "trace/recording.hpp"

#include <etl/byte_writer.hpp>

#include "base/limits.hpp"
#include "flow/losses.hpp"
#include "format/buffer_header.hpp"
#include "format/encode.hpp"
#include "format/own_events.hpp"
#include "format/records.hpp"
#include "trace/limits.hpp"

#include <algorithm>
#include <array>

namespace etl::trace {

namespace {

using format::ClockType;

/// Sessions and files have names of up to 1024 characters. docs/format/logfile-header.md
constexpr std::size_t name_units = 1024;

/// Whether readers can count in the clock that a header tells of (flow::Clock).
bool counts(const format::LogfileHeader& header) noexcept {
    switch (header.clock_type()) {
    case ClockType::qpc:
        return header.perf_freq > 0;
    case ClockType::cpu_cycles:
        return header.cpu_speed_mhz > 0;
    case ClockType::system_time:
        return true;
    case ClockType::unknown:
        break;
    }
    return false;
}

void make_sound(format::LogfileHeader& header) {
    header.session_name.resize(std::min(header.session_name.size(), name_units));
    header.log_file_name.resize(std::min(header.log_file_name.size(), name_units));
    header.number_of_processors =
        std::clamp(header.number_of_processors, 1U, std::uint32_t{etl::limits::processors});
    if (!counts(header)) {
        header.reserved_flags = static_cast<std::uint32_t>(ClockType::system_time);
    }
}

} // namespace

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

Recording recording_of(const flow::TraceInfo& trace) {
    Recording recording = begin_recording({});
    recording.logger_id = trace.logger_id;
    recording.lineage = trace.has_alignment_bytes   ? Lineage::windows7
                        : trace.has_processor_index ? Lineage::session
                                                    : Lineage::unmarked;
    if (!trace.has_header) {
        return recording;
    }
    recording.header = trace.header;
    make_sound(recording.header);
    recording.header_pointer_size = trace.header_pointer_size;
    recording.reference_time = trace.reference_time;
    recording.process_id = trace.process_id;
    recording.thread_id = trace.thread_id;
    recording.kernel_time = trace.kernel_time;
    recording.user_time = trace.user_time;
    if ((trace.header.log_file_mode & format::log_mode::relog) != 0) {
        recording.lineage = Lineage::relogger;
    }
    return recording;
}

bool is_relogged(const flow::TraceInfo& trace) noexcept {
    return trace.header.session_name == relogged_session;
}

Recording relogged(const flow::TraceInfo& trace) {
    constexpr std::uint32_t kilobytes_per_megabyte = 1024;
    Recording recording = recording_of(trace);
    format::LogfileHeader& header = recording.header;
    const bool limit_in_kilobytes =
        (header.log_file_mode & format::log_mode::use_kbytes_for_size) != 0;
    if (limit_in_kilobytes) {
        header.maximum_file_size = header.maximum_file_size / kilobytes_per_megabyte +
                                   (header.maximum_file_size % kilobytes_per_megabyte != 0 ? 1 : 0);
    }
    header.session_name = relogged_session;
    header.logger_name_pointer = 0;
    header.log_file_name_pointer = 0;
    // Not NO_PER_PROCESSOR_BUFFERING: records stay with their processors.
    header.log_file_mode = format::log_mode::sequential | format::log_mode::relog;
    recording.logger_id = 0;
    recording.lineage = Lineage::relogger;
    if (!flow::counts_losses(trace)) {
        record_unknown_losses(recording);
    }
    return recording;
}

std::uint32_t buffer_size_for(const flow::TraceInfo& trace) {
    constexpr std::uint32_t always_kept = 1U << 20U;
    const Recording recording = recording_of(trace);
    const std::size_t head =
        format::buffer_header::size + format::system_record::size +
        format::encode_logfile_header(recording.header, recording.header_pointer_size).size();
    const std::uint32_t declared = std::min(trace.header.buffer_size, always_kept);
    const auto least = static_cast<std::uint32_t>(std::max<std::size_t>(head, limits::min_buffer));
    const std::uint32_t size = std::max({least, declared, trace.max_used_bytes});
    return std::min((size + limits::buffer_granule - 1) / limits::buffer_granule *
                        limits::buffer_granule,
                    etl::limits::buffer_bytes);
}

namespace {

namespace losses = format::losses_event;

std::vector<std::byte> event_metadata() {
    ByteWriter blob;
    return format::with_size(blob.u16(0).u8(0).zero_terminated8(losses::name));
}

} // namespace

void record_unknown_losses(Recording& recording) {
    if (flow::indicate_unknown_losses(recording.extra_records)) {
        return;
    }
    constexpr std::uint8_t warning = 3; // level
    const auto metadata = event_metadata();
    const auto traits = format::provider_traits(losses::provider_name);
    const std::array items{format::ExtendedItem{format::ItemType::provider_traits, traits},
                           format::ExtendedItem{format::ItemType::event_schema_tl, metadata}};
    ByteWriter records;
    records.bytes(recording.extra_records).align(8);
    const auto encoded =
        format::encode(format::EventRecord{.time = recording.reference_time,
                                           .provider = losses::provider,
                                           .descriptor = {.channel = format::tracelogging_channel,
                                                          .level = warning},
                                           .items = items},
                       records);
    if (encoded) { // always: all of it is bounded
        recording.extra_records = records.align(8).take();
    }
}

} // namespace etl::trace
