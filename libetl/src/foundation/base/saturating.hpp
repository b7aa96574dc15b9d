// Saturating arithmetic for times: a damaged header can contain any time. Thread-safe.
#pragma once

#include <cstdint>
#include <limits>

namespace etl {

/// Returns a + b, saturated to the range.
constexpr std::int64_t saturating_sum(std::int64_t a, std::int64_t b) noexcept {
    using Limits = std::numeric_limits<std::int64_t>;
    if (b > 0) {
        return a > Limits::max() - b ? Limits::max() : a + b;
    }
    return a < Limits::min() - b ? Limits::min() : a + b;
}

} // namespace etl
