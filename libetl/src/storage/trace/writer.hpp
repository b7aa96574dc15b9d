// Writer: puts records into the buffers of their processors, and the buffers into a LogFile. The
// inverse of Reader.
//     auto writer = etl::trace::Writer::create("out.etl");
//     (*writer)->add(etl::format::EventRecord{.time = etl::now().ticks, .descriptor = {.id =
//     1}});
//     (*writer)->close();
#pragma once

#include "flow/source.hpp"
#include "format/encode.hpp"
#include "trace/log_file.hpp"

#include <functional>

namespace etl::trace {

struct WriterOptions {
    LogFileOptions file;
    std::optional<Recording> recording; // none: begin_recording(now())
    /// Null: io::disk(), which truncates an existing file. Writing to the path of a trace that is
    /// still being read, such as editing in place, requires io::AtomicFiles: a mapped file must not
    /// be truncated.
    io::FileFactory* files = nullptr;
    /// Each buffer contains events of one logger ID and keeps that ID (in a merge, the origin).
    /// Otherwise all buffers have the recording's logger ID.
    bool keep_logger_ids = false;
    /// Mapped records (flow::BufferContext::is_mapped) stay valid until the writer is closed: open
    /// buffers of more than limits::copied_buffer then consist of views, which are copied when a
    /// buffer is full. Otherwise a writer may keep as much memory as there are processors with
    /// large buffers.
    bool may_keep_views = false;
};

/// Each processor has an open buffer, which is written when the next record does not fit. If the
/// recording's mode has NO_PER_PROCESSOR_BUFFERING, all processors share the buffer of processor 0,
/// and the header counts one processor. Buffers are numbered when opened. The timestamp of a buffer
/// is that of its last record, so that the same records yield the same file; with Lineage::relogger
/// it is a FILETIME. docs/format/buffer.md#order
///
/// Not thread-safe. No allocation per record once each processor has a buffer.
class Writer {
public:
    /// Errors: those of LogFile::open.
    static Result<std::unique_ptr<Writer>> create(const std::string& path,
                                                  WriterOptions options = {});
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    /// As for LogFile: the file remains unfinalized; records not flushed are lost.
    ~Writer();

    /// Appends a record, including its header and without padding, to the open buffer of
    /// `processor`; if it does not fit, that buffer is written first. Errors: limit (larger than an
    /// empty buffer, which counts as a lost event; or processor >= etl::limits::processors),
    /// malformed
    /// (`record` is not a record of that size). A buffer that cannot be written is not an error;
    /// see status(). Without `has_usable_time`, the timestamp of the record is not a time of the
    /// trace, and does not count for its end.
    Result<void> add(std::uint16_t processor, Bytes record, bool has_usable_time = true);

    /// Appends the record of an event to the buffer of its processor. The caller ensures that the
    /// clocks match. Errors: limit.
    Result<void> add(const flow::Event& event);

    /// Appends the records of a run; adjacent records are copied together. Records too large for a
    /// buffer are counted as lost. If a record's extended data items or counters do not parse, the
    /// flags that announce them are cleared: readers treat those bytes as payload, and `etl check`
    /// would report them.
    void add(flow::Run run);

    /// Appends any of format's record structs. Errors: also those of format::encode.
    template <typename Record>
    Result<void> add(const Record& record, std::uint16_t processor = 0) {
        scratch_.clear();
        if (auto encoded = format::encode(record, scratch_); !encoded) {
            return encoded;
        }
        return add(processor, scratch_.view());
    }

    /// Writes every open buffer that contains records, in processor order, and returns when all are
    /// in the file or lost.
    void flush();

    /// Flushes, marks the last buffer (FLUSH_MARKER; omitted if nothing was added since flush()),
    /// and finalizes the file. Records added later are lost. Errors: as LogFile::close.
    Result<void> close();

    const LogFileStatus& status() const noexcept;

    /// Returns the number of accepted records, including those in lost buffers
    /// (status().buffers_lost).
    std::uint64_t events_written() const noexcept;

    /// Returns the number of records too large for a buffer.
    std::uint64_t events_lost() const noexcept;

    /// Returns the number of records whose invalid flags were cleared.
    std::uint64_t events_corrected() const noexcept;

private:
    struct State;
    explicit Writer(std::unique_ptr<State> state) noexcept;

    ByteWriter scratch_;
    std::unique_ptr<State> state_;
};

// Copying of events from a source to a trace: the common loop of relogging, merging, and splitting.

struct CopyOptions {
    /// Called periodically with the number of events read and the newest one. Return false to stop
    /// early. May be empty.
    std::function<bool(std::uint64_t events, const flow::Event& newest)> progress;
};

struct CopyResult {
    std::uint64_t events = 0;  // events written
    std::uint64_t headers = 0; // omitted log file header records
    /// Events larger than an empty buffer, or with a processor number beyond the limits.
    std::uint64_t lost = 0;
    /// Events whose invalid item flags were cleared: Writer::add(flow::Run).
    std::uint64_t corrected = 0;
    bool stopped = false; // stopped by progress
};

/// Copies `source` to its end. Records are copied byte for byte into the buffers of their
/// processors, except those counted in `corrected`. Log file header records are omitted, because
/// the writer creates its own: all SYSTEM records with hook 0 (flow::is_logfile_header), including
/// those of appended runs and any among the events. `headers` counts them. Disk failures are in
/// writer.status(). Errors: those of the source.
Result<CopyResult> copy(flow::Source& source, Writer& writer, const CopyOptions& options = {});

} // namespace etl::trace
