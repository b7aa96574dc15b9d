// Reader: the events of one trace file, in time order across its processors.
// docs/architecture.md#reading
#pragma once

#include <etl/error.hpp>

#include "base/function_ref.hpp"
#include "flow/source.hpp"
#include "format/buffer_header.hpp"
#include "io/input_file.hpp"

#include <functional>
#include <memory>
#include <span>

namespace etl::flow {
struct RawWindow;
}

namespace etl::trace {

class ScannedTrace;
class WindowReader;

struct IndexedBuffer;
struct TraceIndex;

/// One buffer found by the index pass.
struct BufferEntry {
    FileOffset where{}; // offset in the decompressed trace
    std::int64_t sequence = 0;
    std::int64_t time_stamp = 0;   // flush time, by the session clock; 0: unknown
    FileOffset packed_where{};     // offset of its frame in a container
    std::uint32_t packed_size = 0; // size of the frame; 0: not in a container
    std::uint32_t disk_size = 0;   // bytes in the decompressed container, including the header
    /// Valid bytes when decompressed, including the header; 0: walk to the end marker.
    std::uint32_t used = 0;
    std::uint32_t run = 0; // number of the appended run; incremented where sequence numbers restart
    std::uint16_t processor = 0;
    std::uint16_t logger_id = 0;
    std::uint16_t flags = 0;
    std::uint16_t merged_input = 0; // as flow::BufferContext::merged_input
    format::BufferType type = format::BufferType::generic;
    bool is_truncated = false; // the file ends inside the buffer

    bool is_compressed() const noexcept { return (flags & format::buffer_flag::compressed) != 0; }

    bool is_packed() const noexcept { return packed_size != 0; }
};

/// One buffer. Views; valid during the call.
struct BufferContent {
    const BufferEntry* entry = nullptr;
    const flow::BufferContext* context = nullptr; // its bytes: decompressed, valid part only
    flow::Run events;                             // in buffer order
    std::span<const Diagnostic> findings;         // findings inside the buffer
};

enum class Order : std::uint8_t {
    time, // by time, then processor, then position
    /// Like `time`, but events recorded before the clock was set back precede those recorded after
    /// it (flow::TraceInfo::clock_rollbacks). The same as `time` if the clock was never set back.
    recorded,
    file, // in file order of buffers
    /// Buffer by buffer, by run and sequence number, with the records of each in buffer order: the
    /// records of one processor are in the order in which they were written. For copying records.
    buffers,
};

struct ReaderOptions {
    Order order = Order::time;
    /// Each buffer is loaded once or twice, not more often: small buffers are read into memory that
    /// is reused. That costs less than the page faults of a mapping, whose pages nobody uses again.
    bool is_single_pass = false;
    unsigned threads = 1;   // read-ahead threads that decompress and scan; 1: the caller only
    std::uint32_t file = 0; // number of this input
    /// Must outlive the reader; null: findings are only counted.
    DiagnosticSink* diagnostics = nullptr;
    /// Predicate that selects events. Others are dropped while the records of a buffer are found,
    /// before sorting and merging. Called once per record, concurrently on any of the threads; must
    /// not throw. The raw_time of a record without a timestamp is not final: it may be that of an
    /// earlier record, or INT64_MIN. Empty: all events. Ignored by for_each_buffer and
    /// show_buffers.
    std::function<bool(const flow::Event& event)> select;
    /// Hides the log file header from all that read events: of a trace that an event log was
    /// converted into, no record states it.
    bool hides_header = false;
    /// Reader::known_buffers() of the same state of the file: then only some headers of buffers are
    /// read, and all of them if one differs. Valid while the file is opened; empty: unknown.
    Bytes known_buffers{};
    /// Once it is requested, no more buffers are read: events end early. Must outlive the reader;
    /// null: they do not.
    const Stop* stop = nullptr;
};

/// A trace file as a source of events. Opening reads the buffer headers; if they show that the
/// clock was set back, it also reads the buffers around those points. A container whose frames
/// contain one buffer each (docs/format/container.md) is read in place: frames are decompressed as
/// needed. Not thread-safe; info() and buffers() are immutable.
class Reader final : public flow::Source {
public:
    /// Errors: empty_file, not_a_trace.
    static Result<std::unique_ptr<Reader>> open(std::shared_ptr<const io::InputFile> file,
                                                const ReaderOptions& options = {});
    /// The trace of another reader from its beginning, without looking for its buffers again.
    /// `file` is that of the other; known_buffers and is_single_pass are ignored.
    static Result<std::unique_ptr<Reader>>
    open(const Reader& of, std::shared_ptr<const io::InputFile> file, const ReaderOptions& options);
    ~Reader() override;

