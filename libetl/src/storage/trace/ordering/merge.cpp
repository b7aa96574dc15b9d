#include "trace/ordering/merge.hpp"

#include "base/prefetch.hpp"

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

} // namespace etl::trace
