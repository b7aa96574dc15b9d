// Points in time in user notation. Values; thread-safe. docs/filters.md#times
#pragma once

#include <etl/time.hpp>

#include <optional>
#include <string_view>

namespace etl::match {

/// The reference points of relative times.
struct TimeBounds {
    Filetime start{};              // start of the first trace
    std::optional<Filetime> end{}; // time of the last event; none: unknown
    int utc_offset_minutes = 0;    // offset of times without a zone
};

/// A point in time, absolute or relative.
struct TimePoint {
    enum class Kind : std::uint8_t {
        absolute,    // `at`, in UTC
        local,       // `at`, in the zone of TimeBounds
        time_of_day, // `at` after midnight of the start day, in that zone
        from_start,  // `at` after the start
        from_end,    // `at` relative to the end: negative
    };

    Kind kind = Kind::absolute;
    Filetime at{};

    bool operator==(const TimePoint&) const = default;

    /// Returns the absolute time; empty for from_end if the end is unknown. Saturates.
    std::optional<Filetime> resolve(const TimeBounds& bounds) const noexcept;
};

/// `2010-10-29T19:10:05.25Z`, `2010-10-29 19:10`, `2010-10-29`, `19:10:05.25`, `19:10`, `+5s`,
/// `5s`, `1.5ms` (from the start), `-10s` (from the end), a FILETIME such as `132756357000000000`.
/// Units are ns, us, ms, s, m, h, d; a number below 1e12 without a unit is in seconds.
std::optional<TimePoint> parse_time_point(std::string_view text) noexcept;

/// The accepted forms, for messages.
inline constexpr std::string_view time_forms =
    "2010-10-29T19:10:05.25Z, '2010-10-29 19:10', 19:10:05.25, +5s or 5s from the start, -10s from "
    "the end, or a FILETIME";

} // namespace etl::match
