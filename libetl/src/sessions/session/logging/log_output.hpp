// LogOutput: the files of a session, one after the other, and what became of its buffers. Used by
// the logger thread (before there is one, and for a ring, by who calls). One thread at a time.
// docs/session-internals.md#logger
#pragma once

#include <etl/session.hpp>

#include "format/live_buffers.hpp"
#include "trace/log_file.hpp"

#include <functional>
#include <memory>
#include <string>

namespace etl::session {

struct OutputPlan {
    SessionOptions options; // adopted
    trace::Recording recording;
    std::uint16_t session_id = 0;
    SessionObserver observer;
    /// Told of each file that is begun: its path, the valid bytes of its header buffer, and what of
    /// the session's losses that includes.
    std::function<void(const std::string& path, Bytes header_buffer,
                       const format::LiveLosses& included)>
        begun;
};

/// LogFileOptions as the mode of a session asks for them.
trace::LogFileOptions file_options(const SessionOptions& options);

class LogOutput {
public:
    explicit LogOutput(OutputPlan plan) : plan_(std::move(plan)) {}

    bool is_open() const noexcept { return file_ != nullptr; }

    /// Where there is one already, that one is finished when the new one could be made; what was
    /// lost so far is told in the new one, too (but not in snapshots of a ring, which are by
    /// themselves). `now`: in the session's clock. Errors: those of
    /// making a file.
    Outcome<void> begin(const std::string& path, std::int64_t now);

    /// Why the session cannot go on with this file; success: it can.
    Status verdict() const noexcept { return verdict_; }

    /// Why the latest buffer is not in the file; nothing: it is, or there is no file.
    const std::optional<Failure>& latest_failure() const noexcept { return latest_failure_; }

    /// True: it is in the file, or will be.
    bool write(const trace::FilledBufferView& buffer);

    /// One that there is no file for.
    void add_lost_buffer() noexcept { ++lost_before_; }

    /// Lost before the next buffer.
    void add_lost_events(std::uint64_t count) noexcept;

    /// The header tells what was lost so far, and all buffers taken are in the file. Errors: of the
    /// disk.
    Outcome<void> flush();

    /// The next one of a series. Errors: invalid_parameter; those of making a file.
    Outcome<void> switch_to_next_file(std::int64_t now);

    /// The session went on until `now`, in its clock. There is no file then. Errors: of the disk.
    Outcome<void> finish(std::int64_t now);

    /// Sequence number for the first buffer.
    std::int64_t first_sequence() const noexcept { return file_ ? file_->first_sequence() : 1; }

    // The sums of all files.

    std::uint64_t buffers_written() const noexcept;
    std::uint64_t buffers_lost() const noexcept;

    /// Returns the path of the current file; empty if there is none.
    const std::string& path() const noexcept;

    void tell(SessionEvent::Kind kind, Status status = Status::success, int os_code = 0) const;

private:
    void note_file();
    void judge(std::uint64_t lost_before);
    void judge_failure(const Error& error);

    OutputPlan plan_;
    std::unique_ptr<trace::LogFile> file_;
    std::string told_path_;                              // of the file that was last told of
    std::uint32_t files_ = 0;                            // of file_, that were told of
    std::uint64_t written_before_ = 0, lost_before_ = 0; // by files that are finished
    std::uint64_t events_lost_ = 0;
    format::LiveLosses in_header_; // of file_ as it was begun
    unsigned full_disks_ = 0;      // failures in a row for want of room
    Status verdict_ = Status::success;
    std::optional<Failure> latest_failure_;
};

} // namespace etl::session
