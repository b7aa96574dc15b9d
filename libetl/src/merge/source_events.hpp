// The events at the beginning of a tagged merge: which input each number stands for.
// docs/merge.md#sources
#pragma once

#include <etl/flow/source.hpp>

#include <string>

namespace etl::merge {

/// What is told of one input.
struct SourceFacts {
    std::uint16_t number = 0; // from 1: the LoggerId of its buffers
    std::string_view file;    // name without folders
    std::string_view path;    // as the input was named
    std::u16string_view session;
    Filetime start, boot;
    std::uint32_t first_processor = 0, last_processor = 0;
    std::uint32_t events_lost = 0, buffers_lost = 0;
    std::int64_t offset = 0; // 100 ns that its times were moved by
};

/// Events that lie in memory of their own, each in a buffer with its number. Not moved.
class SourceEvents {
public:
    /// `trace` is the output's; it outlives this.
    explicit SourceEvents(const flow::TraceInfo& trace) : trace_(&trace) {}

    SourceEvents(const SourceEvents&) = delete;
    SourceEvents& operator=(const SourceEvents&) = delete;
    ~SourceEvents() = default;

    void add(const SourceFacts& facts);

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
