#include "analysis/indexed/track_sums.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace etl::analysis {

/// Joins entries of the same bins. False: too many are left.
bool TrackSums::make_room() {
    if (!is_full_) {
        count_ = 0;
        for (Entries& state : entries_) {
            join(state);
            count_ += state.size();
        }
        is_full_ = count_ > max_entries_ - max_entries_ / 4; // else it would be joined too often
    }
    dropped_ += count_ < max_entries_ ? 0 : 1;
    return count_ < max_entries_;
}

void TrackSums::join(Entries& state) {
    if (!std::ranges::is_sorted(state, {}, &Entry::bin)) {
        std::ranges::stable_sort(state, {}, &Entry::bin);
    }
    std::size_t size = 0;
    for (const Entry& entry : state) {
        const bool is_same = size != 0 && entry.bins == 1 && state[size - 1].bins == 1 &&
                             state[size - 1].bin == entry.bin;
        if (is_same) {
            state[size - 1].each.add(entry.each);
        } else {
            state[size++] = entry;
        }
    }
    state.resize(size);
}

void TrackSums::add_ticks(Entries& state, const Interval& interval, std::uint64_t times) {
    if (interval.to <= interval.from) {
        return;
    }
    const auto add_part = [&](std::int64_t bin, std::uint64_t ticks) {
        if (ticks != 0) {
            add_to(state, bin, {.ticks = ticks * times});
        }
    };
    const std::int64_t first = interval.from >> shift_, last = (interval.to - 1) >> shift_;
    const std::uint64_t width = std::uint64_t{1} << shift_;
    const std::uint64_t before = unsigned_time(interval.from) & (width - 1);
    const std::uint64_t in_last = (unsigned_time(interval.to - 1) & (width - 1)) + 1;
    if (first == last) {
        add_part(first, in_last - before);
        return;
    }
    // Bins of which less than all is filled are entries of their own.
    const std::int64_t first_full = before == 0 ? first : first + 1;
    const std::int64_t end_full = in_last == width ? last + 1 : last;
    const std::uint64_t full = unsigned_time(end_full) - unsigned_time(first_full);
    add_part(first, before == 0 ? 0 : width - before);
    if (full == 1) {
        add_part(first_full, width);
    } else if (full > 1 && has_room()) {
        state.push_back({first_full, full, {.ticks = width * times}});
        ++count_;
    }
    add_part(last, in_last == width ? 0 : in_last);
}

namespace {

/// The bins of entries as an interval of time.
Interval time_of(std::int64_t bin, std::uint64_t bins, unsigned shift) noexcept {
    const std::uint64_t from = unsigned_time(bin) << shift;
    return {static_cast<std::int64_t>(from), static_cast<std::int64_t>(from + (bins << shift))};
}

} // namespace

void TrackSums::add(const TrackPiece& piece, unsigned shift) {
    Entries& state = state_of(piece.track, piece.state);
    if (piece.bins == 1) {
        add_to(state, piece.bin >> (shift_ - shift), piece.each);
    } else {
        add_ticks(state, time_of(piece.bin, piece.bins, shift), piece.each.ticks >> shift);
    }
}

void TrackSums::coarsen() {
    ++shift_;
    Entries before; // of one state after the other, so that its memory is used again
    for (Entries& state : entries_) {
        before.assign(state.begin(), state.end());
        state.clear();
        count_ -= before.size();
        for (const Entry& entry : before) {
            if (entry.bins == 1) {
                add_to(state, entry.bin >> 1, entry.each);
            } else {
                add_ticks(state, time_of(entry.bin, entry.bins, shift_ - 1),
                          entry.each.ticks >> (shift_ - 1));
            }
        }
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

/// Appends the pieces of one state of a track, which are sorted.
void append_state(std::vector<TrackPiece>& to, const std::vector<TrackPiece>& pieces,
                  unsigned shift) {
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
    std::vector<TrackPiece> all;
    all.reserve(count_);
    show_states([&](std::span<const TrackPiece> state) {
        all.insert(all.end(), state.begin(), state.end());
    });
    return all;
}

void TrackSums::show_states(FunctionRef<void(std::span<const TrackPiece>)> show) const {
    std::vector<std::uint32_t> order(entries_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t number) { return states_.keys()[number]; });
    std::vector<TrackPiece> entries, pieces;
    Entries state;
    for (const std::uint32_t number : order) {
        const std::uint64_t what = states_.keys()[number];
        state = entries_[number];
        join(state);
        entries.clear();
        for (const auto& [bin, bins, each] : state) {
            entries.push_back({.track = static_cast<std::uint32_t>(what >> 32U),
                               .state = static_cast<std::uint32_t>(what),
                               .bin = bin,
                               .bins = bins,
                               .each = each});
        }
        pieces.clear();
        append_state(pieces, entries, shift_);
        if (!pieces.empty()) {
            show(pieces);
        }
    }
}

} // namespace etl::analysis
