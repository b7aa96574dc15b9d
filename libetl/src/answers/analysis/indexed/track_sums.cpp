#include "analysis/indexed/track_sums.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace etl::analysis {

void TrackSums::add_ticks(std::uint64_t what, const Interval& interval, std::uint64_t times) {
    if (interval.to <= interval.from) {
        return;
    }
    const auto add_to = [&](std::int64_t bin, std::uint64_t ticks) {
        if (TrackSum* const mine = ticks != 0 ? find({what, bin}) : nullptr) {
            mine->ticks += ticks * times;
        }
    };
    const std::int64_t first = interval.from >> shift_, last = (interval.to - 1) >> shift_;
    const std::uint64_t width = std::uint64_t{1} << shift_;
    const std::uint64_t before = unsigned_time(interval.from) & (width - 1);
    const std::uint64_t in_last = (unsigned_time(interval.to - 1) & (width - 1)) + 1;
    if (first == last) {
        add_to(first, in_last - before);
        return;
    }
    // Bins of which less than all is filled are entries of their own.
    const std::int64_t first_full = before == 0 ? first : first + 1;
    const std::int64_t end_full = in_last == width ? last + 1 : last;
    const std::uint64_t full = unsigned_time(end_full) - unsigned_time(first_full);
    if (before != 0) {
        add_to(first, width - before);
    }
    if (full == 1) {
        add_to(first_full, width);
    } else if (full > 1 && sums_.size() + runs_.size() < max_entries_) {
        runs_.push_back({{what, first_full}, full, times});
    } else if (full > 1) {
        ++dropped_;
    }
    if (in_last != width) {
        add_to(last, in_last);
    }
}

void TrackSums::add(const TrackPiece& piece, unsigned shift) {
    const std::uint64_t key = what(piece.track, piece.state);
    if (piece.bins == 1) {
        if (TrackSum* const mine = find({key, piece.bin >> (shift_ - shift)})) {
            mine->add(piece.each);
        }
        return;
    }
    const std::uint64_t from = unsigned_time(piece.bin) << shift;
    add_ticks(
        key,
        {static_cast<std::int64_t>(from), static_cast<std::int64_t>(from + (piece.bins << shift))},
        piece.each.ticks >> shift);
}

void TrackSums::coarsen() {
    const auto keys = std::exchange(keys_, {});
    const std::vector<TrackSum> sums = std::exchange(sums_, {});
    const std::vector<Run> runs = std::exchange(runs_, {});
    ++shift_;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (TrackSum* const mine = find({keys.keys()[i].what, keys.keys()[i].bin >> 1})) {
            mine->add(sums[i]);
        }
    }
    for (const Run& run : runs) {
        const std::uint64_t from = unsigned_time(run.first.bin) << (shift_ - 1);
        add_ticks(run.first.what,
                  {static_cast<std::int64_t>(from),
                   static_cast<std::int64_t>(from + (run.bins << (shift_ - 1)))},
                  run.times);
    }
}

namespace {

/// Whether a piece can have several bins.
bool is_full(const TrackPiece& piece, unsigned shift) noexcept {
    return piece.each.count == 0 && piece.each.bytes == 0 && piece.each.ticks != 0 &&
           (piece.each.ticks & ((std::uint64_t{1} << shift) - 1)) == 0;
}

std::uint64_t end_bin(const TrackPiece& piece) noexcept {
    return unsigned_time(piece.bin) + piece.bins;
}

/// Appends a piece that is later than those of its track and state.
void append(std::vector<TrackPiece>& to, const TrackPiece& piece, unsigned shift) {
    const bool follows = !to.empty() && to.back().track == piece.track &&
                         to.back().state == piece.state &&
                         end_bin(to.back()) == unsigned_time(piece.bin) &&
                         to.back().each == piece.each && is_full(piece, shift);
    if (follows) {
        to.back().bins += piece.bins;
    } else {
        to.push_back(piece);
    }
}

/// Appends pieces that overlap: what several of them add to the same bin is one sum.
void append_overlapping(std::vector<TrackPiece>& to, const std::vector<TrackPiece>& pieces,
                        unsigned shift) {
    std::map<std::int64_t, std::pair<TrackSum, TrackSum>> edges; // begin there, end there
    for (const TrackPiece& piece : pieces) {
        edges[piece.bin].first.add(piece.each);
        edges[static_cast<std::int64_t>(end_bin(piece))].second.add(piece.each);
    }
    TrackPiece piece = pieces.front();
    piece.each = {};
    for (auto edge = edges.begin(); std::next(edge) != edges.end(); ++edge) {
        const auto& [begins, ends] = edge->second;
        piece.each.add(begins);
        piece.each.ticks -= ends.ticks;
        piece.each.count -= ends.count;
        piece.each.bytes -= ends.bytes;
        piece.bin = edge->first;
        piece.bins = unsigned_time(std::next(edge)->first) - unsigned_time(edge->first);
        if (piece.each != TrackSum{}) {
            append(to, piece, shift);
        }
    }
}

/// Appends the pieces of one state of a track.
void append_state(std::vector<TrackPiece>& to, std::vector<TrackPiece>& pieces, unsigned shift) {
    if (!std::ranges::is_sorted(pieces, {}, &TrackPiece::bin)) {
        std::ranges::sort(pieces, {}, &TrackPiece::bin);
    }
    const auto overlaps = [](const TrackPiece& one, const TrackPiece& next) {
        return end_bin(one) > unsigned_time(next.bin);
    };
    if (std::ranges::adjacent_find(pieces, overlaps) != pieces.end()) {
        append_overlapping(to, pieces, shift);
        return;
    }
    for (const TrackPiece& piece : pieces) {
        append(to, piece, shift);
    }
}

} // namespace

std::vector<TrackPiece> TrackSums::pieces() const {
    struct StateHash {
        std::size_t operator()(std::uint64_t what) const noexcept {
            return static_cast<std::size_t>(what * 0x9E3779B97F4A7C15U >> 32U);
        }
    };

    KeyNumbers<std::uint64_t, StateHash> states;
    std::vector<std::vector<TrackPiece>> by_state; // by number
    const auto add_piece = [&](const Key& key, std::uint64_t bins, const TrackSum& each) {
        std::uint32_t number = states.find(key.what);
        if (number == states.none) {
            number = states.add(key.what);
            by_state.emplace_back();
        }
        by_state[number].push_back({.track = static_cast<std::uint32_t>(key.what >> 32U),
                                    .state = static_cast<std::uint32_t>(key.what),
                                    .bin = key.bin,
                                    .bins = bins,
                                    .each = each});
    };
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        add_piece(keys_.keys()[i], 1, sums_[i]);
    }
    for (const Run& run : runs_) {
        add_piece(run.first, run.bins, {.ticks = run.times << shift_});
    }
    std::vector<std::uint32_t> order(by_state.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t number) { return states.keys()[number]; });
    std::vector<TrackPiece> all;
    for (const std::uint32_t number : order) {
        append_state(all, by_state[number], shift_);
    }
    return all;
}

} // namespace etl::analysis
