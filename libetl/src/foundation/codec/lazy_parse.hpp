// Splits input into literals and matches, looking one byte ahead before it takes a match.
#pragma once

#include "codec/match_finder.hpp"

namespace etl::codec {

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

} // namespace etl::codec
