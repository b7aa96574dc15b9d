#include "trace/ordering/merge.hpp"

#include "base/prefetch.hpp"

#include <algorithm>

namespace etl::trace {

Merge::Slot Merge::add(flow::Run events, std::uint64_t rank) {
    Slot slot = slots_;
    if (free_slots_.empty()) {
        ++slots_;
        free_slots_.reserve(slots_); // so that next() need not allocate
    } else {
        slot = free_slots_.back();
        free_slots_.pop_back();
    }
    rests_.resize(slots_);
    rests_[slot] = events;
    order_.add({events.front().raw_time, rank, slot});
    return slot;
}

flow::Run Merge::next() noexcept {
    const auto [time, rank, slot] = order_.first();
    flow::Run& rest = rests_[slot];
    const flow::Event* const begin = rest.data();
    const flow::Event* const limit_of_rest = begin + rest.size();
    const flow::Event* end = limit_of_rest;
    if (order_.size() > 1) {
        const std::int64_t limit = order_.limit();
        end = begin + 1;
        while (end != limit_of_rest && end->raw_time <= limit) {
            ++end;
        }
    }
    // Of many arrays, each is read on rarely; processors foresee only a few that are read in turn.
    prefetch(end, 8 * sizeof(flow::Event));
    slot_ended_ = end == limit_of_rest;
    if (slot_ended_) {
        order_.remove_first();
        free_slots_.push_back(slot);
    } else {
        rest = {end, limit_of_rest};
        order_.replace_first({end->raw_time, rank, slot});
    }
    return {begin, end};
}

MergedBuffers::Slot MergedBuffers::add(OpenBuffer open) {
    const Slot slot = merge_.add(open.rest, open.rank);
    by_slot_.resize(std::max<std::size_t>(by_slot_.size(), slot + 1UL));
    memory_ += open.buffer->memory();
    ++count_;
    by_slot_[slot] = {std::move(open.buffer), open.chain};
    return slot;
}

std::vector<OpenBuffer> MergedBuffers::take_all() {
    std::vector<OpenBuffer> all;
    merge_.take_all([&](Slot slot, flow::Run rest, std::uint64_t rank) {
        Contender& gone = by_slot_[slot];
        all.push_back({std::move(gone.buffer), rest, rank, gone.chain});
    });
    memory_ = 0;
    count_ = 0;
    return all;
}

/// The buffer in this slot has given its last event.
void MergedBuffers::leave(Slot slot) {
    Contender& gone = by_slot_[slot];
    ended_ = gone.chain;
    memory_ -= gone.buffer->memory();
    --count_;
    finished_ = std::move(gone.buffer);
}

const BufferPointer& MergedBuffers::current() const noexcept {
    const bool in_play = current_ < by_slot_.size() && by_slot_[current_].buffer;
    return in_play ? by_slot_[current_].buffer : finished_;
}

} // namespace etl::trace
