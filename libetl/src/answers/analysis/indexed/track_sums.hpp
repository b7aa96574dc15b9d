// Sums of tracks by bin. Private to analysis.
#pragma once

#include "analysis/key_numbers.hpp"
#include "analysis/tracks.hpp"
#include "base/function_ref.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace etl::analysis {

/// Adds up what tracks did, in bins of 2^shift ticks. A state that fills several bins is one entry.
/// Events come in the order of time, so that an entry is nearly always the last one of its state;
/// others are joined from time to time. Not thread-safe.
class TrackSums {
public:
    /// At most `max_entries`; what is beyond them is dropped.
    TrackSums(unsigned shift, std::size_t max_entries) : shift_(shift), max_entries_(max_entries) {}

    unsigned shift() const noexcept { return shift_; }

    /// What happened at a time.
    void add(std::uint32_t track, std::uint32_t state, std::int64_t time, const TrackSum& sum) {
        add_to(state_of(track, state), time >> shift_, sum);
    }

    /// A state of a track. Its count is added in the bin of its last tick.
    void add_interval(std::uint32_t track, std::uint32_t state, const Interval& interval,
                      std::uint64_t count) {
        const std::int64_t last = interval.to > interval.from ? interval.to - 1 : interval.from;
        if (count != 0) {
            add(track, state, last, {.count = count});
        }
        add_ticks(state_of(track, state), interval, 1);
    }

    /// A piece over bins of 2^shift ticks, which are not longer than those of this object.
    void add(const TrackPiece& piece, unsigned shift);

    /// Doubles the length of the bins.
    void coarsen();

    /// In the order of TrackBins, the same whatever order they were added in.
    std::vector<TrackPiece> pieces() const;

    /// Shows the same, those of each state of a track by themselves.
    void show_states(FunctionRef<void(std::span<const TrackPiece>)> show) const;

    /// Amounts that were left out because of `max_entries`.
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    /// A bin, or several that as many intervals fill.
    struct Entry {
        std::int64_t bin = 0;
        std::uint64_t bins = 1;
        TrackSum each{};
    };

    using Entries = std::vector<Entry>;

    struct StateHash {
        std::size_t operator()(std::uint64_t what) const noexcept {
            return static_cast<std::size_t>(what * 0x9E3779B97F4A7C15U >> 32U);
        }
    };

    Entries& state_of(std::uint32_t track, std::uint32_t state) {
        const std::uint64_t what = std::uint64_t{track} << 32U | state;
        std::uint32_t number = states_.find(what);
        if (number == states_.none) {
            number = states_.add(what);
            entries_.emplace_back();
        }
        return entries_[number];
    }

    void add_to(Entries& state, std::int64_t bin, const TrackSum& sum) {
        if (!state.empty() && state.back().bin == bin && state.back().bins == 1) {
            state.back().each.add(sum);
        } else if (has_room()) {
            state.push_back({bin, 1, sum});
            ++count_;
        }
    }

    bool has_room() { return count_ < max_entries_ || make_room(); }

    bool make_room();
    void add_ticks(Entries& state, const Interval& interval, std::uint64_t times);
    static void join(Entries& state);

    unsigned shift_;
    std::size_t max_entries_;
    KeyNumbers<std::uint64_t, StateHash> states_; // by track and state
    std::vector<Entries> entries_;                // by number
    std::size_t count_ = 0;                       // of all
    bool is_full_ = false;
    std::uint64_t dropped_ = 0;
};

} // namespace etl::analysis
