// Sums of tracks by bin. Private to analysis.
#pragma once

#include "analysis/key_numbers.hpp"
#include "analysis/tracks.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace etl::analysis {

/// Adds up what tracks did, in bins of 2^shift ticks. A state that fills several bins is one entry.
/// Not thread-safe.
class TrackSums {
public:
    /// At most `max_entries`; what is beyond them is dropped.
    TrackSums(unsigned shift, std::size_t max_entries) : shift_(shift), max_entries_(max_entries) {}

    unsigned shift() const noexcept { return shift_; }

    /// What happened at a time.
    void add(std::uint32_t track, std::uint32_t state, std::int64_t time, const TrackSum& sum) {
        if (TrackSum* const mine = find({what(track, state), time >> shift_})) {
            mine->add(sum);
        }
    }

    /// A state of a track. Its count is added in the bin of its last tick.
    void add_interval(std::uint32_t track, std::uint32_t state, const Interval& interval,
                      std::uint64_t count) {
        const std::int64_t last = interval.to > interval.from ? interval.to - 1 : interval.from;
        if (count != 0) {
            add(track, state, last, {.count = count});
        }
        add_ticks(what(track, state), interval, 1);
    }

    /// A piece over bins of 2^shift ticks, which are not longer than those of this object.
    void add(const TrackPiece& piece, unsigned shift);

    /// Doubles the length of the bins.
    void coarsen();

    /// In the order of TrackBins, the same whatever order they were added in.
    std::vector<TrackPiece> pieces() const;

    /// Amounts that were left out because of `max_entries`.
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    struct Key {
        std::uint64_t what = 0; // track and state
        std::int64_t bin = 0;

        bool operator==(const Key&) const = default;
    };

    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept {
            std::uint64_t hash = key.what * 0x9E3779B97F4A7C15U;
            hash =
                (hash ^ (hash >> 29U) ^ static_cast<std::uint64_t>(key.bin)) * 0xBF58476D1CE4E5B9U;
            return static_cast<std::size_t>(hash ^ (hash >> 32U));
        }
    };

    /// Full bins, several of them, that as many intervals fill as `times` says.
    struct Run {
        Key first;
        std::uint64_t bins = 0, times = 0;
    };

    static std::uint64_t what(std::uint32_t track, std::uint32_t state) noexcept {
        return std::uint64_t{track} << 32U | state;
    }

    /// Null: there are too many entries.
    TrackSum* find(const Key& key) {
        std::uint32_t number = keys_.find(key);
        if (number == keys_.none) {
            if (sums_.size() + runs_.size() >= max_entries_) {
                ++dropped_;
                return nullptr;
            }
            number = keys_.add(key);
            sums_.emplace_back();
        }
        return &sums_[number];
    }

    void add_ticks(std::uint64_t what, const Interval& interval, std::uint64_t times);

    unsigned shift_;
    std::size_t max_entries_;
    KeyNumbers<Key, KeyHash> keys_;
    std::vector<TrackSum> sums_; // by number
    std::vector<Run> runs_;
    std::uint64_t dropped_ = 0;
};

} // namespace etl::analysis
