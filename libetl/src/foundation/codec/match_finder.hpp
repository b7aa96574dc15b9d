// Finds the longest match, for encoders that take their time.
#pragma once

#include "codec/match.hpp"

#include <algorithm>
#include <vector>

namespace etl::codec {

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
        Match best{.length = least - 1};
        if (limit < least) {
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
        return best.length >= least ? best : Match{};
    }

private:
    /// Looks at the four bytes that a longer match would end with, if there are so many.
    static bool may_be_longer(const std::byte* there, const std::byte* here,
                              std::size_t longest) noexcept {
        if (longest < least) {
            return there[longest] == here[longest];
        }
        return load_le<std::uint32_t>(there + longest - 3) ==
               load_le<std::uint32_t>(here + longest - 3);
    }

    static constexpr std::size_t heads = 1U << 14U;
    static constexpr std::size_t least = 3;
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
