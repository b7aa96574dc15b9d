// The k-way merge: a tournament over the buffers that are open, giving runs of events in the order
// of time, then of rank. One thread.
#pragma once

#include <etl/flow/source.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace etl::trace {

/// Several arrays of events, each in the order of time, as one sequence of runs.
class Merge {
public:
    using Slot = std::uint32_t;

    /// Puts events into play; of equal times the lower rank comes first. The events outlive their
    /// stay.
    Slot add(flow::Run events, std::uint64_t rank);

    /// Nothing is in play.
    bool empty() const noexcept { return playing_ == 0; }

    /// The slot that the next run comes from. Not when empty().
    Slot winner() const noexcept { return nodes_[0].slot; }

    /// The longest run that may be given now. A slot that is exhausted by it leaves the game.
    flow::Run next() noexcept;

    /// The slot of the last run has no more events.
    bool slot_ended() const noexcept { return slot_ended_; }

private:
    // A contender: the slot, and the key of its next event.
    struct Node {
        std::int64_t time;
        std::uint64_t rank;
        Slot slot;

        bool before(const Node& other) const noexcept {
            return static_cast<bool>(
                static_cast<int>(time < other.time) |
                (static_cast<int>(time == other.time) & static_cast<int>(rank < other.rank)));
        }
    };

    static constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::max();
    static constexpr std::uint64_t no_rank = std::numeric_limits<std::uint64_t>::max();

    void rebuild();
    void replay(Node contender) noexcept;
    Node runner_up() const noexcept;

    struct Entry {
        flow::Run rest;
        std::uint64_t rank = no_rank;
    };

    std::vector<Entry> slots_;
    std::vector<Node> nodes_{
        Node{no_time, no_rank, 0}}; // 0: the winner; 1..: losers of the matches
    std::size_t leaves_ = 1;        // a power of two, at least the number of slots
    std::size_t playing_ = 0;
    bool slot_ended_ = false;
};

} // namespace etl::trace
