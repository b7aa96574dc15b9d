// Wall time as Windows counts it. Values; any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etl {

/// A count of 100 ns units since 1601-01-01 UTC. Negative values are times before that and are
/// legal.
struct Filetime {
    std::int64_t ticks = 0;

    constexpr auto operator<=>(const Filetime&) const = default;

    static constexpr std::int64_t per_second = 10'000'000;
    /// FILETIME of 1970-01-01.
    static constexpr std::int64_t unix_epoch = 116'444'736'000'000'000;
};

/// A calendar time; `year` may lie outside 0..9999 for wild values.
struct CivilTime {
    std::int64_t year;
    unsigned month, day, hour, minute, second;
    unsigned fraction; // of a second, in 100 ns units
};

CivilTime to_civil(Filetime time) noexcept;
Filetime from_civil(const CivilTime& civil) noexcept;

/// Appends RFC 3339 with exactly seven digits: `2021-09-09T12:59:35.8001567Z`. Years outside
/// 0..9999 are written in full with their sign. `zone` is appended as it is.
void append_rfc3339(std::string& to, Filetime time, std::string_view zone = "Z");

/// Reads RFC 3339 with up to nine digits and `Z` or `+hh:mm`; no zone means UTC. Also `YYYY-MM-DD`
/// alone.
std::optional<Filetime> parse_rfc3339(std::string_view text) noexcept;

} // namespace etl
