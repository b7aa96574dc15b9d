// Wall time as FILETIME. Values; thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

} // namespace etl
