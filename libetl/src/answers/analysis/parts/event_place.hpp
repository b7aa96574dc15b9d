// Where an event is in its trace. Private to analysis.
#pragma once

#include "analysis/parts/archive.hpp"
#include "flow/event.hpp"

#include <tuple>

namespace etl::analysis {

struct EventPlace {
    std::uint64_t buffer = 0; // number
    std::uint32_t offset = 0;
    std::uint64_t file_offset = 0; // of its buffer

    bool operator<(const EventPlace& other) const noexcept {
        return std::tie(buffer, offset) < std::tie(other.buffer, other.offset);
    }
};

inline EventPlace place_of(const flow::Event& event) noexcept {
    return {event.buffer->number, event.offset(), event.buffer->where.value};
}

inline void visit(Archive& archive, EventPlace& place) {
    archive.number(place.buffer);
    archive.number(place.offset);
    archive.number(place.file_offset);
}

/// The event that ends an interval.
struct IntervalEnd {
    std::int64_t time = 0; // raw
    bool in_range = false;
    EventPlace place;
};

inline void visit(Archive& archive, IntervalEnd& end) {
    archive.number(end.time);
    archive.number(end.in_range);
    visit(archive, end.place);
}

} // namespace etl::analysis
