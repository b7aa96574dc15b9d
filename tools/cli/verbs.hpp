// The verbs of `etl`. Each is declared in its own source; help, completion, and man pages are made
// of the declarations.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

#include <string>
#include <vector>

namespace cli {

/// VERB(name, names): add_NAME() declares verbs, whose names are separated by blanks; empty: it
/// needs all other verbs. The order is that of the help.
#define ETL_VERBS(VERB)                                                                            \
    VERB(view, "view")                                                                             \
    VERB(dump, "dump")                                                                             \
    VERB(export, "export")                                                                         \
    VERB(packets, "pcapng packets flows")                                                          \
    VERB(report, "report")                                                                         \
    VERB(info, "info")                                                                             \
    VERB(check, "check")                                                                           \
    VERB(index, "index")                                                                           \
    VERB(generate, "generate")                                                                     \
    VERB(schema, "schema")                                                                         \
    VERB(relog, "relog")                                                                           \
    VERB(merge, "merge")                                                                           \
    VERB(join, "join")                                                                             \
    VERB(split, "split")                                                                           \
    VERB(symbols, "symbols")                                                                       \
    VERB(repair, "repair")                                                                         \
    VERB(compress, "compress")                                                                     \
    VERB(decompress, "decompress")                                                                 \
    VERB(write, "write")                                                                           \
    VERB(tables, names_of_tables())                                                                \
    VERB(flame, "flame")                                                                           \
    VERB(sql, "sql")                                                                               \
    VERB(live, "live")                                                                             \
    VERB(record, "record")                                                                         \
    VERB(session, "session")                                                                       \
    VERB(logman, "logman")                                                                         \
    VERB(tracelog, "tracelog")                                                                     \
    VERB(tracerpt, "tracerpt")                                                                     \
    VERB(tracefmt, "tracefmt")                                                                     \
    VERB(wevtutil, "wevtutil")                                                                     \
    VERB(xperf, "xperf")                                                                           \
    VERB(mcp, "")                                                                                  \
    VERB(help, "")

/// Declares a verb. If the command line selects it, it runs and stores its exit code in `exit`.
#define ETL_DECLARE_VERB(name, names) void add_##name(Verb& etl, ExitCode& exit);
ETL_VERBS(ETL_DECLARE_VERB)
#undef ETL_DECLARE_VERB

/// Returns the names of the verbs that add_tables() declares: cpu, waits, ..., and top, diff,
/// combine.
std::string names_of_tables();

/// Prints the help of the verb that `words` name, of `etl` if there are none. Returns the exit
/// code.
int print_help(const Verb& etl, const std::vector<std::string>& words);

} // namespace cli
