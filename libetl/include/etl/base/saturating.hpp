// Sums that end at the ends of time: a damaged header may put a time anywhere. Values; any thread.
#pragma once

#include <cstdint>
#include <limits>

namespace etl {

/// a + b, or the end of the range beyond which it lies.
constexpr std::int64_t saturating_sum(std::int64_t a, std::int64_t b) noexcept {
    using Limits = std::numeric_limits<std::int64_t>;
    if (b > 0) {
        return a > Limits::max() - b ? Limits::max() : a + b;
    }
    return a < Limits::min() - b ? Limits::min() : a + b;
}

} // namespace etl
