#include "analysis/kept_events.hpp"

#include "analysis/limits.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

constexpr std::size_t block_size = 1U << 18U; // several records of the largest size

} // namespace

void KeptEvents::add(const flow::Event& event) {
    if (bytes_ + event.size > limits::analysis_fact_bytes || event.size > block_size) {
        ++dropped_;
        return;
    }
    if (event.size > left_) {
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(block_size));
        at_ = blocks_.back().get();
        left_ = block_size;
    }
    bytes_ += event.size;
    std::copy_n(event.record, event.size, at_);
    const auto known =
        std::ranges::find(buffers_, event.buffer->processor, &flow::BufferContext::processor);
    if (known == buffers_.end()) {
        buffers_.push_back(*event.buffer);
        buffers_.back().bytes = {};
        buffers_.back().is_mapped = false;
    }
    flow::Event copy = event;
    copy.record = at_;
    copy.buffer = known == buffers_.end() ? &buffers_.back() : &*known;
    events_.push_back(copy);
    at_ += event.size;
    left_ -= event.size;
}

void KeptEvents::sort() {
    std::ranges::stable_sort(events_, {}, &flow::Event::raw_time);
}

} // namespace etl::analysis
