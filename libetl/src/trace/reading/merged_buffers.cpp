#include "trace/reading/merged_buffers.hpp"

#include <algorithm>

namespace etl::trace {

MergedBuffers::Slot MergedBuffers::add(BufferPointer buffer, std::uint64_t rank,
                                       std::uint32_t chain) {
    const Slot slot = merge_.add(buffer->events.view(), rank);
    by_slot_.resize(std::max<std::size_t>(by_slot_.size(), slot + 1UL));
    memory_ += buffer->memory();
    ++count_;
    by_slot_[slot] = {std::move(buffer), chain};
    return slot;
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
