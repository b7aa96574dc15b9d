// The options of `etl split`, and the way from the trace to its parts. docs/split.md
#pragma once

#include "cli/console.hpp"
#include "cli/event_filter.hpp"
#include "cli/exit_code.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"
#include "outputs/trace_output.hpp"
#include "rewrite/splitting.hpp"

#include <string>

namespace cli {

struct SplitVerbOptions {
    FilterOptions filters;
    TraceOptions traces;
    SchemaOptions schemas; // --by process
    TraceOutputOptions output;
    std::string every;
    etl::rewrite::Splitting split; // without output
    bool json = false;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
};

/// Prints the list of parts. Prints errors to standard error.
ExitCode split(const SplitVerbOptions& options);

} // namespace cli
