#include "trace/reading/merge.hpp"

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
    order_.add(
        {events.front().raw_time, rank, {events.data(), events.data() + events.size(), slot}});
    return slot;
}

flow::Run Merge::next() noexcept {
    const auto [time, rank, rest] = order_.first();
    const flow::Event* end = rest.end;
    if (order_.size() > 1) {
        const std::int64_t limit = order_.limit();
        end = rest.at + 1;
        while (end != rest.end && end->raw_time <= limit) {
            ++end;
        }
    }
    slot_ended_ = end == rest.end;
    if (slot_ended_) {
        order_.remove_first();
        free_slots_.push_back(rest.slot);
    } else {
        order_.replace_first({end->raw_time, rank, {end, rest.end, rest.slot}});
    }
    return {rest.at, end};
}

} // namespace etl::trace
