// Time stamps moved in time, saturated: a damaged header may put them anywhere.
#pragma once

#include <cstdint>
#include <limits>

namespace etl::merge {

constexpr std::int64_t moved(std::int64_t ticks, std::int64_t by) noexcept {
    using Limits = std::numeric_limits<std::int64_t>;
    if (by > 0) {
        return ticks > Limits::max() - by ? Limits::max() : ticks + by;
    }
    return ticks < Limits::min() - by ? Limits::min() : ticks + by;
}

/// By how much `from` has to be moved to come to `to`.
constexpr std::int64_t distance(std::int64_t from, std::int64_t to) noexcept {
    using Limits = std::numeric_limits<std::int64_t>;
    return from == Limits::min() ? moved(moved(to, 1), Limits::max()) : moved(to, -from);
}

} // namespace etl::merge
