#include "flow/event.hpp"

#include "format/buffer_header.hpp"

#include <algorithm>

namespace etl::flow {

EventHeader read_header(const Event& event) noexcept {
    // Most records state their width and have one form: nothing of the trace is needed.
    const bool needs_trace =
        event.kind.width == format::Width::none || format::is_instance(event.kind);
    const std::uint8_t pointer_size = needs_trace && event.trace().header.pointer_size == 4 ? 4 : 8;
    const format::Instances instances =
        needs_trace ? instances_of(event.trace()) : format::Instances::with_guids;
    EventHeader header = format::read_header(event.kind, event.bytes(), pointer_size, instances);
    if ((event.buffer->flags & format::buffer_flag::processor_index) != 0) {
        header.flags |= format::event_flag::processor_index;
    }
    return header;
}

format::ExtendedItem find_item(const EventHeader& header, format::ItemType type) noexcept {
    format::ExtendedItems items(header.items);
    format::ExtendedItem item;
    while (items.next(item)) {
        if (item.type == type) {
            return item;
        }
    }
    return {};
}

namespace {

constexpr std::int64_t day = 86'400 * Filetime::per_second;

/// Whether raw timestamps are related to StartTime.
bool is_relative(const format::LogfileHeader& header) noexcept {
    const format::ClockType type = header.clock_type();
    return (type == format::ClockType::qpc && header.perf_freq > 0) ||
           (type == format::ClockType::cpu_cycles && header.cpu_speed_mhz > 0);
}

/// FILETIME; none: not known.
struct Bounds {
    std::optional<std::int64_t> first, last;

    void include(std::int64_t time) noexcept {
        first = first ? std::min(*first, time - day) : first;
        last = last ? std::max(*last, day_after(time)) : last;
    }

    static std::int64_t day_after(std::int64_t time) noexcept {
        constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max() - day;
        return std::min(time, latest) + day;
    }
};

/// What a header says about the times of its events. Nothing, if it contradicts itself, if runs
/// were appended to its file, or if it was never completed and the clock may have been set back.
Bounds bounds_of(const format::LogfileHeader& header) noexcept {
    const bool is_system_time = header.clock_type() == format::ClockType::system_time;
    const bool has_start = header.start_time >= Filetime::unix_epoch;
    const bool has_end = header.end_time >= Filetime::unix_epoch;
    if ((header.log_file_mode & format::log_mode::append) != 0 ||
        (has_end && header.end_time < header.start_time) || (is_system_time && !has_end)) {
        return {};
    }
    Bounds bounds;
    if (has_start) {
        bounds.first = header.start_time - day;
    }
    if (has_end && (has_start || is_system_time)) {
        bounds.last = Bounds::day_after(header.end_time);
    }
    return bounds;
}

} // namespace

UsableTimes::UsableTimes(const TraceInfo& trace, std::int64_t flush_time) noexcept {
    const format::LogfileHeader& header = trace.header;
    const bool is_system_time = header.clock_type() == format::ClockType::system_time;
    if (!trace.has_header || !(is_system_time || is_relative(header))) {
        return;
    }
    has_zero_ = trace.reference_time == 0;
    Bounds bounds = bounds_of(header);
    if (is_system_time && !bounds.first) {
        bounds.first = Filetime::unix_epoch;
    }
    const bool is_filetime = (header.log_file_mode & format::log_mode::relog) != 0;
    const std::int64_t flushed =
        is_filetime ? flush_time : trace.clock.to_filetime(flush_time).ticks;
    if (flush_time != 0 && flushed >= Filetime::unix_epoch) {
        bounds.include(flushed);
    }
    if (bounds.first) {
        first_ = trace.clock.to_raw({*bounds.first});
    }
    if (bounds.last) {
        last_ = trace.clock.to_raw({*bounds.last});
    }
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
