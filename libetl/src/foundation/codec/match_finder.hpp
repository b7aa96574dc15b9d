// Finds the longest match, for encoders that take their time.
#pragma once

#include "base/layout.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace etl::codec {

// Matches, and where the bytes of an input lie among all those that an encoder ever saw.

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

/// Chains of earlier positions whose next three bytes have the same hash, newest first.
class MatchFinder {
public:
    /// `window` is the farthest distance. A search looks at `depth` positions.
    MatchFinder(std::size_t window, unsigned depth)
        : numbers_(static_cast<std::uint32_t>(window)), window_(window), depth_(depth),
          mask_(static_cast<std::uint32_t>(std::bit_ceil(window)) - 1), heads_(heads),
          previous_(std::bit_ceil(window)) {}

    /// Goes on to another input.
    void begin(Bytes in) noexcept {
        in_ = in;
        if (!numbers_.begin(in)) {
            std::ranges::fill(heads_, 0);
            std::ranges::fill(previous_, 0);
        }
    }

    /// Makes the positions known to later searches. Each is inserted once, in order.
    void insert(std::size_t from, std::size_t to) noexcept {
        const std::size_t end = std::min(to, in_.size() - std::min<std::size_t>(in_.size(), 2));
        // What lies more than a window before the end will be out of reach.
        for (std::size_t at = std::max(from, to - std::min(to, window_)); at < end; ++at) {
            const std::uint32_t number = numbers_.of(in_.data() + at);
            std::uint32_t& head = heads_[hash(at)];
            previous_[number & mask_] = head;
            head = number;
        }
    }

    /// The longest match of at most `limit` bytes at `position`, its source not before `floor`; the
    /// nearest of equals. Call before inserting it.
    Match longest(std::size_t position, std::size_t floor, std::size_t limit) const noexcept {
        Match best{.length = min - 1};
        if (limit < min) {
            return {};
        }
        const std::byte* const here = in_.data() + position;
        const std::uint32_t number = numbers_.of(here);
        std::uint32_t candidate = heads_[hash(position)];
        std::uint32_t nearer = 0;
        for (unsigned step = 0; step < depth_; ++step) {
            const std::uint32_t distance = number - candidate;
            if (distance <= nearer || numbers_.reaches(distance) == 0 ||
                distance > position - floor) {
                break;
            }
            const std::byte* const there = here - distance;
            if (may_be_longer(there, here, best.length)) {
                const std::size_t length = common_length(there, here, limit);
                if (length > best.length) {
                    best = {length, distance};
                    if (length == limit || length >= good_enough) {
                        break;
                    }
                }
            }
            nearer = distance;
            candidate = previous_[candidate & mask_];
        }
        return best.length >= min ? best : Match{};
    }

private:
    /// Looks at the four bytes that a longer match would end with, if there are so many.
    static bool may_be_longer(const std::byte* there, const std::byte* here,
                              std::size_t longest) noexcept {
        if (longest < min) {
            return there[longest] == here[longest];
        }
        return load_le<std::uint32_t>(there + longest - 3) ==
               load_le<std::uint32_t>(here + longest - 3);
    }

    static constexpr std::size_t heads = 1U << 14U;
    static constexpr std::size_t min = 3;
    static constexpr std::size_t good_enough = 128;

    std::size_t hash(std::size_t position) const noexcept {
        const std::byte* const at = in_.data() + position;
        const std::uint32_t three =
            load_le<std::uint16_t>(at) | static_cast<std::uint32_t>(load_le<std::uint8_t>(at + 2))
                                             << 16U;
        return (three * 0x9E3779B1U) >> 18U;
    }

    Numbering numbers_;
    Bytes in_;
    std::size_t window_;
    unsigned depth_;
    std::uint32_t mask_;
    std::vector<std::uint32_t> heads_;
    std::vector<std::uint32_t> previous_; // by number
};

} // namespace etl::codec
