// Who comes next: the one order of every merge, of a trace's buffers, of several traces, of the
// processors of a live session. docs/architecture.md#merging. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace etl::flow {

/// Sequences of events, each in the order of time, by the time of their next event, then by rank.
/// `What` is the caller's word for a sequence: small, copied as entries move.
///
/// A heap: each run moves one entry by the logarithm of their number, of thousands of traces too.
/// Inline: it is asked several times for each run.
template <class What>
class MergeOrder {
public:
    struct Entry {
        std::int64_t time;  // of the next event, in one unit for all
        std::uint64_t rank; // of equal times the lowest comes first; unique
        What what;

        bool before(const Entry& other) const noexcept {
            return time != other.time ? time < other.time : rank < other.rank;
        }
    };

    bool empty() const noexcept { return heap_.empty(); }

    std::size_t size() const noexcept { return heap_.size(); }

    /// Not when empty().
    const Entry& first() const noexcept { return heap_.front(); }

    /// What would come first without the first; null: nothing.
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

    /// The latest time at which an event of the first comes before all others. Not when empty().
    std::int64_t limit() const noexcept {
        const Entry* const rival = second();
        if (rival == nullptr) {
            return std::numeric_limits<std::int64_t>::max();
        }
        // A rival of a lower rank is later than the first, so there is a time before its own.
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

    /// The first is this now: the same sequence further on, or what comes after it. Not when
    /// empty().
    void replace_first(const Entry& entry) noexcept { sink(entry); }

    /// Not when empty().
    void remove_first() noexcept {
        const Entry last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) {
            sink(last);
        }
    }

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
