// WindowReader: the events of a trace in a time window, from the buffers that they need.
// docs/parts.md
#pragma once

#include "flow/filters.hpp"
#include "trace/reader.hpp"
#include "trace/trace_index.hpp"

namespace etl::trace {

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
                                                      const TraceIndex& index,
                                                      const flow::TimeFilter::Window& window);
    ~WindowReader() override;

    flow::Run next_run() override;
    flow::Pin pin() const override;
    const Error* error() const noexcept override;

    /// Returns the number of buffers that it may read.
    std::uint64_t needed_buffers() const noexcept;

private:
    struct State;
    explicit WindowReader(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

} // namespace etl::trace
