// What the three encoders share: finding matches, and choosing which to use.
#pragma once

#include <etl/base/layout.hpp>

#include <algorithm>
#include <bit>
#include <vector>

namespace etl::codec {

/// Bytes that occurred before: `length` of them, `distance` back. No match when the length is 0.
struct Match {
    std::size_t length = 0;
    std::size_t distance = 0;
};

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

/// Chains of earlier positions whose next three bytes have the same hash, newest first. Positions
/// are kept modulo 2^32, so the input may have any size; whatever a chain says is compared byte by
/// byte.
class MatchFinder {
public:
    /// `window` is a power of two, the farthest distance plus one at most. A search looks at
    /// `depth` positions.
    MatchFinder(Bytes in, std::size_t window, unsigned depth)
        : in_(in), window_(static_cast<std::uint32_t>(window)), depth_(depth),
          heads_(heads, nowhere()), previous_(window, nowhere()) {}

    /// Makes the positions known to later searches. Each is inserted once, in order.
    void insert(std::size_t from, std::size_t to) noexcept {
        const std::size_t end = std::min(to, in_.size() - std::min<std::size_t>(in_.size(), 2));
        // What lies more than a window before the end will be out of reach.
        for (std::size_t at = std::max(from, to - std::min<std::size_t>(to, window_)); at < end;
             ++at) {
            std::uint32_t& head = heads_[hash(at)];
            previous_[at & (window_ - 1)] = head;
            head = static_cast<std::uint32_t>(at);
        }
    }

    /// The longest match of at most `limit` bytes at `position`, its source not before `floor`; the
    /// nearest of equals. Call before inserting it.
    Match longest(std::size_t position, std::size_t floor, std::size_t limit) const noexcept {
        Match best;
        limit = std::min(limit, in_.size() - position);
        if (limit < 3) {
            return best;
        }
        const std::byte* const here = in_.data() + position;
        const std::size_t reach = std::min<std::size_t>(window_, position - floor);
        std::uint32_t candidate = heads_[hash(position)];
        std::uint32_t nearer = 0;
        for (unsigned step = 0; step < depth_; ++step) {
            const std::uint32_t distance = static_cast<std::uint32_t>(position) - candidate;
            if (distance <= nearer || distance > reach) {
                break;
            }
            const std::byte* const there = here - distance;
            if (there[best.length] == here[best.length]) {
                const std::size_t length = common_length(there, here, limit);
                if (length > best.length) {
                    best = {length, distance};
                    if (length == limit || length >= good_enough) {
                        break;
                    }
                }
            }
            nearer = distance;
            candidate = previous_[candidate & (window_ - 1)];
        }
        return best.length >= 3 ? best : Match{};
    }

private:
    static constexpr std::size_t heads = 1U << 14U;
    static constexpr std::size_t good_enough = 128;

    /// A position out of reach of all that a fresh finder will be asked about.
    std::uint32_t nowhere() const noexcept { return 0U - window_ - 1U; }

    std::size_t hash(std::size_t position) const noexcept {
        const std::byte* const at = in_.data() + position;
        const std::uint32_t three =
            load_le<std::uint16_t>(at) | static_cast<std::uint32_t>(load_le<std::uint8_t>(at + 2))
                                             << 16U;
        return (three * 0x9E3779B1U) >> 18U;
    }

    Bytes in_;
    std::uint32_t window_;
    unsigned depth_;
    std::vector<std::uint32_t> heads_;
    std::vector<std::uint32_t> previous_;
};

/// Splits in[from, to) into literals and matches: calls sink.literal(byte) and sink.match(match) in
/// order. sink.search(finder, position) finds the match to consider at a position, within the
/// limits of its format. A match yields to a longer one that begins a byte later.
template <typename Sink>
void parse(Bytes in, std::size_t from, std::size_t to, MatchFinder& finder, Sink& sink) {
    constexpr std::size_t long_enough = 32; // not worth another search
    const auto search = [&](std::size_t position) {
        return position < to ? sink.search(finder, position) : Match{};
    };
    std::size_t position = from;
    Match match = search(position);
    while (position < to) {
        finder.insert(position, position + 1);
        const bool may_yield = match.length != 0 && match.length < long_enough;
        const Match later = may_yield ? search(position + 1) : Match{};
        if (match.length == 0 || later.length > match.length) {
            sink.literal(in[position]);
            ++position;
            match = may_yield ? later : search(position);
            continue;
        }
        sink.match(match);
        finder.insert(position + 1, position + match.length);
        position += match.length;
        match = search(position);
    }
}

} // namespace etl::codec
