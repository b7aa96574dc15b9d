// LogFile: writes the filled buffers of a session to one file or a series of files, with header
// buffers. Handles disk layout, file modes, compression, and disk failures. The counterpart of
// Reader's index pass. docs/writing.md, docs/format/writing.md
#pragma once

#include "codec/codec.hpp"
#include "format/buffer_header.hpp"
#include "io/container.hpp"
#include "io/writable_file.hpp"
#include "trace/recording.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace etl::trace {

/// How a file grows. docs/format/writing.md#modes
enum class FileMode : std::uint8_t {
    sequential, // up to the limit; further buffers are lost
    circular,   // at the limit the oldest buffers are overwritten
    append,   // after the buffers of a finalized file with the same parameters; a new file if none
              // exists
    new_file, // a new file at the limit; `%d` in the path counts from 1
};

/// MaximumFileSize, in the unit stored in the header.
struct SizeLimit {
    enum class Unit : std::uint8_t { megabytes, kilobytes };

    std::uint32_t count = 0; // 0: none
    Unit unit = Unit::megabytes;

    constexpr std::uint64_t bytes() const noexcept {
        return std::uint64_t{count} << (unit == Unit::megabytes ? 20U : 10U);
    }
};

struct LogFileOptions {
    FileMode mode = FileMode::sequential;
    SizeLimit limit;
    bool preallocate = false; // reserve the limit immediately; truncated on close
    bool delay_open = false;  // create the file with the first buffer; not with append
    /// Size of every buffer: a multiple of 512, 1 KB to 16 MB. Windows sessions use at least 4 KB.
    std::uint32_t buffer_size = 64U << 10U;
    codec::Format compression = codec::Format::none; // native, per buffer
    codec::Level level = codec::Level::normal;
    /// With compression: write when the compressed data fills one buffer, as Windows' user-mode
    /// logger does. drain() writes pending data. docs/format/writing.md#gathered
    bool gather = false;
    io::Container container = io::Container::none;
    io::ContainerLevel container_level = io::ContainerLevel::normal;
    Durability durability = Durability::none;
    unsigned threads = 1; // compression threads; 1: the caller only
};

/// Returns the position of the number in the path of a series: `%d`, which must occur exactly once
/// in the file name, with no other `%`. A `%` in a directory name is an ordinary character. npos:
/// not a series path.
std::size_t find_series_number(std::string_view path) noexcept;

/// Memory of one buffer: options.buffer_size bytes. The first 0x48 bytes are reserved for the
/// header.
using BufferMemory = std::unique_ptr<std::byte[]>;

/// A complete buffer in memory owned by the caller. A buffer outside these bounds is lost.
struct FilledBufferView {
    std::byte* memory = nullptr; // options.buffer_size bytes; bytes after `used` may change
    std::uint32_t used = 0;      // valid bytes including the header: 0x48 to buffer_size
    std::uint16_t processor =
        0; // < etl::limits::processors; <= 255 with Lineage::windows7 and unmarked
    std::uint16_t flags = 0; // flags other than PROC_INDEX and COMPRESSED
    std::int64_t sequence = 0;
    std::int64_t time_stamp = 0;  // flush time
    std::int64_t newest_time = 0; // raw timestamp of its newest event; for EndTime
    format::BufferType type = format::BufferType::generic;
    std::optional<std::uint16_t> logger_id{}; // none: that of the recording
};

/// The same, owning its memory, which is not null.
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

/// The first failed write: file and error.
struct WriteFailure {
    std::string path;
    Error error;
};

struct LogFileStatus {
    std::uint64_t buffers_written = 0; // in all files since the start, including header buffers
    std::uint64_t buffers_lost = 0;    // exceeded the limit, or could not be written
    std::uint64_t bytes_written = 0; // size of written buffers in the files, plus container tables
    std::uint32_t files = 0;
    std::string path;     // path of the open file
    bool is_full = false; // sequential file that reached its limit
    std::optional<WriteFailure> failure;
    /// Why the latest processed buffer was lost; none: it was written, or exceeded the limit.
    std::optional<Error> latest_failure;
};

/// Not thread-safe. The file is readable at any time, even after a crash.
class LogFile {
public:
    /// Creates the file (unless delay_open) and writes its header buffer, or opens the file to
    /// append to. `files` must outlive this object. Errors: invalid_option (circular or append with
    /// compression or a container; compression with a container; a preallocated container; a limit
    /// that is missing or smaller than two buffers; a series path without a number, see
    /// find_series_number; a buffer size out of range; names too long for a header buffer); for the
    /// file to append to: not_a_trace, truncated, malformed (different buffer size or clock, fewer
    /// processors, circular, or damaged), unsupported (compressed); not_found, io_failure. On
    /// failure no new file remains, and a file to append to is unchanged; so is a file to replace,
    /// unless the disk failed after it was truncated: docs/format/writing.md#failures. A pipe
    /// accepts only a sequential file (otherwise invalid_option): docs/format/writing.md#pipes.
    static Result<std::unique_ptr<LogFile>> open(const std::string& path,
                                                 const Recording& recording,
                                                 const LogFileOptions& options = {},
                                                 io::FileFactory& files = io::disk());
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;
    /// Leaves the file as after a crash: unfinalized but readable.
    ~LogFile();

    /// Returns memory for a buffer: that of a written buffer, or new memory. Uninitialized.
    BufferMemory memory();

    /// Completes the header and padding of a buffer, compresses it, and writes it. With several
    /// threads, it may still be pending on return; buffers are written in call order. A buffer that
    /// cannot be written is counted as lost; writing continues. After close(), all buffers are
    /// lost.
    void write(FilledBuffer buffer);

    /// The same with memory owned by the caller, which is not used after the call. With one thread
    /// nothing is copied. The header, with the buffer number, is stored in that memory before
    /// anything is written to the file. If memory allocation fails, the buffer is lost.
    void write_view(const FilledBufferView& buffer);

    /// Returns the sequence number for the first buffer: 1, or the next number of a file that is
    /// appended to.
    std::int64_t first_sequence() const noexcept;

    /// Adds lost events to the count in the final header.
    void add_lost_events(std::uint64_t count) noexcept;

    /// Sets a lower bound for EndTime, by the clock of the recording.
    void extend_to(std::int64_t raw_time) noexcept;

    /// Updates the losses and the number of processors in the header of the open file, which
    /// remains unfinalized. Errors: io_failure.
    Result<void> update_header();

    /// Finalizes the file and continues in the next one (FileMode::new_file only), without waiting
    /// for the limit. Errors: invalid_option; those of creating a file, which the next buffer
    /// retries.
    Result<void> switch_file();

    /// Waits until every buffer passed so far is written or lost.
    void drain();

    /// Writes the container table, truncates the file to its size, syncs it if requested, writes
    /// the final header (EndTime, BuffersWritten, losses), and closes the file. Errors: the first
    /// failure of these steps, of an earlier file of a series, or of an earlier sync, after which
    /// the file remains unfinalized; otherwise why a needed file does not exist. Lost buffers are
    /// not an error; they are in the status. Further calls return the same result.
    Result<void> close();

    const LogFileStatus& status() const noexcept;

    /// Returns the valid bytes of the open file's header buffer, as stored or about to be stored;
    /// empty if no file is open. Valid until the next call.
    Bytes header_buffer() const noexcept;

private:
    struct State;
    explicit LogFile(std::unique_ptr<State> state) noexcept;
    void take_view(const FilledBufferView& buffer);
    std::unique_ptr<State> state_;
};

} // namespace etl::trace
