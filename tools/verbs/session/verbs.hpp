// The verbs of machine sessions, in our own words and in those of Windows.
#pragma once

#include "cli/exit_code.hpp"

#include <CLI/CLI.hpp>

namespace cli {

/// Declares a verb. If the command line selects it, it runs and stores its exit code in `exit`.
void add_live(CLI::App& etl, ExitCode& exit);
void add_logman(CLI::App& etl, ExitCode& exit);
void add_record(CLI::App& etl, ExitCode& exit);
void add_session(CLI::App& etl, ExitCode& exit);
void add_tracelog(CLI::App& etl, ExitCode& exit);

} // namespace cli
