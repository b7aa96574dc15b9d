#include "session/logging/log_output.hpp"

#include "session/logging/log_path.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace etl::session {

namespace {

using Kind = SessionEvent::Kind;

/// So many buffers in a row for which the disk has no room end a session.
constexpr unsigned patience_with_full_disk = 4;

trace::FileMode file_mode(std::uint32_t bits) noexcept {
    if ((bits & mode::circular) != 0) {
        return trace::FileMode::circular;
    }
    if ((bits & mode::append) != 0) {
        return trace::FileMode::append;
    }
    return (bits & mode::new_file) != 0 ? trace::FileMode::new_file : trace::FileMode::sequential;
}

std::uint32_t as_lost_count(std::uint64_t count) noexcept {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
}

} // namespace

trace::LogFileOptions file_options(const SessionOptions& options) {
    constexpr std::uint32_t bytes_per_kb = 1024;
    const bool is_ring = (options.mode & mode::buffering) != 0;
    const bool in_kilobytes = (options.mode & mode::use_kbytes_for_size) != 0;
    trace::LogFileOptions file{.buffer_size = options.buffer_kb * bytes_per_kb,
                               .durability = options.durability};
    if ((options.mode & mode::compressed) != 0) {
        file.compression = codec::Format::xpress;
        // With mapped buffers, one that is free must be in the file.
        file.gather = options.crash_safety == CrashSafety::none;
    }
    if (is_ring) {
        return file; // what is written of it is as large as the ring
    }
    file.mode = file_mode(options.mode);
    file.limit = {.count = options.maximum_file_size,
                  .unit = in_kilobytes ? trace::SizeLimit::Unit::kilobytes
                                       : trace::SizeLimit::Unit::megabytes};
    file.preallocate = (options.mode & mode::preallocate) != 0;
    return file;
}

void LogOutput::tell(Kind kind, Status status, int os_code) const {
    if (!plan_.observer) {
        return;
    }
    try {
        plan_.observer({.kind = kind,
                        .session_id = plan_.session_id,
                        .session_name = plan_.options.name,
                        .file = file_ ? file_->status().path : told_path_,
                        .status = status,
                        .os_code = os_code});
    } catch (...) { // NOLINT(bugprone-empty-catch): a watcher's trouble is none of the session's
    }
}

Outcome<void> LogOutput::begin(const std::string& path, std::int64_t now) {
    trace::Recording recording = plan_.recording;
    if (!told_path_.empty()) {
        recording.header.log_file_name.clear();
    }
    format::LiveLosses included{.events = events_lost_};
    recording.header.events_lost = as_lost_count(recording.header.events_lost + events_lost_);
    if ((plan_.options.mode & mode::buffering) == 0) {
        included.buffers = buffers_lost();
        recording.header.buffers_lost =
            as_lost_count(recording.header.buffers_lost + included.buffers);
    }
    auto opened =
        trace::LogFile::open(path, recording, file_options(plan_.options),
                             plan_.options.files != nullptr ? *plan_.options.files : io::disk());
    if (!opened) {
        return std::unexpected(failure_of(opened.error()));
    }
    if (file_) {
        // What that says has been told; the new one goes on.
        [[maybe_unused]] const auto finished = finish(now);
    }
    file_ = std::move(*opened);
    in_header_ = included;
    files_ = 0;
    full_disks_ = 0;
    verdict_ = Status::success;
    note_file();
    return {};
}

/// A file that was not told of yet.
void LogOutput::note_file() {
    const trace::LogFileStatus& status = file_->status();
    if (status.files == files_) {
        return;
    }
    const bool is_first = told_path_.empty();
    files_ = status.files;
    told_path_ = status.path;
    if (plan_.begun) {
        plan_.begun(told_path_, file_->header_buffer(), in_header_);
    }
    if (!is_first) {
        tell(Kind::new_file);
    }
}

void LogOutput::judge_failure(const Error& error) {
    latest_failure_ = failure_of(error);
    const bool is_switch = file_->status().path != told_path_;
    tell(is_switch ? Kind::file_switch_failed : Kind::write_failed, latest_failure_->status,
         latest_failure_->os_code);
    full_disks_ = latest_failure_->status == Status::disk_full ? full_disks_ + 1 : 0;
    if (full_disks_ == patience_with_full_disk) {
        verdict_ = Status::disk_full;
    }
}

/// What became of buffers since so many were lost.
void LogOutput::judge(std::uint64_t lost_before) {
    const trace::LogFileStatus& status = file_->status();
    note_file();
    if (status.buffers_lost == lost_before) {
        latest_failure_.reset();
        full_disks_ = 0;
        return;
    }
    if (status.latest_failure) {
        return judge_failure(*status.latest_failure);
    }
    latest_failure_ = Failure{Status::log_file_full, "the file reached its size limit", 0};
    if (status.is_full && verdict_ == Status::success) {
        verdict_ = Status::log_file_full;
        tell(Kind::file_full, Status::log_file_full);
    }
}

bool LogOutput::write(const trace::FilledBufferView& buffer) {
    if (!file_) {
        return false;
    }
    const std::uint64_t lost = file_->status().buffers_lost;
    file_->write_view(buffer);
    try {
        judge(lost);
    } catch (const std::bad_alloc&) { // NOLINT(bugprone-empty-catch): what is told costs memory
    }
    return file_->status().buffers_lost == lost;
}

void LogOutput::add_lost_events(std::uint64_t count) noexcept {
    events_lost_ += count;
    if (file_) {
        file_->add_lost_events(count);
    }
}

Outcome<void> LogOutput::flush() {
    if (!file_) {
        return {};
    }
    const std::uint64_t lost = file_->status().buffers_lost;
    file_->drain();
    if (file_->status().buffers_lost != lost) {
        judge(lost);
    }
    if (const auto updated = file_->update_header(); !updated) {
        return std::unexpected(failure_of(updated.error()));
    }
    return {};
}

Outcome<void> LogOutput::switch_to_next_file(std::int64_t now) {
    if (!file_) {
        return refuse(Status::invalid_parameter, "the session has no file");
    }
    file_->extend_to(now);
    const auto switched = file_->switch_file();
    note_file();
    if (!switched) {
        const Failure failure = failure_of(switched.error());
        if (switched.error().code != ErrorCode::invalid_option) {
            tell(Kind::file_switch_failed, failure.status, failure.os_code);
        }
        return std::unexpected(failure);
    }
    return {};
}

Outcome<void> LogOutput::finish(std::int64_t now) {
    if (!file_) {
        return {};
    }
    file_->extend_to(now);
    const auto closed = file_->close();
    written_before_ += file_->status().buffers_written;
    lost_before_ += file_->status().buffers_lost;
    if (!closed) {
        const Failure failure = failure_of(closed.error());
        tell(Kind::write_failed, failure.status, failure.os_code);
        file_.reset();
        return std::unexpected(failure);
    }
    file_.reset();
    return {};
}

std::uint64_t LogOutput::buffers_written() const noexcept {
    return written_before_ + (file_ ? file_->status().buffers_written : 0);
}

const std::string& LogOutput::path() const noexcept {
    static const std::string none;
    return file_ ? file_->status().path : none;
}

std::uint64_t LogOutput::buffers_lost() const noexcept {
    return lost_before_ + (file_ ? file_->status().buffers_lost : 0);
}

} // namespace etl::session
