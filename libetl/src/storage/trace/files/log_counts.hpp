// What became of the buffers of a log, and what its header has to say about it.
#pragma once

#include "trace/header/header_buffer.hpp"
#include "trace/log_file.hpp"

namespace etl::trace {

/// One thread.
class LogCounts {
public:
    explicit LogCounts(std::int64_t reference_time) noexcept : newest_time_(reference_time) {}

    const LogFileStatus& status() const noexcept { return status_; }

    /// Buffers in the open file, behind its header buffer.
    std::uint64_t buffers_in_file() const noexcept { return buffers_in_file_; }

    /// The file that is about to be opened.
    void set_path(std::string path) { status_.path = std::move(path); }

    /// It is open. `header_bytes` 0: it was there before, and is appended to.
    void begin_file(std::uint64_t header_bytes) noexcept;

    void add_bytes(std::uint64_t bytes) noexcept { status_.bytes_written += bytes; }

    /// A buffer whose bytes are all in the file.
    void add_written(std::int64_t newest_time, std::uint16_t processor) noexcept;

    void add_lost(std::uint64_t buffers) noexcept { status_.buffers_lost += buffers; }

    void add_lost_events(std::uint64_t events) noexcept { events_lost_ += events; }

    void extend_to(std::int64_t raw_time) noexcept;

    /// Nothing more gets into the log.
    void set_full() noexcept { status_.is_full = true; }

    /// The next buffer is looked at.
    void forget_latest_failure() noexcept { status_.latest_failure.reset(); }

    /// The first failure stays; nothing is lost for it yet.
    void keep(const Error& error);

    /// Why the buffer at hand is about to be lost.
    void keep_latest(const Error& error);

    void lose(const Error& error);

    bool has_losses() const noexcept { return events_lost_ != 0 || status_.buffers_lost != 0; }

    /// For the header of a file that goes on.
    FileCounts losses() const noexcept;

    /// For the header of a file that is finished. `end_time` 0: that of the newest event.
    FileCounts final(const HeaderBuffer& header, std::int64_t end_time) const;

private:
    LogFileStatus status_;
    std::uint64_t events_lost_ = 0;
    std::int64_t newest_time_;
    std::uint32_t processors_ = 0;
    std::uint64_t buffers_in_file_ = 0;
};

} // namespace etl::trace
