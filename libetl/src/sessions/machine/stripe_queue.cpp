#include "machine/stripe_queue.hpp"

#include "base/layout.hpp"
#include "flow/merge_order.hpp"
#include "format/records.hpp"

#include <algorithm>

namespace etl::machine {

namespace {

/// Kept from one turn to the next.
constexpr std::size_t max_kept = std::size_t{256} << 10U;

/// The timestamp that the producer stored, or 0.
std::int64_t time_in(Bytes record) noexcept {
    constexpr auto field = format::event_record::time_stamp;
    return has_range(record, field.offset, sizeof(std::int64_t))
               ? load_le<std::int64_t>(record.data() + field.offset)
               : 0;
}

} // namespace

void StripeQueue::begin(std::int64_t now) noexcept {
    drop_written();
    if (bytes_.capacity() > max_kept && bytes_.empty()) {
        bytes_ = {};
        records_ = {};
    }
    now_ = now;
    is_complete_ = is_final_;
    if (is_final_) {
        floor_ = std::max(floor_, now);
    } else {
        reader_.begin();
    }
}

link::RingLook StripeQueue::take(link::Unfinished unfinished, std::size_t max,
                                 FunctionRef<std::int64_t()> clock) {
    drop_written();
    const std::size_t before = records_.size();
    const link::RingCopies copies{.to = &bytes_, .max = max};
    link::RingLook look = reader_.look(unfinished, copies, [&](const link::RingRecord& record) {
        std::int64_t own = time_in(record.bytes);
        own = own > now_ ? std::min(own, clock()) : own;
        const std::int64_t last = records_.size() == next_ ? floor_ : records_.back().time;
        const std::int64_t time = std::max(own, std::max(floor_, last));
        records_.push_back(
            {.time = time,
             .late_by = record.is_late ? std::max<std::int64_t>(time - own, 0) : 0,
             .registration = record.head.registration,
             .offset = static_cast<std::uint32_t>(bytes_.size() - record.bytes.size()),
             .size = static_cast<std::uint32_t>(record.bytes.size())});
    });
    has_progressed_ = records_.size() != before;
    is_complete_ = look.is_complete;
    is_final_ = is_complete_ && unfinished == link::Unfinished::forget;
    if (is_complete_) {
        floor_ = std::max(floor_, now_);
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
                   FunctionRef<void(std::size_t, const QueuedRecord&)> write) {
    std::int64_t floor = now;
    flow::MergeOrder<StripeQueue*> order;
    for (std::size_t i = 0; i < queues.size(); ++i) {
        floor = std::min(floor, queues[i]->floor());
        if (!queues[i]->is_empty()) {
            order.add({queues[i]->front().time, i, queues[i]});
        }
    }
    while (!order.empty() && order.first().time <= floor) {
        const auto [time, number, queue] = order.first();
        const std::int64_t limit = std::min(order.limit(), floor);
        do { // NOLINT(cppcoreguidelines-avoid-do-while): a run of one queue
            write(static_cast<std::size_t>(number), queue->front());
            queue->pop();
        } while (!queue->is_empty() && queue->front().time <= limit);
        if (queue->is_empty()) {
            order.remove_first();
        } else {
            order.replace_first({queue->front().time, number, queue});
        }
    }
    return floor;
}

} // namespace etl::machine
