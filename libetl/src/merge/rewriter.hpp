// The events of one input as they go into the output: stamped anew, under other processor numbers,
// with the number of their origin. One thread.
#pragma once

#include <etl/flow/source.hpp>

#include "merge/moved.hpp"

#include <optional>

namespace etl::merge {

struct Rewriting {
    bool to_system_time = false;
    std::int64_t offset = 0; // 100 ns, with to_system_time
    std::uint32_t first_processor = 0;
    std::optional<std::uint16_t> logger_id;

    bool changes_nothing() const noexcept {
        return !to_system_time && first_processor == 0 && !logger_id;
    }
};

/// Raw stamps of a trace in the clock of the output.
class Restamp {
public:
    Restamp(const flow::TraceInfo& trace, const Rewriting& what) noexcept
        : clock_(trace.clock), perf_freq_(trace.header.perf_freq), offset_(what.offset),
          converts_(what.to_system_time) {}

    std::int64_t operator()(std::int64_t raw) const noexcept {
        return converts_ ? moved(clock_.to_filetime(raw).ticks, offset_) : raw;
    }

    /// Ticks of the performance counter as 100 ns.
    std::int64_t duration(std::int64_t ticks) const noexcept;

private:
    flow::Clock clock_;
    std::int64_t perf_freq_;
    std::int64_t offset_;
    bool converts_;
};

class Rewriter {
public:
    Rewriter(const flow::TraceInfo& trace, const Rewriting& what);
    Rewriter(const Rewriter&) = delete;
    Rewriter& operator=(const Rewriter&) = delete;
    ~Rewriter() = default;

    /// Valid until the next call, or as long as somebody keeps the pin(); records that were not
    /// converted also need that of their source.
    flow::Run rewrite(flow::Run run);

    flow::Pin pin() const { return block_; }

    bool converts() const noexcept { return what_.to_system_time; }

    /// The trace that converted events are of.
    const flow::TraceInfo& trace() const noexcept { return trace_; }

private:
    struct Block {
        flow::BufferContext context;
        std::vector<flow::Event> events;
        std::vector<std::byte> records; // converted
    };

    void convert(flow::Run run);

    Rewriting what_;
    Restamp restamp_;
    flow::TraceInfo trace_;
    std::shared_ptr<Block> block_ = std::make_shared<Block>();
};

} // namespace etl::merge
