// The buffers that the merge reads from, each kept while it has events to give.
#pragma once

#include "trace/ordering/chain.hpp"
#include "trace/ordering/merge.hpp"

#include <limits>
#include <optional>
#include <utility>

namespace etl::trace {

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
