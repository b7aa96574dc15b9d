// Splits input into literals and matches in one forward pass that compares each match with the one
// a byte later.
#pragma once

#include "codec/greedy_parse.hpp"

namespace etl::codec {

/// Looks at three earlier places per position: one that promises a long match, and the two last
/// ones with the same three bytes or so.
template <typename Rules>
class ThreePlaceFinder {
public:
    static constexpr std::size_t least = Rules::least;

    void begin(Bytes in) noexcept {
        if (!numbers_.begin(in)) {
            long_.clear();
            last_.clear();
            last_but_one_.clear();
        }
    }

    /// A match of up to `lookahead` bytes. Shorter than `least`: none.
    Match look(const std::byte* at) noexcept {
        const std::uint32_t number = numbers_.of(at);
        const std::uint32_t last = last_.exchange(at, number);
        const Match third = match(at, number - last_but_one_.exchange(at, last));
        const Match second = match(at, number - last);
        const Match first = match(at, number - long_.exchange(at, number));
        const Match shorter = third.length > second.length ? third : second;
        // Of equals the nearer, but not when they may go on.
        return first.length > shorter.length || first.length == lookahead ? first : shorter;
    }

    /// The match with the bytes behind the eighth.
    static Match whole(Match match, const std::byte* at, const std::byte* end) noexcept {
        return whole_match(match.length, static_cast<std::uint32_t>(match.distance), at, end);
    }

    /// Remembers a few places of a match that ends at `to`; places up to `last` may be looked at.
    void skip(const std::byte* from, const std::byte* to, const std::byte* last) noexcept {
        if (to <= last) {
            set(from + 2);
            set(to - 2);
        }
    }

private:
    Match match(const std::byte* at, std::uint32_t distance) const noexcept {
        return {equal_bytes(numbers_, at, distance), distance};
    }

    void set(const std::byte* at) noexcept {
        const std::uint32_t number = numbers_.of(at);
        long_.set(at, number);
        last_but_one_.set(at, last_.exchange(at, number));
    }

    Numbering numbers_{Rules::window};
    LastPlaces<Rules::long_width, Rules::normal_bits> long_;
    LastPlaces<Rules::short_width, Rules::normal_bits> last_;
    LastPlaces<Rules::short_width, Rules::normal_bits> last_but_one_;
};

/// Splits an input into literals and matches. A match yields to a longer one that begins a byte
/// later.
template <typename Finder>
class OneAhead {
public:
    void begin(Bytes in) noexcept {
        begin_ = in.data();
        finder_.begin(in);
    }

    /// See Greedy::parse.
    template <typename Sink>
    bool parse(std::size_t from, std::size_t to, Sink& sink) noexcept {
        constexpr std::size_t one_step = 32; // so many misses make steps longer by a byte
        const std::byte* const end = begin_ + to;
        const std::byte* at = begin_ + from;
        const std::byte* literals = at;
        std::size_t step = 2 * one_step;
        while (end - at > static_cast<std::ptrdiff_t>(lookahead)) {
            const Match here = finder_.look(at);
            const Match later = finder_.look(at + 1);
            const std::uint64_t yields = is_less(here.length, later.length);
            const Match found = yields != 0 ? later : here;
            if (found.length < Finder::least) {
                at += std::min(step / one_step, static_cast<std::size_t>(end - at));
                ++step;
                continue;
            }
            at += yields;
            const std::byte* const first = at;
            Match match = Finder::whole(found, at, end);
            while (at > literals && at - match.distance > begin_ &&
                   at[-1] == (at - match.distance)[-1]) {
                --at;
                ++match.length;
            }
            if (!sink.sequence(literals, static_cast<std::size_t>(at - literals), match)) {
                return false;
            }
            at += match.length;
            finder_.skip(first, at, end - lookahead);
            literals = at;
            step = 2 * one_step;
        }
        return sink.literals(literals, static_cast<std::size_t>(end - literals));
    }

private:
    const std::byte* begin_ = nullptr;
    Finder finder_;
};

} // namespace etl::codec
