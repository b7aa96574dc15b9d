// LogFile: where the filled buffers of a session go: one file or a series of them, with their
// header buffers. Owns layout on disk, file modes, compression and what to do when the disk fails.
// The mirror of Reader's index pass. docs/writing.md, docs/format/writing.md
#pragma once

#include <etl/codec/codec.hpp>
#include <etl/format/buffer_header.hpp>
#include <etl/io/container.hpp>
#include <etl/io/writable_file.hpp>
#include <etl/trace/recording.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace etl::trace {

/// How a file grows. docs/format/writing.md#modes
enum class FileMode : std::uint8_t {
    sequential, // until the limit; what comes then is lost
    circular,   // at the limit the oldest buffers are overwritten
    append,   // behind the buffers of a finished file of the same shape; a new one if there is none
    new_file, // at the limit a new file: `%d` in the path counts from 1
};

/// MaximumFileSize, in the unit that the header will have.
struct SizeLimit {
    enum class Unit : std::uint8_t { megabytes, kilobytes };

    std::uint32_t count = 0; // 0: none
    Unit unit = Unit::megabytes;

    constexpr std::uint64_t bytes() const noexcept {
        return std::uint64_t{count} << (unit == Unit::megabytes ? 20U : 10U);
    }
};

/// When written bytes must outlive a loss of power.
enum class Durability : std::uint8_t { none, at_close, every_buffer };

struct LogFileOptions {
    FileMode mode = FileMode::sequential;
    SizeLimit limit;
    bool preallocate = false; // reserve the limit at once, cut back at close
    bool delay_open = false;  // create the file when the first buffer comes; not with append
    /// Of every buffer: a multiple of 512, 1 KB to 16 MB. Sessions of Windows have 4 KB and more.
    std::uint32_t buffer_size = 64U << 10U;
    codec::Format compression = codec::Format::none; // native, per buffer
    codec::Level level = codec::Level::normal;
    /// With compression: written when as much is there as one buffer holds unpacked, as Windows'
    /// user-mode logger does it. drain() writes what there is. docs/format/writing.md#gathered
    bool gather = false;
    io::Container container = io::Container::none;
    io::ContainerLevel container_level = io::ContainerLevel::normal;
    Durability durability = Durability::none;
    unsigned threads = 1; // that compress; 1: none but the caller
};

/// Returns where the number goes in the path of a series: at `%d`, which occurs once in the name of
/// the file, with no other `%`. A `%` in the name of a folder is an ordinary character. npos: the
/// path is not that of a series.
std::size_t find_series_number(std::string_view path) noexcept;

/// Memory of one buffer: options.buffer_size bytes. The first 0x48 are for the header.
using BufferMemory = std::unique_ptr<std::byte[]>;

/// A buffer that will not grow any more, in somebody's memory. One out of these bounds is lost.
struct FilledBufferView {
    std::byte* memory = nullptr; // of options.buffer_size bytes: what is behind `used` may change
    std::uint32_t used = 0;      // valid bytes, those for the header included: 0x48 to buffer_size
    std::uint16_t processor = 0; // < limits::processors; <= 255 with Lineage::windows7 and unmarked
    std::uint16_t flags = 0;     // beside PROC_INDEX and COMPRESSED
    std::int64_t sequence = 0;
    std::int64_t time_stamp = 0;  // when it was flushed
    std::int64_t newest_time = 0; // raw time stamp of its newest event; for EndTime
    format::BufferType type = format::BufferType::generic;
    std::optional<std::uint16_t> logger_id{}; // none: that of the recording
};

/// The same with its memory, which is not null.
struct FilledBuffer {
    BufferMemory memory;
    std::uint32_t used = 0;
    std::uint16_t processor = 0;
    std::uint16_t flags = 0;
    std::int64_t sequence = 0;
    std::int64_t time_stamp = 0;
    std::int64_t newest_time = 0;
    format::BufferType type = format::BufferType::generic;
    std::optional<std::uint16_t> logger_id{};

    FilledBufferView view() const noexcept {
        return {.memory = memory.get(),
                .used = used,
                .processor = processor,
                .flags = flags,
                .sequence = sequence,
                .time_stamp = time_stamp,
                .newest_time = newest_time,
                .type = type,
                .logger_id = logger_id};
    }
};

