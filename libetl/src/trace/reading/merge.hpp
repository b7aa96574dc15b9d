// The k-way merge over the buffers that are open, giving runs of events in the order of time, then
// of rank. One thread.
#pragma once

#include <etl/flow/source.hpp>

#include <cstdint>
#include <vector>

namespace etl::trace {

/// Several arrays of events, each in the order of time, as one sequence of runs.
///
/// The contenders stand in a sorted list, not in a heap: the runner-up, whose time bounds the next
/// run, is then simply the second, and a contender moves back by the few places that others are
/// busier than its own processor.
class Merge {
public:
    using Slot = std::uint32_t;

    /// Puts events, at least one, into play; of equal times the lower rank comes first. The events
    /// outlive their stay.
    Slot add(flow::Run events, std::uint64_t rank);

    /// Nothing is in play.
    bool empty() const noexcept { return contenders_.empty(); }

    /// The slot that the next run comes from. Not when empty().
    Slot winner() const noexcept { return contenders_.front().slot; }

    /// The longest run that may be given now. A slot that is exhausted by it leaves the game.
    flow::Run next() noexcept;

    /// The slot of the last run has no more events.
    bool slot_ended() const noexcept { return slot_ended_; }

private:
    struct Contender {
        std::int64_t time; // of its next event
        std::uint64_t rank;
        const flow::Event* at;
        const flow::Event* end;
        Slot slot;

        bool before(const Contender& other) const noexcept {
            return time != other.time ? time < other.time : rank < other.rank;
        }
    };

    std::vector<Contender> contenders_; // the next one first
    std::vector<Slot> free_slots_;
    Slot slots_ = 0;
    bool slot_ended_ = false;
};

} // namespace etl::trace
