// The verbs of `etl`, each defined in its own file.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

#include <string_view>

namespace cli {

/// Declares a verb. If the command line selects it, it runs and stores its exit code in `exit`.
void add_compress(Verb& etl, ExitCode& exit);
void add_decompress(Verb& etl, ExitCode& exit);
void add_dump(Verb& etl, ExitCode& exit);
void add_export(Verb& etl, ExitCode& exit);
void add_info(Verb& etl, ExitCode& exit);
void add_check(Verb& etl, ExitCode& exit);
void add_generate(Verb& etl, ExitCode& exit);
void add_join(Verb& etl, ExitCode& exit);
void add_merge(Verb& etl, ExitCode& exit);
/// The verbs about packet captures: pcapng, packets, flows.
void add_packets(Verb& etl, ExitCode& exit);
void add_relog(Verb& etl, ExitCode& exit);
void add_repair(Verb& etl, ExitCode& exit);
void add_schema(Verb& etl, ExitCode& exit);
void add_split(Verb& etl, ExitCode& exit);
void add_symbols(Verb& etl, ExitCode& exit);
void add_tracerpt(Verb& etl, ExitCode& exit);
void add_tracefmt(Verb& etl, ExitCode& exit);
void add_wevtutil(Verb& etl, ExitCode& exit);
void add_xperf(Verb& etl, ExitCode& exit);
void add_write(Verb& etl, ExitCode& exit);
/// The verbs that print tables: cpu, waits, ...
void add_tables(Verb& etl, ExitCode& exit);
/// Whether add_tables() declares a verb of this name.
bool is_table_verb(std::string_view name);

} // namespace cli
