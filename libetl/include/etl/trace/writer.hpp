// Writer: records into the buffers of their processors, buffers into a LogFile. What Reader is the
// other way round.
//     auto writer = etl::trace::Writer::create("out.etl");
//     (*writer)->add(etl::format::EventRecord{.time = etl::trace::now().ticks, .descriptor = {.id =
//     1}});
//     (*writer)->close();
#pragma once

#include <etl/flow/source.hpp>
#include <etl/format/encode.hpp>
#include <etl/trace/log_file.hpp>

namespace etl::trace {

struct WriterOptions {
    LogFileOptions file;
    std::optional<Recording> recording; // none: begin_recording(now())
    /// Null: io::disk(), which empties the file that is there. A trace that is read while its own
    /// name is written, as when it is edited in place, needs io::AtomicFiles: a file that is mapped
    /// must not be cut.
    io::FileFactory* files = nullptr;
    /// Buffers hold the events of one logger id each, and keep it (those of a merge: their origin).
    /// Otherwise all have the recording's.
    bool keep_logger_ids = false;
};

/// Each processor has an open buffer, which is written when the next record does not fit; where the
/// recording's mode says NO_PER_PROCESSOR_BUFFERING all share that of processor 0, and the header
/// counts one processor. Buffers are numbered when they are opened. The time stamp of a buffer is
/// that of its last record, so that the same records make the same file; with Lineage::relogger it
/// is a FILETIME. docs/format/buffer.md#order
///
/// One thread. No allocation per record once each processor has a buffer.
class Writer {
public:
    /// Errors: those of LogFile::open.
    static Result<std::unique_ptr<Writer>> create(const std::string& path,
                                                  WriterOptions options = {});
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    /// As LogFile's: the file stays unfinished; what was not flushed is gone.
    ~Writer();

    /// Appends a record, header included and without padding, to the open buffer of `processor`;
    /// when it does not fit that one is written first.
    /// Errors: limit (larger than an empty buffer: counted as a lost event; or processor
    /// >= limits::processors), malformed (`record` is no record, or of another size). A buffer that
    /// cannot be written is no error, but in status().
    Result<void> add(std::uint16_t processor, Bytes record);

    /// The record of an event, into the buffer of its processor. The clocks are the caller's
    /// business. Errors: limit.
    Result<void> add(const flow::Event& event);

    /// The records of a run, in one go where they lie one behind the other. Those that no buffer
    /// can hold are counted as lost. One that claims to have items or counters which do not parse
    /// loses that claim: readers take them for payload in any case, and `etl check` would object.
    void add(flow::Run run);

    /// Any of format's record structs. Errors: also those of format::encode.
    template <typename Record>
    Result<void> add(const Record& record, std::uint16_t processor = 0) {
        scratch_.clear();
        if (auto encoded = format::encode(record, scratch_); !encoded) {
            return encoded;
        }
        return add(processor, scratch_.view());
    }

    /// Writes every open buffer that holds records, in the order of processors, and returns when
    /// all are in the file, or lost.
    void flush();

    /// Flushes, marks the last buffer (FLUSH_MARKER; none when nothing was added since flush()),
    /// finishes the file. What is added later is lost. Errors: as LogFile::close.
    Result<void> close();

    const LogFileStatus& status() const noexcept;

    /// Records taken; those in buffers that were lost (status().buffers_lost) are among them.
    std::uint64_t events_written() const noexcept;

    /// Records that no buffer could hold.
    std::uint64_t events_lost() const noexcept;

    /// Records of runs whose claim was taken back.
    std::uint64_t events_corrected() const noexcept;

private:
    struct State;
    explicit Writer(std::unique_ptr<State> state) noexcept;

    ByteWriter scratch_;
    std::unique_ptr<State> state_;
};

} // namespace etl::trace
