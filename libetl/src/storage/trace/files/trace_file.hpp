// One file of a log: its header buffer, the buffers behind it, what finishes it.
// docs/format/writing.md#crash
#pragma once

#include "trace/files/placement.hpp"
#include "trace/header/header_buffer.hpp"

#include <memory>
#include <vector>

namespace etl::trace {

/// One thread.
class TraceFile {
public:
    /// Creates the file, or empties the one that is there, and writes its header buffer. When that
    /// fails no new file stays behind, and one that was there stays as it was as long as the system
    /// says beforehand that there is no room. Errors: those of HeaderBuffer::make and of `files`;
    /// invalid_option (a pipe takes a sequential file only).
    static Result<std::unique_ptr<TraceFile>>
    create(io::FileFactory& files, const std::string& path, const Recording& recording,
           const LogFileOptions& options, std::u16string_view file_name);

    /// Opens a file to write behind its last buffer; a torn end of an unfinished one is cut off.
    /// When it fails the file stays as it was. Errors: not_found, not_a_trace, malformed,
    /// unsupported (compressed), io_failure.
    static Result<std::unique_ptr<TraceFile>> append_to(io::FileFactory& files,
                                                        const std::string& path,
                                                        const Recording& recording,
                                                        const LogFileOptions& options);

    enum class Put : std::uint8_t { written, no_room };

    /// Puts a buffer where it belongs, if the limit has room for it. `content` is its size
    /// unpacked. Errors: io_failure; then the file is as it was, as far as the system lets us, and
    /// the next buffer goes to the same place.
    Result<Put> put(Bytes packed, std::uint32_t content);

    /// Whether the limit has room for so many bytes more.
    bool has_room(std::uint64_t size) const noexcept { return placement_->next(size).has_value(); }

    /// The last bytes that were put there are none of the file any more: finish cuts them off.
    void take_back(std::uint64_t size) noexcept { placement_->take_back(size); }

    /// Table, size, and the final header if all went well up to there; the first failure comes
    /// back, that of an earlier sync included. A pipe keeps its first header. `counts` are of what
    /// was written here, the header buffer not included.
    Result<void> finish(const FileCounts& counts);

    /// Losses and processors in the header of a file that goes on; EndTime and BuffersWritten stay
    /// those of an unfinished one. A pipe keeps its first header. Errors: io_failure.
    Result<void> update_header(const FileCounts& counts);

    /// Errors: io_failure; what was not synced then is not finished either.
    Result<void> sync();

    const HeaderBuffer& header() const noexcept { return header_; }

    /// The greatest sequence number of a file that is appended to; 0 of a new one.
    std::int64_t last_sequence() const noexcept { return last_sequence_; }

    /// Of the header buffer, as it lies in the file.
    std::uint64_t header_bytes() const noexcept { return header_bytes_; }

    /// Of the table that finish wrote.
    std::uint64_t table_bytes() const noexcept { return table_bytes_; }

private:
    TraceFile(std::unique_ptr<io::WritableFile> file, HeaderBuffer header,
              const LogFileOptions& options)
        : file_(std::move(file)), writes_(*file_, options.preallocate), header_(std::move(header)),
          options_(options) {}

    Result<void> begin(std::uint64_t old_size);
    Result<void> go_on(std::uint64_t end);
    Result<void> empty(std::uint64_t old_size);
    std::uint64_t reserved_size() const noexcept;
    Result<Bytes> framed_header();
    Result<void> write_header();
    Result<void> write_final_header(const FileCounts& counts);
    Result<void> write_table();
    Result<void> cut_to_size();

    std::unique_ptr<io::WritableFile> file_;
    CrashSafeWrites writes_;
    HeaderBuffer header_;
    LogFileOptions options_;
    std::unique_ptr<Placement> placement_;
    std::optional<io::FrameEncoder> header_framer_;
    std::vector<std::byte> header_frame_;
    std::vector<io::FrameSizes> frames_; // of a container
    std::int64_t last_sequence_ = 0;
    std::uint64_t buffers_at_first_ = 1;
    std::uint64_t header_bytes_ = 0;
    std::uint64_t table_bytes_ = 0;
    Result<void> synced_; // the first failure
};

} // namespace etl::trace
