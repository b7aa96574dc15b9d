// A trace on its way to its events in some order: what Reader and WindowReader share.
#pragma once

#include "trace/missing_buffers.hpp"
#include "trace/ordering/file_order.hpp"
#include "trace/ordering/time_order.hpp"
#include "trace/reading/scanned_trace.hpp"

#include <optional>

namespace etl::trace {

/// One thread. Stays where it is: requests to load its buffers point into it.
class OpenedTrace {
public:
    /// Whether what is odd about the file as a whole is reported.
    enum class Findings : bool { silent, reported };

    OpenedTrace(std::unique_ptr<ScannedTrace> scanned, const ReaderOptions& given, Findings about);

    std::span<const BufferEntry> entries() const noexcept { return trace->index.entries; }

    /// As buffers lie, and without select.
    LoadRequest request_of_all() const;

    /// Reports buffers whose events have other times than these, of all buffers by number, which
    /// outlive it. Order::time.
    void compare_with(std::span<const IndexedBuffer> indexed) noexcept {
        request_.indexed = indexed;
    }

    /// Empty at the end.
    flow::Run next_run();

    /// Keeps the events of the last run.
    flow::Pin pin() const;

    /// Somebody truncated the file since it was mapped: once.
    void report_truncation();

    ReaderOptions options;
    TraceFindings findings;
    std::unique_ptr<ScannedTrace> trace;
    BufferStreams streams; // until the first run is asked for

private:
    void report_scan(const MissingBuffers& missing);
    void name_merged_inputs();
    void find_streams(Findings about);
    bool has_small_buffers() const;
    void report_rollbacks(bool is_complete);
    void begin();

    LoadRequest request_;
    std::optional<TimeOrder> by_time_; // from the first run on, one of these
    std::optional<FileOrder> by_file_;
    bool is_truncated_ = false; // and it was reported
};

} // namespace etl::trace
