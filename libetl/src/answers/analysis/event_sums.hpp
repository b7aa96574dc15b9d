// Sums over events that a table does not tell apart. Private to analysis.
#pragma once

#include "flow/event.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"

#include <algorithm>
#include <cstdint>

namespace etl::analysis {

/// Returns whether the event says that others were lost.
inline bool is_lost_event(const flow::Event& event) noexcept {
    return format::is_full(event.kind) &&
           flow::stored<format::full_record::guid>(event) == format::lost_event_guid;
}

/// What the events of sums have in common.
enum class SumsBy : std::uint8_t {
    nothing,
    kind,      // that of a KeysByKind
    process,   // EventSums::about, in one life
    processor, // of their buffers
};

/// One event, or several in the order of their times.
struct EventSums {
    const flow::Event* event = nullptr;  // the first one
    std::uint32_t about = flow::no_id;   // the process that they are about (SumsBy::process)
    std::uint64_t events = 0, bytes = 0; // of records
    std::uint64_t lost = 0;              // events for which is_lost_event() is true
    std::int64_t last = 0;               // raw time of the last one
    std::uint64_t gap = 0;               // the longest time from one to the next

    /// Adds an event that is not earlier than the last one.
    void add(const flow::Event& more) noexcept {
        if (event == nullptr) {
            event = &more;
            last = more.raw_time;
        }
        ++events;
        bytes += more.size;
        lost += is_lost_event(more) ? 1U : 0U;
        gap = std::max(gap, static_cast<std::uint64_t>(more.raw_time) -
                                static_cast<std::uint64_t>(last));
        last = more.raw_time;
    }

    /// Raw time of the first one.
    std::int64_t first() const noexcept { return event->raw_time; }
};

} // namespace etl::analysis
