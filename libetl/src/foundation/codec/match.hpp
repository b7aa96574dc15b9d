// Matches, and where the bytes of an input lie among all those that an encoder ever saw.
#pragma once

#include "base/layout.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace etl::codec {

/// Bytes that occurred before: `length` of them, `distance` back. No match when the length is 0.
struct Match {
    std::size_t length = 0;
    std::size_t distance = 0;
};

/// 1 when a < b, else 0; both below 2^63. By arithmetic, because what depends on it cannot be
/// foreseen, and a compiler may make a branch of a comparison.
constexpr std::uint64_t is_less(std::uint64_t a, std::uint64_t b) noexcept {
    return (a - b) >> 63U;
}

/// How many bytes at `a` and at `b` are the same, up to `limit`; both lie in one view, `a` first.
inline std::size_t common_length(const std::byte* a, const std::byte* b,
                                 std::size_t limit) noexcept {
    std::size_t length = 0;
    while (limit - length >= 8) {
        const auto difference =
            load_le<std::uint64_t>(a + length) ^ load_le<std::uint64_t>(b + length);
        if (difference != 0) {
            return length + static_cast<std::size_t>(std::countr_zero(difference)) / 8;
        }
        length += 8;
    }
    while (length < limit && a[length] == b[length]) {
        ++length;
    }
    return length;
}

/// Numbers the bytes of one input after the other, so that tables of positions need not be cleared
/// in between: what they hold of an earlier input, or nothing (0), is out of reach. Numbers are
/// taken modulo 2^32. In an input beyond that a table may name a place that it does not mean;
/// whatever it names is compared byte by byte, and `reaches` keeps it inside the input.
class Numbering {
public:
    /// `window`: the farthest distance.
    explicit Numbering(std::uint32_t window) noexcept : window_(window), next_(window + 1) {}

    /// Goes on to another input. False when the numbers begin anew: then clear the tables.
    [[nodiscard]] bool begin(Bytes in) noexcept {
        constexpr std::uint64_t end = std::numeric_limits<std::uint32_t>::max();
        const bool goes_on = in.size() <= end - next_ && window_ <= end - next_ - in.size();
        if (!goes_on) {
            next_ = window_ + 1;
        }
        begin_ = in.data();
        first_ = static_cast<std::uint32_t>(next_);
        next_ =
            std::min<std::uint64_t>(end, next_ + std::min<std::uint64_t>(in.size(), end) + window_);
        return goes_on;
    }

    std::uint32_t of(const std::byte* at) const noexcept {
        return first_ + static_cast<std::uint32_t>(at - begin_);
    }

    /// 1 when a place so far back may be looked at, else 0.
    std::uint64_t reaches(std::uint32_t distance) const noexcept {
        return is_less(distance - 1, window_);
    }

private:
    std::uint64_t window_;
    std::uint64_t next_; // number of the next input's first byte
    const std::byte* begin_ = nullptr;
    std::uint32_t first_ = 0; // number of *begin_
};

} // namespace etl::codec
