// The order used by every merge: of a trace's buffers, of several traces, and of the processors of
// a live session. docs/architecture.md#merging. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace etl::flow {

/// Sequences of events, each in time order, sorted by the time of their next event, then by rank.
/// `What` identifies a sequence to the caller; it should be small, because entries are copied.
///
/// A heap: each run costs the logarithm of the number of sequences. Inline because it is used
/// several times per run.
template <class What>
class MergeOrder {
public:
    struct Entry {
        std::int64_t time;  // time of the next event, in the same unit for all
        std::uint64_t rank; // at equal times the lowest comes first; unique
        What what;

        bool before(const Entry& other) const noexcept {
            return time != other.time ? time < other.time : rank < other.rank;
        }
    };

    bool empty() const noexcept { return heap_.empty(); }

    std::size_t size() const noexcept { return heap_.size(); }

    /// Requires !empty().
    const Entry& first() const noexcept { return heap_.front(); }

    /// Returns the entry that follows the first; null if there is none.
    const Entry* second() const noexcept {
        switch (heap_.size()) {
        case 0:
        case 1:
            return nullptr;
        case 2:
            return &heap_[1];
        default:
            return &heap_[heap_[1].before(heap_[2]) ? 1 : 2];
        }
    }

    /// Returns the latest time at which an event of the first sequence precedes all others.
    /// Requires !empty().
    std::int64_t limit() const noexcept {
        const Entry* const rival = second();
        if (rival == nullptr) {
            return std::numeric_limits<std::int64_t>::max();
        }
        // A rival of lower rank is later than the first, so rival->time - 1 exists.
        return first().rank < rival->rank ? rival->time : rival->time - 1;
    }

    void add(const Entry& entry) {
        std::size_t at = heap_.size();
        heap_.push_back(entry);
        while (at > 0 && entry.before(heap_[(at - 1) / 2])) {
            heap_[at] = heap_[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap_[at] = entry;
    }

    /// Replaces the first entry: the same sequence further on, or another one. Requires !empty().
    void replace_first(const Entry& entry) noexcept { sink(entry); }

    /// Requires !empty().
    void remove_first() noexcept {
        const Entry last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) {
            sink(last);
        }
    }

    /// All, in no particular order.
    std::span<const Entry> entries() const noexcept { return heap_; }

    void clear() noexcept { heap_.clear(); }

private:
    void sink(const Entry entry) noexcept {
        const std::size_t count = heap_.size();
        std::size_t at = 0;
        for (std::size_t child = 1; child < count; child = 2 * at + 1) {
            if (child + 1 < count && heap_[child + 1].before(heap_[child])) {
                ++child;
            }
            if (!heap_[child].before(entry)) {
                break;
            }
            heap_[at] = heap_[child];
            at = child;
        }
        heap_[at] = entry;
    }

    std::vector<Entry> heap_;
};

} // namespace etl::flow
