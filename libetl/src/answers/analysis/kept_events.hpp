// Copies of a few events, which outlive their buffers. Private to analysis.
#pragma once

#include "flow/event.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace etl::analysis {

class KeptEvents {
public:
    void add(const flow::Event& event);

    const std::vector<flow::Event>& events() const noexcept { return events_; }

    /// Orders them by time; those of the same time stay in the order in which they were added.
    void sort();

    /// Events that were not copied because of limits::analysis_fact_bytes.
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    std::vector<flow::Event> events_;
    std::vector<std::unique_ptr<std::byte[]>> blocks_; // of records
    std::size_t left_ = 0;                             // bytes of the last block
    std::byte* at_ = nullptr;
    std::deque<flow::BufferContext> buffers_; // by processor, as far as needed
    std::size_t bytes_ = 0;
    std::uint64_t dropped_ = 0;
};

} // namespace etl::analysis
