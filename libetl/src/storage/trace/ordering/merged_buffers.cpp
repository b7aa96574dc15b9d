#include "trace/ordering/merged_buffers.hpp"

#include <algorithm>

namespace etl::trace {

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
