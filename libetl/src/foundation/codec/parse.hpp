// Ways to split input into literals and matches.
#pragma once

#include "codec/match_finder.hpp"

#include <algorithm>
#include <array>

namespace etl::codec {

// Splits input into literals and matches in one forward pass that takes what it finds: the fast
// levels. A sink takes sequences, that is literals with a match behind them.

/// Bytes that a finder may look at from a position on.
inline constexpr std::size_t lookahead = 8;

/// The number of the last place where bytes with the same hash stood. `width` bytes are hashed, 3
/// to 8.
template <unsigned width, unsigned bits>
class LastPlaces {
public:
    void clear() noexcept { places_.fill(0); }

    void set(const std::byte* at, std::uint32_t number) noexcept { place(at) = number; }

    std::uint32_t exchange(const std::byte* at, std::uint32_t number) noexcept {
        std::uint32_t& there = place(at);
        const std::uint32_t before = there;
        there = number;
        return before;
    }

private:
    std::uint32_t& place(const std::byte* at) noexcept {
        if constexpr (width <= 4) {
            const auto bytes = load_le<std::uint32_t>(at) << (32 - 8 * width);
            return places_[(bytes * 0x9E3779B1U) >> (32 - bits)];
        } else {
            const auto bytes = load_le<std::uint64_t>(at) << (64 - 8 * width);
            return places_[(bytes * 0x9E3779B185EBCA87U) >> (64 - bits)];
        }
    }

    std::array<std::uint32_t, std::size_t{1} << bits> places_{};
};

/// How many of the eight bytes at `here` are those `distance` back; 0 when that is out of reach.
inline std::size_t equal_bytes(const Numbering& numbers, const std::byte* here,
                               std::uint32_t distance) noexcept {
    const std::uint64_t reaches = numbers.reaches(distance);
    const auto there = load_le<std::uint64_t>(here - distance * reaches);
    const std::uint64_t difference = (there ^ load_le<std::uint64_t>(here)) | (reaches ^ 1);
    return static_cast<std::size_t>(std::countr_zero(difference)) / 8;
}

/// A match that is known to have `length` bytes, with those behind the eighth.
inline Match whole_match(std::size_t length, std::uint32_t distance, const std::byte* here,
                         const std::byte* end) noexcept {
    if (length == lookahead) {
        length += common_length(here + lookahead - distance, here + lookahead,
                                static_cast<std::size_t>(end - here) - lookahead);
    }
    return {length, distance};
}

/// Looks at one earlier place per position.
template <typename Rules>
class FastFinder {
public:
    void begin(Bytes in) noexcept {
        if (!numbers_.begin(in)) {
            places_.clear();
        }
    }

    Match find(const std::byte* at, const std::byte* end) noexcept {
        const std::uint32_t number = numbers_.of(at);
        const std::uint32_t distance = number - places_.exchange(at, number);
        const std::size_t length = equal_bytes(numbers_, at, distance);
        return length < Rules::min ? Match{} : whole_match(length, distance, at, end);
    }

    void skip(const std::byte*, const std::byte*, const std::byte*) noexcept {}

private:
    Numbering numbers_{Rules::window};
    LastPlaces<Rules::fast_width, Rules::fast_bits> places_;
};

/// Looks at two earlier places per position: one that promises a long match, and a nearer one.
template <typename Rules>
class NormalFinder {
public:
    void begin(Bytes in) noexcept {
        if (!numbers_.begin(in)) {
            long_.clear();
            short_.clear();
        }
    }

    Match find(const std::byte* at, const std::byte* end) noexcept {
        const std::uint32_t number = numbers_.of(at);
        const std::uint32_t far = number - long_.exchange(at, number);
        const std::uint32_t near = number - short_.exchange(at, number);
        const std::size_t far_length = equal_bytes(numbers_, at, far);
        const std::size_t near_length = equal_bytes(numbers_, at, near);
        // Of two equal matches the nearer one is taken, unless they may go on.
        const bool is_far = far_length > near_length || far_length == lookahead;
        const std::size_t length = is_far ? far_length : near_length;
        return length < Rules::min ? Match{} : whole_match(length, is_far ? far : near, at, end);
    }

