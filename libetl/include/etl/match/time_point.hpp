// Points in time as people write them. Values; any thread. docs/filters.md#times
#pragma once

#include <etl/base/time.hpp>

#include <optional>
#include <string_view>

namespace etl::match {

/// What relative times are relative to.
struct TimeBounds {
    Filetime start{};              // of the first trace
    std::optional<Filetime> end{}; // of the last event; none: not known
    int utc_offset_minutes = 0;    // of times written without a zone
};

/// A point in time, absolute or relative.
struct TimePoint {
    enum class Kind : std::uint8_t {
        absolute,    // `at`, in UTC
        local,       // `at`, in the zone of TimeBounds
        time_of_day, // `at` behind midnight of the day of the start, in that zone
        from_start,  // `at` behind the start
        from_end,    // `at` behind the end: negative
    };

    Kind kind = Kind::absolute;
    Filetime at{};

    bool operator==(const TimePoint&) const = default;

    /// Empty: from_end, and the end is not known. Saturates.
    std::optional<Filetime> resolve(const TimeBounds& bounds) const noexcept;
};

/// `2010-10-29T19:10:05.25Z`, `2010-10-29 19:10`, `2010-10-29`, `19:10:05.25`, `19:10`, `+5s`,
/// `5s`, `1.5ms` (from the start), `-10s` (from the end), a FILETIME such as `132756357000000000`.
/// Units ns, us, ms, s, m, h, d; a number alone of less than 1e12 is seconds.
std::optional<TimePoint> parse_time_point(std::string_view text) noexcept;

/// The forms, for messages: "RFC 3339, ...".
inline constexpr std::string_view time_forms =
    "2010-10-29T19:10:05.25Z, '2010-10-29 19:10', 19:10:05.25, +5s or 5s from the start, -10s from "
    "the end, or a FILETIME";

} // namespace etl::match