/// The first write that failed: which file, and what the system said.
struct WriteFailure {
    std::string path;
    Error error;
};

struct LogFileStatus {
    std::uint64_t buffers_written = 0; // since the start, in all files, header buffers included
    std::uint64_t buffers_lost = 0;    // did not fit, or could not be written
    std::uint64_t bytes_written = 0;   // those, as they lie in the files, and tables of containers
    std::uint32_t files = 0;
    std::string path;     // of the file that is open
    bool is_full = false; // sequential, and the limit is reached
    std::optional<WriteFailure> failure;
    /// Why the latest buffer that was looked at is lost, where something failed; none: it was
    /// written, or did not fit.
    std::optional<Error> latest_failure;
};

/// One thread. What is written so far can be read at any moment, also after a crash.
class LogFile {
public:
    /// Creates the file (unless delay_open) and writes its header buffer, or opens the one to
    /// append to. Errors: invalid_option (what contradicts what: circular or append with
    /// compression or a container, both of those, a preallocated container; a limit that is
    /// missing, or smaller than two buffers; a series whose path has no place for the number, see
    /// find_series_number; a buffer size out of range; names too long for a header buffer); of the
    /// file to append to: not_a_trace, truncated, malformed (it differs in buffer size or clock,
    /// has fewer processors, is circular or damaged), unsupported (compressed); not_found,
    /// io_failure. `files` outlives this object. When it fails, no new file stays behind, and one
    /// to append to is as it was; one to replace, too, unless the disk failed after it was emptied:
    /// docs/format/writing.md#failures. A pipe takes a sequential file only (else invalid_option):
    /// docs/format/writing.md#pipes.
    static Result<std::unique_ptr<LogFile>> open(const std::string& path,
                                                 const Recording& recording,
                                                 const LogFileOptions& options = {},
                                                 io::FileFactory& files = io::disk());
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;
    /// Leaves the file as a crash would: unfinished, readable.
    ~LogFile();

    /// Memory for a buffer: that of one which was written, or new. Not initialised.
    BufferMemory memory();

    /// Takes a buffer: completes its header and its fill, compresses it, writes it. With threads
    /// it may be on its way when this returns; the order in the file is that of the calls. A buffer
    /// that does not get into the file is counted as lost; that ends nothing. After close() all
    /// are.
    void write(FilledBuffer buffer);

    /// The same with memory that stays the caller's: done with it when this returns. Without
    /// threads nothing is copied. The header is in that memory, with the number of the buffer,
    /// before anything is in the file. Without memory for what it takes the buffer is lost.
    void write_view(const FilledBufferView& buffer);

    /// The sequence number that the first buffer should have: 1, or what follows in a file that is
    /// appended to.
    std::int64_t first_sequence() const noexcept;

    /// Counted in the header at the end.
    void add_lost_events(std::uint64_t count) noexcept;

    /// The recording went on until then, by its clock: EndTime is not before it.
    void extend_to(std::int64_t raw_time) noexcept;

    /// Has the header of the open file tell what was lost so far, and how many processors there
    /// are: it is still that of an unfinished file. Errors: io_failure.
    Result<void> update_header();

    /// Finishes the file and goes on in the next (FileMode::new_file only, at once instead of at
    /// the limit). Errors: invalid_option; those of making a file: the next buffer will try again.
    Result<void> switch_file();

    /// Returns when every buffer taken so far was written or lost.
    void drain();

    /// Table of a container, cut to size, synced if asked for, final header (EndTime,
    /// BuffersWritten, losses), closed. Errors: the first failure of these, of an earlier file of a
    /// series, or of a sync on the way - such a file stays an unfinished one - else why there is no
    /// file when one was needed. Lost buffers are no error but in the status. Called again it says
    /// the same.
    Result<void> close();

    const LogFileStatus& status() const noexcept;

    /// What is valid of the header buffer of the file that is open, as it is in the file or goes
    /// into it next; empty when none is open. Valid until the next call.
    Bytes header_buffer() const noexcept;

private:
    struct State;
    explicit LogFile(std::unique_ptr<State> state) noexcept;
    void take_view(const FilledBufferView& buffer);
    std::unique_ptr<State> state_;
};

} // namespace etl::trace
