// Parts of traces by time, for several processes or machines. docs/parts.md
#pragma once

#include "flow/filters.hpp"
#include "trace/reader.hpp"
#include "trace/trace_index.hpp"

#include <cstdint>
#include <span>

namespace etl::trace {

/// One of the parts that the time of traces is divided into.
struct Part {
    std::uint32_t number = 1; // 1 to count
    std::uint32_t count = 1;  // at least 1
};

/// A trace and its index, of which neither is null.
struct IndexedTrace {
    const Reader* reader = nullptr;
    const TraceIndex* index = nullptr;
};

/// Returns the time window of a part. The windows of parts 1 to N follow each other without gaps;
/// the first has no start, and the last no end. Each is cut so that the buffers in it, or their
/// shares, have about the same size in total; only buffers within the window `all` count. The
/// windows depend on the indexes and buffer headers alone. WindowReader reads one of them.
flow::TimeFilter::Window window_of(Part part, std::span<const IndexedTrace> traces,
                                   const flow::TimeFilter::Window& all = {});

/// What is wanted of traces.
struct WantedPart {
    Part part;
    flow::TimeFilter::Window window; // of a filter that follows
    /// Nothing follows the first event at or after the end of `window`.
    bool ends_with_window = false;
    /// The first part begins with the traces, not with `window`.
    bool has_all_before = false;
};

/// Returns the window of the part, as far as its events can pass the filter.
flow::TimeFilter::Window window_of(const WantedPart& wanted, std::span<const IndexedTrace> traces);

// WindowReader: the events of a trace in a time window, from the buffers that they need.
// docs/parts.md

/// Part of the sequence of events of a Reader with Order::time. An event counts by the latest time
/// up to it, which is its own unless it follows a later one: windows that follow each other divide
/// the sequence into sequences that follow each other, and each event is in one of them.
///
/// Buffers are skipped that contain only events before the window, or only events that follow it.
/// All are read, up to the end of the window, if the place of an event depends on buffers far
/// before it: the clock was set back, sources are kept apart (docs/merge.md#sources), or a buffer
/// begins with a record without a timestamp. A buffer whose events are not in the range that the
/// index states is a finding: the window can lack events of others. Not thread-safe.
class WindowReader final : public flow::Source {
public:
    /// Opens a file of which a Reader with the same options exists. `index` is that of its trace,
    /// with all of its buffers. Findings about the file as a whole are left to the Reader. Errors:
    /// those of Reader::open; invalid_option (the order, or an index of another trace).
    static Result<std::unique_ptr<WindowReader>> open(std::shared_ptr<const io::InputFile> file,
                                                      const ReaderOptions& options,
                                                      std::shared_ptr<const TraceIndex> index,
                                                      const flow::TimeFilter::Window& window);
    /// The same for the trace of a Reader, which is not scanned again.
    static Result<std::unique_ptr<WindowReader>>
    open(const Reader& of, std::shared_ptr<const io::InputFile> file, const ReaderOptions& options,
         std::shared_ptr<const TraceIndex> index, const flow::TimeFilter::Window& window);
    ~WindowReader() override;

    flow::Run next_run() override;
    flow::Pin pin() const override;
    const Error* error() const noexcept override;

    /// Returns the number of buffers that it may read.
    std::uint64_t needed_buffers() const noexcept;

private:
    struct State;
    static Result<std::unique_ptr<WindowReader>> open(std::unique_ptr<ScannedTrace> scanned,
                                                      const ReaderOptions& options,
                                                      std::shared_ptr<const TraceIndex> index,
                                                      const flow::TimeFilter::Window& window);
    explicit WindowReader(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

} // namespace etl::trace
