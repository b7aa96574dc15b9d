// The verbs of `etl`: each file of tools/ adds its own to the command line.
#pragma once

#include "cli/exit_code.hpp"

#include <CLI/CLI.hpp>

namespace cli {

/// Declares a verb; when the command line asks for it, it runs and leaves its exit code in `exit`.
void add_compress(CLI::App& etl, ExitCode& exit);
void add_decompress(CLI::App& etl, ExitCode& exit);
void add_dump(CLI::App& etl, ExitCode& exit);
void add_info(CLI::App& etl, ExitCode& exit);
void add_check(CLI::App& etl, ExitCode& exit);
void add_generate(CLI::App& etl, ExitCode& exit);
void add_join(CLI::App& etl, ExitCode& exit);
void add_merge(CLI::App& etl, ExitCode& exit);
void add_relog(CLI::App& etl, ExitCode& exit);
void add_repair(CLI::App& etl, ExitCode& exit);
void add_schema(CLI::App& etl, ExitCode& exit);
void add_split(CLI::App& etl, ExitCode& exit);
void add_write(CLI::App& etl, ExitCode& exit);

} // namespace cli
