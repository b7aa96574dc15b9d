// What etl diff shares with the verbs that print one table.
#pragma once

#include "analysis/table.hpp"
#include "cli/exit_code.hpp"
#include "verbs/analyze/options.hpp"

namespace cli {

/// Schemas, filters, output: all options except --by and the traces. `has_symbols`: and --symbols.
void add_common_options(Verb& verb, AnalyzeOptions& options, bool has_symbols);

/// Prints the rows that the options select, and the coverage.
ExitCode print_table(const AnalyzeOptions& options, const etl::analysis::Table& table,
                     TableFormat format);

} // namespace cli
