// Lines of JSON into what trace::Writer takes: a recording, then records. docs/write.md
#pragma once

#include "write/line_records.hpp"
#include "write/trace_plan.hpp"

namespace lines {

/// One trace. First it looks at some lines, then all of them come. One thread.
class LineTrace {
public:
    LineTrace(SchemaLoader schemas, Prefer prefer)
        : prefer_(prefer), planner_(reader_, prefer),
          records_(reader_, std::move(schemas), prefer) {}

    LineTrace(const LineTrace&) = delete;
    LineTrace& operator=(const LineTrace&) = delete;

    /// A line from the beginning, which will come again. EventLineReader::padding bytes follow it.
    void look_at(std::string_view line, std::uint64_t number) { planner_.look_at(line, number); }

    /// False: looking at further lines would change nothing.
    bool wants_more() const noexcept { return planner_.wants_more(); }

    /// What the trace says of itself. Once, before the first make().
    etl::trace::Recording begin();

    /// Whether begin() went by a log file header.
    bool has_header() const noexcept { return has_header_; }

    /// The records go into a trace that is there already, not into one that begins as begin() says.
    void continue_trace(const etl::trace::Recording& recording) {
        records_.set_trace(recording, RawTimes::foreign);
    }

    struct Made {
        std::uint16_t processor = 0;
        etl::Bytes record; // empty: the line is no event, but says something of the trace
    };

    /// The record of a line; `number` as it was shown, 0: it was not. Valid until the next call.
    std::expected<Made, LineError> make(std::string_view line, std::uint64_t number);

    /// Log file headers behind the one that the trace has.
    std::uint64_t further_headers() const noexcept { return further_headers_; }

    const std::vector<std::string>& unknown_keys() const noexcept { return reader_.unknown_keys(); }

private:
    std::expected<Made, LineError> make_nothing_of_header(const EventLine& line);

    Prefer prefer_;
    bool has_header_ = false;
    EventLineReader reader_;
    TracePlanner planner_;
    LineRecords records_;
    std::unordered_set<std::uint64_t> used_;
    std::uint64_t further_headers_ = 0;
};

} // namespace lines
