#include "write/line_trace.hpp"

#include <etl/base/limits.hpp>

namespace lines {

etl::trace::Recording LineTrace::begin() {
    TracePlan plan = planner_.take();
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
        ++further_headers_;
        records_.distrust_raw_times();
        return Made{};
    }
    if (event.cpu >= etl::limits::processors) {
        return std::unexpected(LineError{"cpu", "is no number from 0 to 2047"});
    }
    const auto record = records_.make(event);
    if (!record) {
        return std::unexpected(record.error());
    }
    return Made{event.cpu, *record};
}

} // namespace lines
