#include "fromjson/line_trace.hpp"

#include "fromjson/line_records.hpp"
#include "fromjson/trace_plan.hpp"

#include <unordered_set>
#include <utility>

namespace etl::fromjson {

const std::size_t line_padding = EventLineReader::padding;

struct LineTrace::State {
    State(SchemaLoader schemas, PreferredSource which)
        : prefer(which), planner(reader, which), records(reader, std::move(schemas), which) {}

    LineResult<LineRecord> skip_header(const EventLine& line);

    PreferredSource prefer;
    bool has_header = false;
    EventLineReader reader;
    TracePlanner planner;
    LineRecords records;
    std::unordered_set<std::uint64_t> used;
    std::uint64_t further_headers = 0;
};

LineResult<LineTrace::LineRecord> LineTrace::State::skip_header(const EventLine& line) {
    records.distrust_raw_times();
    if (const auto recording = recording_of(line, reader, prefer); !recording) {
        return std::unexpected(recording.error());
    }
    if (!has_header) {
        return std::unexpected(LineError{"", "the log file header must precede the events"});
    }
    ++further_headers;
    return LineRecord{};
}

LineTrace::LineTrace(SchemaLoader schemas, PreferredSource prefer)
    : state_(std::make_unique<State>(std::move(schemas), prefer)) {}

LineTrace::~LineTrace() = default;

void LineTrace::inspect(std::string_view line, std::uint64_t number) {
    state_->planner.inspect(line, number);
}

bool LineTrace::needs_more_lines() const noexcept {
    return state_->planner.needs_more_lines();
}

trace::Recording LineTrace::begin() {
    State& s = *state_;
    TracePlan plan = s.planner.take(s.records);
    s.has_header = plan.has_header;
    s.used = std::move(plan.used);
    s.records.set_trace(*plan.recording, plan.raw_times);
    return *std::move(plan.recording);
}

bool LineTrace::has_header() const noexcept {
    return state_->has_header;
}

void LineTrace::continue_trace(const trace::Recording& recording) {
    state_->records.set_trace(recording, RawTimes::foreign);
}

LineResult<LineTrace::LineRecord> LineTrace::make(std::string_view line, std::uint64_t number) {
    State& s = *state_;
    if (number != 0 && s.used.contains(number)) {
        return LineRecord{};
    }
    const auto read = s.reader.read(line);
    if (!read) {
        return std::unexpected(read.error());
    }
    const EventLine& event = **read;
    if (is_logfile_header(event)) {
        return s.skip_header(event);
    }
    const auto record = s.records.make(event);
    if (!record) {
        return std::unexpected(record.error());
    }
    return LineRecord{event.cpu, *record, !event.time_is_null};
}

std::uint64_t LineTrace::further_headers() const noexcept {
    return state_->further_headers;
}

const std::vector<std::string>& LineTrace::unknown_keys() const noexcept {
    return state_->reader.unknown_keys();
}

} // namespace etl::fromjson
