// `etl tracerpt` after the command line is read.
#pragma once

#include "cli/exit_code.hpp"
#include "verbs/tracerpt/options.hpp"

namespace cli {

ExitCode run_tracerpt(const TracerptOptions& options);

} // namespace cli
