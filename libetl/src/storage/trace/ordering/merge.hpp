// The k-way merge of buffers in the order of time: the chains that they come from, the merge over
// runs of events, and the buffers that are open in it. One thread.
#pragma once

#include "flow/merge_order.hpp"
#include "flow/source.hpp"
#include "trace/loading/chain_loading.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace etl::trace {

/// Buffers that follow each other, on their way into the order of time.
struct Chain {
    BufferStream stream;                   // until it begins
    std::unique_ptr<BufferChain> loader{}; // from then on, up to its end; tasks point at it
    BufferPointer waiting{};               // loaded, not yet open
    std::uint64_t rank = 0;                // of the next buffer
    bool has_begun = false;
    std::uint32_t open_count = 0;     // buffers that are being merged
    std::int64_t last_time = no_time; // of the last event of the last opened buffer
};

/// Loads the buffer that waits next, if there is one. Its first events without a time have that of
/// the last opened buffer.
inline void load_waiting(Chain& chain, ChainLoading& loading, TraceFindings& findings) {
    chain.waiting = loading.next(chain.loader, findings);
    if (chain.waiting) {
        chain.waiting->restamp(chain.last_time);
    }
}

/// A buffer that is being merged, of the chain with this number.
struct OpenBuffer {
    BufferPointer buffer; // null: none
    flow::Run rest;       // events of it that have not been returned
    std::uint64_t rank = 0;
    std::uint32_t chain = 0;
};

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

// The buffers that the merge reads from, each kept while it has events to give.

/// One thread.
class MergedBuffers {
public:
    using Slot = Merge::Slot;

    bool empty() const noexcept { return merge_.empty(); }

    std::size_t count() const noexcept { return count_; }

    /// What the buffers take besides the file.
    std::uint64_t memory() const noexcept { return memory_; }

    /// The slot that the next run comes from. Not when empty().
    Slot next_slot() const noexcept { return merge_.winner(); }

    /// Puts a buffer into play; of equal times the lower rank comes first.
    Slot add(OpenBuffer buffer);

    /// All that is in play; then nothing is.
    std::vector<OpenBuffer> take_all();

    /// Not when empty().
    flow::Run next_run() {
        current_ = merge_.winner();
        const flow::Run run = merge_.next();
        if (merge_.slot_ended()) [[unlikely]] {
            leave(current_);
        }
        return run;
    }

    /// The chain of the buffer whose last event was in the last run, once.
    std::optional<std::uint32_t> take_ended() noexcept {
        return std::exchange(ended_, std::nullopt);
    }

    /// Keeps the events of the last run.
    const BufferPointer& current() const noexcept;

    /// The events of the last run are not needed any more.
    void let_go() noexcept { finished_ = nullptr; }

private:
    struct Contender {
        BufferPointer buffer;
        std::uint32_t chain = 0;
    };

    void leave(Slot slot);

    Merge merge_;
    std::vector<Contender> by_slot_;
    std::size_t count_ = 0;
    std::uint64_t memory_ = 0;
    Slot current_ = std::numeric_limits<Slot>::max(); // what the last run came from,
    BufferPointer finished_;                          // or this, when it was its last
    std::optional<std::uint32_t> ended_;
};

} // namespace etl::trace
