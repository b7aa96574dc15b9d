// Wall time as FILETIME. Values; thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace etl {

/// A count of 100 ns units since 1601-01-01 UTC. Negative values are valid and represent earlier
/// times.
struct Filetime {
    std::int64_t ticks = 0;

    constexpr auto operator<=>(const Filetime&) const = default;

    static constexpr std::int64_t per_second = 10'000'000;
    /// FILETIME of 1970-01-01.
    static constexpr std::int64_t unix_epoch = 116'444'736'000'000'000;
};

/// Returns the current system time.
Filetime now() noexcept;

/// A duration. Converts to and from durations of <chrono>.
struct Milliseconds {
    std::int64_t count = 0;

    constexpr Milliseconds() noexcept = default;

    constexpr explicit Milliseconds(std::int64_t milliseconds) noexcept : count(milliseconds) {}

    /// A duration of an integer type, in milliseconds or a coarser unit.
    template <typename Duration>
        requires(std::is_integral_v<typename Duration::rep> &&
                 Duration::period::num * 1000 % Duration::period::den == 0)
    constexpr Milliseconds(Duration duration) noexcept // NOLINT(google-explicit-constructor)
        : count(duration.count() * (Duration::period::num * 1000 / Duration::period::den)) {}

    /// A duration in milliseconds or a finer unit.
    template <typename Duration>
        requires(Duration::period::den % (Duration::period::num * 1000) == 0)
    constexpr operator Duration() const noexcept { // NOLINT(google-explicit-constructor)
        return Duration(count * (Duration::period::den / (Duration::period::num * 1000)));
    }

    constexpr auto operator<=>(const Milliseconds&) const = default;
};

/// A calendar time; `year` may be outside 0 to 9999.
struct CivilTime {
    std::int64_t year;
    unsigned month, day, hour, minute, second;
    unsigned fraction; // of a second, in 100 ns units
};

CivilTime to_civil(Filetime time) noexcept;
Filetime from_civil(const CivilTime& civil) noexcept;

/// Appends RFC 3339 with exactly seven digits: `2021-09-09T12:59:35.8001567Z`. Years outside 0 to
/// 9999 are written in full with their sign. `zone` is appended unchanged.
void append_rfc3339(std::string& to, Filetime time, std::string_view zone = "Z");

/// Parses RFC 3339 with up to nine fractional digits and `Z` or `+hh:mm`; without a zone, UTC. Also
/// accepts `YYYY-MM-DD`.
std::optional<Filetime> parse_rfc3339(std::string_view text) noexcept;

// Times since 1970, as other formats store them. Values; thread-safe.

/// 100 ns units since 1970-01-01 UTC; negative before. The earliest times are one.
constexpr std::int64_t unix_ticks(Filetime time) noexcept {
    constexpr std::int64_t min = std::numeric_limits<std::int64_t>::min() + Filetime::unix_epoch;
    return time.ticks < min ? std::numeric_limits<std::int64_t>::min()
                            : time.ticks - Filetime::unix_epoch;
}

/// Nanoseconds since 1970-01-01 UTC; nothing if 64 bits do not hold them: before 1677, after 2262.
constexpr std::optional<std::int64_t> unix_nanoseconds(Filetime time) noexcept {
    constexpr std::int64_t ns_per_tick = 100;
    constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max() / ns_per_tick;
    const std::int64_t ticks = unix_ticks(time);
    if (ticks < -max || ticks > max) {
        return std::nullopt;
    }
    return ticks * ns_per_tick;
}

// Saturating arithmetic for times: a damaged header can contain any time. Thread-safe.

/// Returns a + b, saturated to the range.
constexpr std::int64_t saturating_sum(std::int64_t a, std::int64_t b) noexcept {
    using Limits = std::numeric_limits<std::int64_t>;
    if (b > 0) {
        return a > Limits::max() - b ? Limits::max() : a + b;
    }
    return a < Limits::min() - b ? Limits::min() : a + b;
}

/// Returns a - b, saturated to the range.
constexpr std::int64_t saturating_difference(std::int64_t a, std::int64_t b) noexcept {
    using Limits = std::numeric_limits<std::int64_t>;
    return b == Limits::min() ? saturating_sum(saturating_sum(a, 1), Limits::max())
                              : saturating_sum(a, -b);
}

} // namespace etl
