// The files of a log, one after the other: how they are named, when the next one follows, and
// whole buffers on their way into the one that is open. docs/format/writing.md#modes
#pragma once

#include "trace/files/log_counts.hpp"
#include "trace/files/packing_line.hpp"
#include "trace/files/trace_file.hpp"

#include <memory>
#include <string>

namespace etl::trace {

/// A log of one file is a series that ends with its first. One thread.
class FileSeries {
public:
    /// `files` and `counts` outlive this object.
    FileSeries(std::string path, const Recording& recording, const LogFileOptions& options,
               io::FileFactory& files, LogCounts& counts);

    /// Makes the file whose turn it is. Errors: those of TraceFile.
    Result<void> open();

    /// Makes sure that a file is open. A failure is kept, and the next call tries again.
    bool ensure_open();

    /// Whether a file is open that may have room for buffers.
    bool accepts_buffers() { return !counts_.status().is_full && ensure_open(); }

    bool is_open() const noexcept { return file_ != nullptr; }

    /// The one that is open.
    TraceFile& file() noexcept { return *file_; }

    /// True when the buffer got into a file.
    bool put(const PackedBuffer& packed);

    /// Bytes that need not begin or end where a buffer does, into the open file. Errors: those of
    /// TraceFile::put.
    Result<TraceFile::Put> put_part(Bytes bytes) { return file_->put(bytes, options_.buffer_size); }

    /// What was written lasts, if that was asked for at every buffer.
    void sync();

    /// The open file has no room for a buffer: whether the next one may have. If there is none,
    /// the log is full.
    bool may_go_on();

    /// Finishes the file of a series that is not the last one. A failure is kept and ends nothing.
    void leave();

    /// Finishes the last file, which is made for it if there is none but something to say in one.
    /// Errors: the first failure to finish one of the files, else the last one to make one. Called
    /// again it says the same.
    Result<void> close();

    bool is_closed() const noexcept { return is_closed_; }

    /// Why the latest file could not be made, if so.
    const Result<void>& last_open() const noexcept { return last_open_; }

private:
    bool is_owed_a_file() const noexcept;
    bool put(Bytes bytes);
    void finish(std::int64_t end_time);

    std::string pattern_; // the path as it was given
    Recording recording_;
    LogFileOptions options_;
    io::FileFactory& files_;
    LogCounts& counts_;
    std::unique_ptr<TraceFile> file_; // null: delayed, or could not be made
    unsigned number_ = 1;             // of the file in a series
    Result<void> last_open_;
    Result<void> finished_; // the first failure
    bool is_closed_ = false;
};

} // namespace etl::trace
