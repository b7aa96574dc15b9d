// Lines of JSON into what trace::Writer takes: a recording, then records. docs/write.md
#pragma once

#include <etl/lines/line_error.hpp>
#include <etl/lines/preferred_source.hpp>
#include <etl/schema/schema_store.hpp>
#include <etl/trace/recording.hpp>

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::lines {

/// Gives the schemas from outside, frozen; asked when the first line needs them, then not again.
using SchemaLoader = std::function<std::shared_ptr<const schema::SchemaStore>()>;

/// Bytes of memory that must follow each line: they may be read, and mean nothing.
extern const std::size_t line_padding;

/// One trace. First it looks at some lines, then all of them come. One thread.
class LineTrace {
public:
    /// `schemas` may be empty: none from outside.
    LineTrace(SchemaLoader schemas, PreferredSource prefer);
    ~LineTrace();
    LineTrace(const LineTrace&) = delete;
    LineTrace& operator=(const LineTrace&) = delete;

    /// A line from the beginning, which will come again. line_padding bytes follow it.
    void inspect(std::string_view line, std::uint64_t number);

    /// False: looking at further lines would change nothing.
    bool needs_more_lines() const noexcept;

    /// What the trace says of itself. Once, before the first make().
    trace::Recording begin();

    /// Whether begin() went by a log file header.
    bool has_header() const noexcept;

    /// The records go into a trace that is there already, not into one that begins as begin() says.
    void continue_trace(const trace::Recording& recording);

    struct LineRecord {
        std::uint16_t processor = 0;
        Bytes record; // empty: the line is no event, but says something of the trace
    };

    /// The record of a line; `number` as it was shown, 0: it was not. line_padding bytes follow the
    /// line. Valid until the next call.
    LineResult<LineRecord> make(std::string_view line, std::uint64_t number);

    /// Log file headers behind the one that the trace has.
    std::uint64_t further_headers() const noexcept;

    const std::vector<std::string>& unknown_keys() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::lines
