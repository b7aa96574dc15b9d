// The events of a trace in an order. docs/architecture.md#reading
#pragma once

#include "trace/loading/chain_loading.hpp"
#include "trace/ordering/merge.hpp"
#include "trace/ordering/time_slices.hpp"

namespace etl::trace {

// Buffer after buffer: Order::file and Order::buffers.

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

// In the order of time, merged from the chains of the processors: Order::time and Order::recorded.

/// One thread.
class TimeOrder {
public:
    /// `entries`, `options` and `findings` outlive this object.
    TimeOrder(const LoadRequest& request, std::span<const BufferEntry> entries,
              BufferStreams streams, const ReaderOptions& options, TraceFindings& findings);

    /// Empty at the end.
    flow::Run next_run();

    /// Keeps the events of the last run.
    flow::Pin pin() const {
        return slices_.is_active() ? slices_.pin() : flow::Pin(merged_.current());
    }

private:
    bool is_too_early(const BufferStream& stream) const;
    bool has_room() const noexcept;
    void begin_those_due();
    void open_next(std::uint32_t chain);
    Merge::Slot open(std::uint32_t chain, BufferPointer buffer);
    flow::Run merge_next();
    bool is_in_order() const noexcept;
    void postpone_slices() noexcept;
    bool begin_slices();
    void end_slices();

    bool is_by_epoch_; // Order::recorded
    bool is_bounded_;  // more chains than processors: as many as there is room
    TraceFindings& findings_;
    std::vector<Chain> chains_;
    std::vector<std::uint32_t> beginnings_; // chains, in the order in which they begin
    std::size_t begun_ = 0;                 // of these
    std::size_t begin_at_once_;             // as many in play, before others come into theirs
    std::uint32_t epoch_ = 0;               // Order::recorded: of the chains in play
    std::int64_t horizon_ = no_time;        // no event in play is later
    std::int64_t last_time_ = no_time;      // of the last event that was given
    MergedBuffers merged_;
    std::optional<Merge::Slot> newest_; // of the chain begun last
    std::size_t until_slices_ = 0;      // buffers that end before slices are tried
    TimeSlices slices_;
    ChainLoading loading_; // last: its threads work on the chains
};

} // namespace etl::trace
