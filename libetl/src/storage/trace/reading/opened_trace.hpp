// A trace on its way to its events: its file opened and scanned (ScannedTrace), and its events in
// some order (OpenedTrace), which is what Reader and WindowReader share.
#pragma once

#include "io/input_file.hpp"
#include "trace/index/buffer_index.hpp"
#include "trace/loading/loaded_buffer.hpp"
#include "trace/missing_buffers.hpp"
#include "trace/ordering/event_order.hpp"
#include "trace/reading/clock_rollbacks.hpp"

#include <memory>
#include <optional>

namespace etl::trace {

// What kind of file it is, its log file header, and where its buffers are.

/// Buffers in an order, of a trace without regard to what a reader selects.
struct OrderedBuffers {
    Order order = Order::time;
    BufferStreams streams;
    ClockRollbacks rollbacks; // at which the streams are cut
};

/// What all readers of a trace find in the headers of its buffers. It does not change once the
/// first of them is open.
struct ScannedBuffers {
    BufferIndex index;
    MissingBuffers missing;
    bool is_in_one_go = true; // as Reader::is_in_one_go()
    std::optional<OrderedBuffers> ordered{};
};

/// Stays where it is: requests to load its buffers, and its info, point into it.
class ScannedTrace final : public flow::Backing {
public:
    /// Looks for the buffers in the file, or in the frames of a container. Of the options, counts
    /// the number of this input, and whether it is read in a single pass. Errors: empty_file,
    /// not_a_trace.
    static Result<std::unique_ptr<ScannedTrace>> open(std::shared_ptr<const io::InputFile> file,
                                                      const ReaderOptions& options);

    /// The same trace for another reader, without looking for buffers again. Of the options, counts
    /// the number of this input. Null: its file is mapped on demand.
    std::unique_ptr<ScannedTrace> again(const ReaderOptions& options) const;

    ScannedTrace(const ScannedTrace&) = delete;
    ScannedTrace& operator=(const ScannedTrace&) = delete;
    ~ScannedTrace() override = default;

    std::uint64_t intact_size() const noexcept override { return file_->intact_size(); }

    /// Of the file when it was scanned.
    std::uint64_t size() const noexcept { return size_; }

    /// To load its buffers. `options` outlive the request.
    LoadRequest request(const ReaderOptions& options);

    /// The file to read buffers from that are copied; null: they are copied anyway.
    const io::InputFile* copied() const noexcept {
        return on_demand_ == nullptr ? file_.get() : nullptr;
    }

    flow::TraceInfo info;
    std::shared_ptr<ScannedBuffers> buffers = std::make_shared<ScannedBuffers>();
    bool is_known = false; // the index is ReaderOptions::known_buffers

private:
    explicit ScannedTrace(std::shared_ptr<const io::InputFile> file) : file_(std::move(file)) {}

    void scan(const io::InputFile& content, const ReaderOptions& options);
    void scan(Bytes first, const io::InputFile* read);
    void sum_up(std::uint32_t nominal);
    void let_go();
    bool is_trace(Bytes content) const noexcept;

    std::shared_ptr<const io::InputFile> file_;
    const io::FileOnDemand* on_demand_ = nullptr; // file_, if it is one
    std::uint64_t size_ = 0;
    Bytes bytes_;                             // what is there of it; none of a file on demand
    PackedTrace packed_;                      // none, unless the file is a container
    std::optional<FrameUnpackers> unpackers_; // of a container
    std::optional<WatchedFile> watched_;
};

/// One thread. Stays where it is: requests to load its buffers point into it.
class OpenedTrace {
public:
    /// Whether what is odd about the file as a whole is reported.
    enum class Findings : bool { silent, reported };

    OpenedTrace(std::unique_ptr<ScannedTrace> scanned, const ReaderOptions& given, Findings about);

    std::span<const BufferEntry> entries() const noexcept { return trace->buffers->index.entries; }

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
    void find_in_headers();
    void report_scan();
    void name_merged_inputs();
    OrderedBuffers ordered() const;
    bool has_small_buffers() const;
    void report_rollbacks(bool is_complete);
    void begin();

    LoadRequest request_;
    std::optional<TimeOrder> by_time_; // from the first run on, one of these
    std::optional<FileOrder> by_file_;
    bool is_truncated_ = false; // and it was reported
};

} // namespace etl::trace
