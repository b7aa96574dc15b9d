// The options of `etl relog`, and the way from the traces to the output. docs/relog.md
#pragma once

#include "cli/console.hpp"
#include "cli/event_filter.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"
#include "outputs/anonymizing.hpp"
#include "outputs/embedding.hpp"
#include "outputs/trace_output.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

struct RelogOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    FilterOptions filters;
    TraceOutputOptions output;
    Anonymizing anonymizing;
    Embedding embedding;
    etl::trace::Order order = etl::trace::Order::time; // or Order::recorded
    bool keeps_compression = true;                     // of the input, without --compress
    bool with_context = true;
    bool drop_undecodable = false;
    unsigned pointer_size = 0; // as in decode::DecoderOptions
    std::uint32_t downsample = 1;
    std::optional<std::int64_t> time_offset; // of 100 ns
    std::vector<std::string> inject;         // files of JSON lines
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;

    /// Whether events may be dropped.
    bool drops() const noexcept { return !filters.empty() || drop_undecodable || downsample > 1; }
};

/// Opens, filters, edits, and writes. Prints errors to standard error.
ExitCode relog(RelogOptions& options);

} // namespace cli
