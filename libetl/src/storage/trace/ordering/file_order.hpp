// The events of a trace buffer after buffer: Order::file and Order::buffers.
#pragma once

#include "trace/loading/chain_loading.hpp"

namespace etl::trace {

/// One thread.
class FileOrder {
public:
    /// `streams` are those of streams_of() without an order by time: one, or none. `entries`,
    /// `options` and `findings` outlive this object.
    FileOrder(const LoadRequest& request, std::span<const BufferEntry> entries,
              BufferStreams streams, const ReaderOptions& options, TraceFindings& findings);

    /// Empty at the end.
    flow::Run next_run();

    /// Keeps the events of the last run.
    const BufferPointer& current() const noexcept { return current_; }

private:
    std::int64_t& time_before(const LoadedBuffer& buffer) noexcept;

    bool is_by_processor_;
    TraceFindings& findings_;
    std::unique_ptr<BufferChain> chain_; // null at the end
    BufferPointer current_;
    std::int64_t last_time_ = no_time;
    std::vector<std::int64_t> last_times_; // by processor
    ChainLoading loading_;                 // last: its threads work on the chain
};

} // namespace etl::trace
