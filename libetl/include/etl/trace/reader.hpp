// Reader: the events of one trace file, in time order across its processors.
// docs/architecture.md#reading
#pragma once

#include <etl/base/diagnostic.hpp>
#include <etl/base/function_ref.hpp>
#include <etl/flow/source.hpp>
#include <etl/format/buffer_header.hpp>
#include <etl/io/input_file.hpp>

#include <functional>
#include <memory>
#include <span>

namespace etl::trace {

/// One buffer as the index pass found it.
struct BufferEntry {
    FileOffset where{}; // in the plain trace, whether or not the file is packed
    std::int64_t sequence = 0;
    std::int64_t time_stamp = 0;   // of its flush, by the session's clock; 0: not known
    FileOffset packed_where{};     // of the frame that holds it, in a container
    std::uint32_t packed_size = 0; // of the frame; 0: the buffer lies in the file as it is
    std::uint32_t disk_size = 0;   // bytes in the plain trace, header included
    std::uint32_t used =
        0; // valid bytes once decompressed, header included; 0: walk to the end marker
    std::uint32_t run = 0; // counts up where sequence numbers start over: an appended run
    std::uint16_t processor = 0;
    std::uint16_t logger_id = 0;
    std::uint16_t flags = 0;
    format::BufferType type = format::BufferType::generic;
    bool is_truncated = false; // the file ends inside

    bool is_compressed() const noexcept { return (flags & format::buffer_flag::compressed) != 0; }

    bool is_packed() const noexcept { return packed_size != 0; }
};

/// One buffer by itself. Views: valid while it is shown.
struct BufferContent {
    const BufferEntry* entry = nullptr;
    const flow::BufferContext* context = nullptr; // its bytes: unpacked, cut to the valid ones
    flow::Run events;                             // as they lie in the buffer
    std::span<const Diagnostic> findings;         // inside the buffer
};

enum class Order : std::uint8_t {
    time, // by time, then processor, then position
    /// As `time`, but events recorded before the clock was set back precede those recorded after it
    /// (flow::TraceInfo::clock_rollbacks). The same as `time` if that never happened.
    recorded,
    file, // as the buffers lie in the file
    /// Buffer after buffer, by run and sequence number, and the records of each as they lie in it:
    /// those of one processor come as they were written. What copies records asks for this.
    buffers,
};

struct ReaderOptions {
    Order order = Order::time;
    unsigned threads = 1;   // decompress and scan ahead with this many; 1: none but the caller
    std::uint32_t file = 0; // number of this input among several
    DiagnosticSink* diagnostics = nullptr; // outlives the reader; null: findings are only counted
    /// Events for which it is false do not come: they are dropped while the records of a buffer are
    /// found, before anything is sorted or merged. Called once for each record, on any of the
    /// threads, several at a time, and must not throw. raw_time of a record without a stamp of its
    /// own is not known yet: it may be that of a record before it, or INT64_MIN. Empty: all come.
    /// for_each_buffer and show_buffers ignore it.
    std::function<bool(const flow::Event& event)> select;
};

/// A trace on disk as a source of events. Opening reads the headers of the buffers; where they show
/// that the clock was set back, it reads the buffers around those places as well. A container whose
/// frames hold one buffer each (docs/format/container.md) is read in place: frames are unpacked
/// when their turn comes. The reader belongs to one thread; info() and buffers() are immutable.
class Reader final : public flow::Source {
public:
    /// Errors: empty_file, not_a_trace.
    static Result<std::unique_ptr<Reader>> open(std::shared_ptr<const io::InputFile> file,
                                                const ReaderOptions& options = {});
    ~Reader() override;

    const flow::TraceInfo& info() const noexcept;
    std::span<const BufferEntry> buffers() const noexcept;

    flow::Run next_run() override;
    flow::Pin pin() const override;
    const Error* error() const noexcept override;

    /// Findings of Severity::warning so far: the structure was damaged.
    std::uint64_t damage() const noexcept;

    /// Reports it if the file has been truncated since it was mapped, once. The end of the events
    /// does so as well; call it when they have been worked on, which may be later.
    void report_truncation();

    /// Shows the events of every buffer once, whatever ReaderOptions::select says, in no order,
    /// from at most `threads` threads at a time; `worker` is 0..threads-1. Findings inside
    /// of buffers are not reported: the result is the number of warnings among them. Independent of
    /// next_run. What `visit` throws reaches the caller once all threads have ended.
    std::uint64_t for_each_buffer(
        unsigned threads,
        FunctionRef<void(unsigned worker, const BufferEntry& entry, flow::Run events)> visit);

    /// Shows buffers() with these numbers, one after the other in that order, on the caller's
    /// thread; with ReaderOptions::threads they are unpacked ahead. Buffers without events, or not
    /// made of records, are shown, too, and all events, whatever ReaderOptions::select says; where
    /// a buffer begins with records without a stamp of their own, their raw_time is INT64_MIN.
    /// Findings are not reported. Independent of next_run.
    void show_buffers(std::vector<std::uint32_t> numbers,
                      FunctionRef<void(const BufferContent& buffer)> visit);

private:
    struct State;
    explicit Reader(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

} // namespace etl::trace
