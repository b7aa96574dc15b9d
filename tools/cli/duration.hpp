// Durations on the command line.
#pragma once

#include "match/time_point.hpp"

#include <optional>
#include <string_view>

namespace cli {

/// Parses `10s`, `+1.5s`, `-200ms`, `2h` into ticks of 100 ns (docs/filters.md#times). Nothing for
/// other text, including absolute times.
inline std::optional<std::int64_t> parse_duration(std::string_view text) noexcept {
    using Kind = etl::match::TimePoint::Kind;
    const auto point = etl::match::parse_time_point(text);
    return point && (point->kind == Kind::from_start || point->kind == Kind::from_end)
               ? std::optional(point->at.ticks)
               : std::nullopt;
}

} // namespace cli
