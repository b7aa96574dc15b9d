// How far a pass over events has come, by its newest event: 0 to 1.
#pragma once

#include "flow/event.hpp"

#include <algorithm>

namespace etl::flow {

/// By the file offset of its buffer.
inline double fraction_by_place(const Event& newest) noexcept {
    return static_cast<double>(newest.buffer->where.value) /
           static_cast<double>(newest.trace().file_size);
}

/// By its time in an interval; 0 if the interval is empty.
inline double fraction_by_time(Filetime start, Filetime end, const Event& newest) noexcept {
    const auto from = static_cast<double>(start.ticks);
    const double length = static_cast<double>(end.ticks) - from;
    const double gone = static_cast<double>(newest.time().ticks) - from;
    return length > 0 ? std::clamp(gone / length, 0.0, 1.0) : 0;
}

} // namespace etl::flow
