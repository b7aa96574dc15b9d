#include "write/line_trace.hpp"

namespace lines {

etl::trace::Recording LineTrace::begin() {
    TracePlan plan = planner_.take(records_);
    has_header_ = plan.has_header;
    used_ = std::move(plan.used);
    records_.set_trace(*plan.recording, plan.raw_times);
    return *std::move(plan.recording);
}

std::expected<LineTrace::Made, LineError> LineTrace::make(std::string_view line,
                                                          std::uint64_t number) {
    if (number != 0 && used_.contains(number)) {
        return Made{};
    }
    const auto read = reader_.read(line);
    if (!read) {
        return std::unexpected(read.error());
    }
    const EventLine& event = **read;
    if (is_logfile_header(event)) {
        return make_nothing_of_header(event);
    }
    const auto record = records_.make(event);
    if (!record) {
        return std::unexpected(record.error());
    }
    return Made{event.cpu, *record};
}

std::expected<LineTrace::Made, LineError> LineTrace::make_nothing_of_header(const EventLine& line) {
    records_.distrust_raw_times();
    if (const auto recording = recording_of(line, reader_, prefer_); !recording) {
        return std::unexpected(recording.error());
    }
    if (!has_header_) {
        return std::unexpected(
            LineError{"", "a log file header counts only in front of the events"});
    }
    ++further_headers_;
    return Made{};
}

} // namespace lines
