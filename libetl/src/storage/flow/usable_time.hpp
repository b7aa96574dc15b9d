// Which timestamps of a trace are times. docs/format/time.md#unusable
#pragma once

#include "flow/event.hpp"

#include <cstdint>
#include <limits>
#include <optional>

namespace etl::flow {

/// The raw timestamps of a buffer that can be times of its events: not 0, and at most a day outside
/// of StartTime to EndTime, extended by the time at which the buffer was flushed, if the header
/// states them. A record with another one is read as one without a timestamp (Event::has_time). A
/// value; thread-safe.
class UsableTimes {
public:
    /// All raw timestamps but 0.
    UsableTimes() = default;

    /// Those of a buffer of a trace; `flush_time` is its TimeStamp as stored, 0: unknown. Without a
    /// header, and if its clock type is unknown: all but 0.
    UsableTimes(const TraceInfo& trace, std::int64_t flush_time) noexcept;

    bool contain(std::int64_t raw) const noexcept {
        return raw >= first_ && raw <= last_ && (raw != 0 || has_zero_);
    }

private:
    std::int64_t first_ = std::numeric_limits<std::int64_t>::min();
    std::int64_t last_ = std::numeric_limits<std::int64_t>::max();
    bool has_zero_ = false; // the raw timestamp of the header is 0
};

/// Returns the time of an event; none if its record stores none that is usable, or if the trace
/// does not contain what relates its timestamps to times: before 1970, there are no events.
std::optional<Filetime> wall_time(const Event& event) noexcept;

/// Returns the timestamp that a record stores, usable or not; none if its kind has none.
std::optional<std::int64_t> stored_time(const Event& event) noexcept;

} // namespace etl::flow
