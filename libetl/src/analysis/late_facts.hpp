// Facts about processes collected on the way, for tables that need them only at the end: a pass of
// its own would read the trace twice. Private to analysis.
#pragma once

#include <etl/facts/collector.hpp>
#include <etl/facts/facts.hpp>

#include <deque>
#include <memory>
#include <vector>

namespace etl::analysis {

class LateFacts {
public:
    /// Copies an event that is about a process or a thread.
    void add(const flow::Event& event);

    /// Returns what the events record. Call once.
    facts::Facts finish(const schema::SchemasByTrace& schemas, unsigned pointer_size);

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
