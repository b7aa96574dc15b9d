// The events at the beginning of a tagged merge: which input each number stands for.
// docs/merge.md#sources
#pragma once

#include "flow/source.hpp"

#include <string>

namespace etl::merge {

/// Events that lie in memory of their own, each in a buffer with its number. Not moved.
class SourceEvents {
public:
    /// `trace` is the output's; it outlives this.
    explicit SourceEvents(const flow::TraceInfo& trace) : trace_(&trace) {}

    SourceEvents(const SourceEvents&) = delete;
    SourceEvents& operator=(const SourceEvents&) = delete;
    ~SourceEvents() = default;

    void add(const flow::MergedInput& input);

    /// The next one, by itself; empty behind the last.
    flow::Run next() noexcept;

private:
    struct One {
        std::vector<std::byte> record;
        flow::BufferContext context;
        flow::Event event;
    };

    const flow::TraceInfo* trace_;
    std::vector<std::unique_ptr<One>> events_;
    std::size_t at_ = 0;
};

} // namespace etl::merge
