// Who comes next: the inputs by the time of their next event, then by their place. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace etl::merge {

/// A heap: of thousands of inputs that overlap, each run moves one by the logarithm of their
/// number. Inline: it is asked twice for each run.
class Queue {
public:
    struct Entry {
        std::int64_t time;
        std::uint32_t lane;

        bool before(const Entry& other) const noexcept {
            return time != other.time ? time < other.time : lane < other.lane;
        }
    };

    bool empty() const noexcept { return heap_.empty(); }

    /// Not when empty().
    const Entry& first() const noexcept { return heap_.front(); }

    /// The time of the second, if there is one.
    std::optional<std::int64_t> second_time() const noexcept {
        switch (heap_.size()) {
        case 0:
        case 1:
            return std::nullopt;
        case 2:
            return heap_[1].time;
        default:
            return heap_[1].time < heap_[2].time ? heap_[1].time : heap_[2].time;
        }
    }

    void add(Entry entry) {
        std::size_t at = heap_.size();
        heap_.push_back(entry);
        while (at > 0 && entry.before(heap_[(at - 1) / 2])) {
            heap_[at] = heap_[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap_[at] = entry;
    }

    /// The first has another time now.
    void move_first(std::int64_t time) noexcept { sink({time, heap_.front().lane}); }

    void remove_first() noexcept {
        const Entry last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) {
            sink(last);
        }
    }

private:
    void sink(Entry entry) noexcept {
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

} // namespace etl::merge
