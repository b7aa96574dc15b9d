#include "trace/files/log_counts.hpp"

#include "flow/clock.hpp"

#include <algorithm>

namespace etl::trace {

void LogCounts::begin_file(std::uint64_t header_bytes) noexcept {
    buffers_in_file_ = 0;
    ++status_.files;
    if (header_bytes != 0) {
        ++status_.buffers_written;
        status_.bytes_written += header_bytes;
    }
}

void LogCounts::add_written(std::int64_t newest_time, std::uint16_t processor) noexcept {
    ++status_.buffers_written;
    ++buffers_in_file_;
    extend_to(newest_time);
    processors_ = std::max(processors_, processor + 1U);
}

void LogCounts::extend_to(std::int64_t raw_time) noexcept {
    newest_time_ = std::max(newest_time_, raw_time);
}

void LogCounts::keep(const Error& error) {
    if (!status_.failure) {
        status_.failure = {.path = status_.path, .error = error};
    }
}

void LogCounts::keep_latest(const Error& error) {
    status_.latest_failure = error;
    keep(error);
}

void LogCounts::lose(const Error& error) {
    ++status_.buffers_lost;
    keep_latest(error);
}

FileCounts LogCounts::losses() const noexcept {
    return {.processors = processors_,
            .events_lost = events_lost_,
            .buffers_lost = status_.buffers_lost};
}

FileCounts LogCounts::final(const HeaderBuffer& header, std::int64_t end_time) const {
    const format::LogfileHeader& fields = header.header();
    const std::int64_t reference = header.reference_time();
    const std::int64_t newest =
        flow::Clock(fields, reference).to_filetime(std::max(newest_time_, reference)).ticks;
    constexpr std::int64_t earliest_end = 1; // 0 would say that it is not finished
    FileCounts counts = losses();
    counts.end_time = end_time != 0 ? end_time : std::max({newest, fields.end_time, earliest_end});
    counts.buffers_written = buffers_in_file_;
    return counts;
}

} // namespace etl::trace
