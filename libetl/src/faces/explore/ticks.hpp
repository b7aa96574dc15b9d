// Arithmetic of raw times, which traces can make as large as they like. Private to explore.
#pragma once

#include <cstdint>
#include <limits>

namespace etl::explore {

// Saturated.

constexpr std::int64_t sum_of(std::int64_t one, std::int64_t other) noexcept {
    using Limits = std::numeric_limits<std::int64_t>;
    return other > 0 ? (one > Limits::max() - other ? Limits::max() : one + other)
                     : (one < Limits::min() - other ? Limits::min() : one + other);
}

/// `to` is not before `from`.
constexpr std::int64_t length_of(std::int64_t from, std::int64_t to) noexcept {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    return from < 0 && to > most + from ? most : to - from;
}

/// The length of the piece after one of this length, which is not negative.
constexpr std::int64_t grown(std::int64_t length, std::int64_t growth) noexcept {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    return length > most / growth ? most : length * growth;
}

} // namespace etl::explore
