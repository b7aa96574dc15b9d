#include "machine/stripe_queue.hpp"

#include <etl/base/layout.hpp>
#include <etl/format/records.hpp>

#include <algorithm>

namespace etl::machine {

namespace {

/// The timestamp that the producer stored, or 0.
std::int64_t time_in(Bytes record) noexcept {
    constexpr auto field = format::event_record::time_stamp;
    return has_range(record, field.offset, sizeof(std::int64_t))
               ? load_le<std::int64_t>(record.data() + field.offset)
               : 0;
}

} // namespace

link::RingLook StripeQueue::take(link::Unfinished unfinished, std::int64_t now,
                                 FunctionRef<std::int64_t()> clock) {
    drop_written();
    if (is_final_) {
        floor_ = std::max(floor_, now);
        return {};
    }
    is_final_ = unfinished == link::Unfinished::forget;
    const std::size_t before = records_.size();
    link::RingLook look = reader_.look(unfinished, [&](const link::RingRecord& record) {
        std::int64_t own = time_in(record.bytes);
        own = own > now ? std::min(own, clock()) : own;
        const std::int64_t last = records_.size() == next_ ? floor_ : records_.back().time;
        const std::int64_t time = std::max(own, std::max(floor_, last));
        records_.push_back({.time = time,
                            .late_by = record.is_late ? std::max<std::int64_t>(time - own, 0) : 0,
                            .registration = record.head.registration,
                            .offset = static_cast<std::uint32_t>(bytes_.size()),
                            .size = static_cast<std::uint32_t>(record.bytes.size())});
        bytes_.insert(bytes_.end(), record.bytes.begin(), record.bytes.end());
    });
    has_progressed_ = records_.size() != before;
    if (look.is_complete) {
        floor_ = std::max(floor_, now);
    } else if (has_progressed_) {
        floor_ = std::max(floor_, records_.back().time);
    }
    return look;
}

void StripeQueue::drop_written() noexcept {
    if (next_ == 0) {
        return;
    }
    const std::uint32_t bytes =
        is_empty() ? static_cast<std::uint32_t>(bytes_.size()) : front().offset;
    bytes_.erase(bytes_.begin(), bytes_.begin() + bytes);
    records_.erase(records_.begin(), records_.begin() + static_cast<std::ptrdiff_t>(next_));
    for (QueuedRecord& record : records_) {
        record.offset -= bytes;
    }
    next_ = 0;
}

std::int64_t merge(std::span<StripeQueue* const> queues, std::int64_t now,
                   FunctionRef<void(StripeQueue&, const QueuedRecord&)> write) {
    std::int64_t floor = now;
    std::vector<StripeQueue*> heap;
    for (StripeQueue* queue : queues) {
        floor = std::min(floor, queue->floor());
        if (!queue->is_empty()) {
            heap.push_back(queue);
        }
    }
    const auto is_later = [](const StripeQueue* a, const StripeQueue* b) {
        return a->front().time > b->front().time;
    };
    std::ranges::make_heap(heap, is_later);
    while (!heap.empty() && heap.front()->front().time <= floor) {
        std::ranges::pop_heap(heap, is_later);
        StripeQueue& queue = *heap.back();
        const std::int64_t next = heap.size() == 1 ? floor : heap.front()->front().time;
        do { // NOLINT(cppcoreguidelines-avoid-do-while): a run of one queue
            write(queue, queue.front());
            queue.pop();
        } while (!queue.is_empty() && queue.front().time <= std::min(next, floor));
        if (queue.is_empty()) {
            heap.pop_back();
        } else {
            std::ranges::push_heap(heap, is_later);
        }
    }
    return floor;
}

} // namespace etl::machine
