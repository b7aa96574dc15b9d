#include "relog/waiting_drafts.hpp"

#include <algorithm>
#include <functional>

namespace etl::relog {

bool is_later(const flow::Event& event, const flow::Event& than) noexcept {
    const bool same_trace = event.buffer->trace == than.buffer->trace;
    return same_trace ? event.raw_time > than.raw_time : event.time() > than.time();
}

std::uint32_t WaitingDrafts::free_draft() {
    if (free_.empty()) {
        drafts_.push_back(std::make_unique<Draft>());
        return static_cast<std::uint32_t>(drafts_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    free_bytes_ -= drafts_[index]->record.capacity();
    return index;
}

void WaitingDrafts::add(const flow::Event& event) {
    const std::uint32_t index = free_draft();
    Draft& draft = *drafts_[index];
    const Bytes bytes = event.bytes();
    draft.record.assign(bytes.begin(), bytes.end());
    draft.buffer = *event.buffer;
    draft.buffer.bytes = draft.record;
    draft.event = event;
    draft.event.record = draft.record.data();
    draft.event.buffer = &draft.buffer;
    bytes_ += sizeof(Draft) + draft.record.capacity();
    heap_.push_back({.wall = event.time().ticks,
                     .file = event.trace().file,
                     .raw = event.raw_time,
                     .order = order_++,
                     .draft = index});
    std::ranges::push_heap(heap_, std::greater());
}

void WaitingDrafts::pop() {
    constexpr std::size_t kept = 1U << 20U; // of memory for records to come
    std::ranges::pop_heap(heap_, std::greater());
    const std::uint32_t index = heap_.back().draft;
    heap_.pop_back();
    Draft& draft = *drafts_[index];
    bytes_ -= sizeof(Draft) + draft.record.capacity();
    if (free_bytes_ + draft.record.capacity() > kept) {
        draft.record = {};
    }
    free_bytes_ += draft.record.capacity();
    free_.push_back(index);
}

} // namespace etl::relog
