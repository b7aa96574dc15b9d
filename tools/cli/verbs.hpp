// The verbs of `etl`, each defined in its own file.
#pragma once

#include "cli/exit_code.hpp"

#include <CLI/CLI.hpp>

#include <string_view>

namespace cli {

/// Declares a verb. If the command line selects it, it runs and stores its exit code in `exit`.
void add_compress(CLI::App& etl, ExitCode& exit);
void add_decompress(CLI::App& etl, ExitCode& exit);
void add_dump(CLI::App& etl, ExitCode& exit);
void add_export(CLI::App& etl, ExitCode& exit);
void add_info(CLI::App& etl, ExitCode& exit);
void add_check(CLI::App& etl, ExitCode& exit);
void add_generate(CLI::App& etl, ExitCode& exit);
void add_join(CLI::App& etl, ExitCode& exit);
void add_merge(CLI::App& etl, ExitCode& exit);
/// The verbs about packet captures: pcapng, packets, flows.
void add_packets(CLI::App& etl, ExitCode& exit);
void add_relog(CLI::App& etl, ExitCode& exit);
void add_repair(CLI::App& etl, ExitCode& exit);
void add_schema(CLI::App& etl, ExitCode& exit);
void add_split(CLI::App& etl, ExitCode& exit);
void add_symbols(CLI::App& etl, ExitCode& exit);
void add_tracerpt(CLI::App& etl, ExitCode& exit);
void add_tracefmt(CLI::App& etl, ExitCode& exit);
void add_wevtutil(CLI::App& etl, ExitCode& exit);
void add_xperf(CLI::App& etl, ExitCode& exit);
void add_write(CLI::App& etl, ExitCode& exit);
/// The verbs that print tables: cpu, waits, ...
void add_tables(CLI::App& etl, ExitCode& exit);
/// Whether add_tables() declares a verb of this name.
bool is_table_verb(std::string_view name);

} // namespace cli