    /// Remembers a few places of a match that ends at `to`; places up to `last` may be looked at.
    void skip(const std::byte* from, const std::byte* to, const std::byte* last) noexcept {
        if (to <= last) {
            set(long_, from + 2);
            set(short_, from + 2);
            set(long_, to - 2);
            set(short_, to - 1);
        }
    }

private:
    void set(auto& places, const std::byte* at) noexcept { places.set(at, numbers_.of(at)); }

    Numbering numbers_{Rules::window};
    LastPlaces<Rules::long_width, Rules::normal_bits> long_;
    LastPlaces<Rules::short_width, Rules::normal_bits> short_;
};

/// Splits an input into literals and matches.
template <typename Finder>
class Greedy {
public:
    void begin(Bytes in) noexcept {
        begin_ = in.data();
        finder_.begin(in);
    }

    /// The next part of the input: calls sink.sequence(literals, count, match), and at the end
    /// sink.literals(literals, count). False as soon as the sink says so.
    template <typename Sink>
    bool parse(std::size_t from, std::size_t to, Sink& sink) noexcept {
        constexpr std::size_t one_step = 64; // so many misses make steps longer by a byte
        const std::byte* const begin = begin_;
        const std::byte* const end = begin + to;
        const std::byte* at = begin + from;
        const std::byte* literals = at;
        std::size_t step = one_step;
        while (end - at >= static_cast<std::ptrdiff_t>(lookahead)) {
            Match match = finder_.find(at, end);
            if (match.length == 0) {
                at += std::min(step / one_step, static_cast<std::size_t>(end - at));
                ++step;
                continue;
            }
            const std::byte* const found = at;
            while (at > literals && at - match.distance > begin &&
                   at[-1] == (at - match.distance)[-1]) {
                --at;
                ++match.length;
            }
            if (!sink.sequence(literals, static_cast<std::size_t>(at - literals), match)) {
                return false;
            }
            at += match.length;
            finder_.skip(found, at, end - lookahead);
            literals = at;
            step = one_step;
        }
        return sink.literals(literals, static_cast<std::size_t>(end - literals));
    }

private:
    const std::byte* begin_ = nullptr;
    Finder finder_;
};

// Splits input into literals and matches, looking one byte ahead before it takes a match.

/// Splits in[from, to), where `finder` has begun with `in`: calls sink.sequence(literals, count,
/// match), and at the end sink.literals(literals, count). False as soon as the sink says so.
/// search(position) finds the match to consider, within the limits of its format. A match yields to
/// a longer one that begins a byte later.
template <typename Sink, typename Search>
bool parse_lazily(Bytes in, std::size_t from, std::size_t to, MatchFinder& finder, Sink& sink,
                  Search search) noexcept {
    constexpr std::size_t long_enough = 32; // not worth another search
    std::size_t literals = from;
    std::size_t position = from;
    Match match = position < to ? search(position) : Match{};
    while (position < to) {
        finder.insert(position, position + 1);
        const bool may_yield = match.length != 0 && match.length < long_enough;
        const bool has_next = position + 1 < to;
        const Match later = may_yield && has_next ? search(position + 1) : Match{};
        if (match.length == 0 || later.length > match.length) {
            ++position;
            match = may_yield || !has_next ? later : search(position);
            continue;
        }
        if (!sink.sequence(in.data() + literals, position - literals, match)) {
            return false;
        }
        finder.insert(position + 1, position + match.length);
        position += match.length;
        literals = position;
        match = position < to ? search(position) : Match{};
    }
    return sink.literals(in.data() + literals, position - literals);
}

// Splits input into literals and matches in one forward pass that compares each match with the one
// a byte later.

/// Looks at three earlier places per position: one that promises a long match, and the two last
/// ones with the same three bytes or so.
template <typename Rules>
class ThreePlaceFinder {
public:
    static constexpr std::size_t min = Rules::min;

    void begin(Bytes in) noexcept {
        if (!numbers_.begin(in)) {
            long_.clear();
            last_.clear();
            last_but_one_.clear();
        }
    }

    /// A match of up to `lookahead` bytes. Shorter than `min`: none.
    Match look(const std::byte* at) noexcept {
        const std::uint32_t number = numbers_.of(at);
        const std::uint32_t last = last_.exchange(at, number);
        const Match third = match(at, number - last_but_one_.exchange(at, last));
        const Match second = match(at, number - last);
        const Match first = match(at, number - long_.exchange(at, number));
        const Match shorter = third.length > second.length ? third : second;
        // Of two equal matches the nearer one is taken, unless they may go on.
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
            if (found.length < Finder::min) {
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
