// The events of one input as they go into the output: stamped anew, under other processor numbers,
// with the number of their origin. One thread.
#pragma once

#include <etl/time.hpp>

#include "flow/source.hpp"

#include <optional>

namespace etl::merge {

struct Rewriting {
    bool to_system_time = false;
    std::int64_t offset = 0; // 100 ns, with to_system_time
    std::uint32_t first_processor = 0;
    std::uint32_t processors = 0; // that its machine has; 0: numbers stay
    /// By flow::BufferContext::merged_input: the number of the input in the output, which becomes
    /// the LoggerId. Empty: LoggerIds stay.
    std::vector<std::uint16_t> logger_ids;
};

/// Raw stamps of a trace in the clock of the output.
class Restamp {
public:
    Restamp(const flow::TraceInfo& trace, const Rewriting& what) noexcept
        : clock_(trace.clock), perf_freq_(trace.header.perf_freq), offset_(what.offset),
          converts_(what.to_system_time) {}

    std::int64_t operator()(std::int64_t raw) const noexcept {
        return converts_ ? saturating_sum(clock_.to_filetime(raw).ticks, offset_) : raw;
    }

    /// Ticks of the performance counter as 100 ns.
    std::int64_t duration(std::int64_t ticks) const noexcept;

private:
    flow::Clock clock_;
    std::int64_t perf_freq_;
    std::int64_t offset_;
    bool converts_;
};

/// Reads the source of one input. Events come in memory of this, for what they are of (their
/// buffer, their trace) is to outlive the source.
class Rewriter {
public:
    /// `trace`, which outlives this, is what events are of that keep their stamps.
    Rewriter(std::unique_ptr<flow::Source> source, const flow::TraceInfo& trace,
             const Rewriting& what);
    Rewriter(const Rewriter&) = delete;
    Rewriter& operator=(const Rewriter&) = delete;
    ~Rewriter() = default;

    /// The source's next run. Valid until the next call, or as long as somebody keeps the pin().
    /// Not after close().
    flow::Run next_run();

    /// Asks the source for its pin, when records lie there; allocates nothing.
    flow::Pin pin();

    /// The source's.
    const Error* error() const noexcept { return source_->error(); }

    /// At the end: lets go of the source and of all memory but the trace's, which events had.
    void close() noexcept;

private:
    struct Block {
        std::shared_ptr<flow::Source> source; // and the pin of its records, if they were pinned
        flow::Pin records;
        flow::BufferContext context;
        std::vector<flow::Event> events;
        std::vector<std::byte> converted; // records
    };

    flow::Run without_sources(flow::Run run);
    void convert(flow::Run run);
    void take_free_block();
    std::uint16_t processor_of(const flow::BufferContext& buffer) const noexcept;
    std::uint16_t logger_of(const flow::BufferContext& buffer) const noexcept;

    std::shared_ptr<flow::Source> source_;
    flow::Run rest_; // of the source's last run
    Rewriting what_;
    Restamp restamp_;
    std::optional<flow::TraceInfo> converted_trace_;
    const flow::TraceInfo* trace_; // that events are of
    std::shared_ptr<Block> block_;
};

} // namespace etl::merge
