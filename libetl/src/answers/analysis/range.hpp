// The range of an analysis. docs/analysis.md
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace etl::analysis {

/// The time of an event without one.
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();

/// The range T, found on the way.
struct Range {
    std::int64_t from = never;
    std::int64_t to = std::numeric_limits<std::int64_t>::max();
    std::optional<std::int64_t> first;
    std::int64_t last = never;
    bool reached_to = false;

    std::int64_t begin() const noexcept { return std::max(first.value_or(0), from); }

    std::int64_t end() const noexcept {
        return std::max(begin(), reached_to ? to : std::min(last, to));
    }
};

} // namespace etl::analysis