    const flow::TraceInfo& info() const noexcept;
    std::span<const BufferEntry> buffers() const noexcept;

    /// Whether the whole file is one run of a logger: no times begin anew (BufferEntry::run).
    bool is_in_one_go() const noexcept;

    flow::Run next_run() override;
    flow::Pin pin() const override;
    const Error* error() const noexcept override;

    /// Leaves out, from next_run(), the buffers of whose numbers `is_kept` is false; call it before
    /// the first next_run(). `index` is that of the trace, and outlives this. Does nothing with
    /// another order than Order::time, or if the place of an event depends on buffers far before it
    /// (WindowReader). Findings in the buffers left out are not reported; a buffer whose events
    /// have other times than in the index is one.
    void keep_only(const TraceIndex& index, FunctionRef<bool(std::uint32_t number)> is_kept);

    /// The same: the buffers that contain events inside of the window, and those of which `kept`,
    /// which may be null, is true.
    void skip_outside(const TraceIndex& index, const flow::RawWindow& window,
                      bool IndexedBuffer::* kept);

    /// Returns where the buffers are, for ReaderOptions::known_buffers; empty: there are findings
    /// about them, or they are in the frames of a container.
    std::vector<std::byte> known_buffers() const;

    /// Whether ReaderOptions::known_buffers were those of the file.
    bool has_known_buffers() const noexcept;

    /// Returns the number of findings of Severity::warning so far, which report structural damage.
    std::uint64_t damage() const noexcept;

    /// Returns the number of findings of Severity::warning inside buffers that for_each_buffer()
    /// has met, in that of its calls that met most.
    std::uint64_t damage_in_buffers() const noexcept;

    /// Reports, once, that the file has been truncated since it was mapped. This also happens at
    /// the end of the events; call it again after processing them.
    void report_truncation();

    /// Calls `visit` with the events of every buffer once, unordered, on at most `threads` threads,
    /// fewer if the trace is small; `worker` is 0 to threads-1. Ignores ReaderOptions::select.
    /// Findings inside buffers are not reported; returns the number of warnings among them.
    /// Independent of next_run. An exception thrown by `visit` reaches the caller after all threads
    /// have ended.
    std::uint64_t for_each_buffer(
        unsigned threads,
        FunctionRef<void(unsigned worker, const BufferEntry& entry, flow::Run events)> visit);

    using VisitBuffer =
        std::function<void(unsigned worker, const BufferEntry& entry, flow::Run events)>;

    /// Joins the next for_each_buffer(), which shows all buffers to `visit`, too, on at most
    /// `threads` threads: what each of several asks about all events costs one walk.
    void join_next_walk(unsigned threads, VisitBuffer visit);

    /// Calls `visit` for the buffers() with these numbers, in the given order, on the caller's
    /// thread; with ReaderOptions::threads they are decompressed ahead. Includes buffers without
    /// events or without records, and all events: ReaderOptions::select is ignored. Leading records
    /// of a buffer that have no timestamp have the raw_time INT64_MIN. Findings are not reported.
    /// Independent of next_run.
    void show_buffers(std::vector<std::uint32_t> numbers,
                      FunctionRef<void(const BufferContent& buffer)> visit);

private:
    friend class WindowReader;

    struct State;
    explicit Reader(std::unique_ptr<State> state);
    const ScannedTrace& scanned() const noexcept;

    std::unique_ptr<State> state_;
};

} // namespace etl::trace
