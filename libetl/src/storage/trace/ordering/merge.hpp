// The k-way merge over the buffers that are open, giving runs of events in the order of time, then
// of rank. One thread.
#pragma once

#include "flow/merge_order.hpp"
#include "flow/source.hpp"

#include <cstdint>
#include <vector>

namespace etl::trace {

/// Several arrays of events, each in the order of time, as one sequence of runs.
class Merge {
public:
    using Slot = std::uint32_t;

    /// Puts events, at least one, into play; of equal times the lower rank comes first. The events
    /// outlive their stay.
    Slot add(flow::Run events, std::uint64_t rank);

    /// Nothing is in play.
    bool empty() const noexcept { return order_.empty(); }

    /// The slot that the next run comes from. Not when empty().
    Slot winner() const noexcept { return order_.first().what; }

    /// The longest run that may be given now. A slot that is exhausted by it leaves the game.
    flow::Run next() noexcept;

    /// Calls `visit` with each slot, and what is left of its events; nothing is in play then.
    template <typename Visit>
    void take_all(const Visit& visit) {
        for (const auto& [time, rank, slot] : order_.entries()) {
            visit(slot, rests_[slot], rank);
            free_slots_.push_back(slot);
        }
        order_.clear();
    }

    /// The slot of the last run has no more events.
    bool slot_ended() const noexcept { return slot_ended_; }

private:
    flow::MergeOrder<Slot> order_;
    std::vector<flow::Run> rests_; // by slot
    std::vector<Slot> free_slots_;
    Slot slots_ = 0;
    bool slot_ended_ = false;
};

} // namespace etl::trace
