// The options of the verbs that print tables. docs/analysis.md
#pragma once

#include "analysis/table.hpp"
#include "analysis/tables.hpp"
#include "analysis/window_sums.hpp"
#include "cli/console.hpp"
#include "cli/event_filter.hpp"
#include "cli/exit_code.hpp"
#include "inputs/schemas.hpp"
#include "inputs/symbol_path.hpp"
#include "inputs/traces.hpp"
#include "outputs/table_output.hpp"
#include "trace/parts.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cli {

struct AnalyzeOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    SymbolPathOptions symbols; // for names of functions
    FilterOptions filters;
    etl::analysis::TableOptions table;
    double slice_seconds = 0;   // of a timeline, about; 0: as many slices as `table` has
    std::string verb;           // `cpu`
    std::string by;             // empty: the default
    bool adds_machines = false; // rows of several machines and boots are added, not told apart
    std::string source; // of `cpu`: counter whose samples are counted, or `all`; empty: of time
    TableRows rows;
    std::optional<TableFormat> format; // none: by the extension of the output, else text
    BigNumbers big_numbers = BigNumbers::number;
    std::string output = "-";
    bool force = false;
    unsigned pointer_size = 0;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
    /// Filled with what the table has in slices, if there is one trace of one machine and boot;
    /// null: not wanted.
    std::shared_ptr<etl::analysis::WindowSums> sums{};
    std::optional<etl::trace::Part> part; // none: all of the traces
    bool is_partial = false;              // the output is for `etl combine`
    /// The options that decide what a part contains, and their values, as given.
    std::vector<std::pair<std::string, std::string>> words;
};

// What etl diff shares with the verbs that print one table.

/// Schemas, filters, output: all options except --by and the traces. `has_symbols`: and --symbols.
void add_common_options(Verb& verb, AnalyzeOptions& options, bool has_symbols);

/// Prints the rows that the options select, and the coverage.
ExitCode print_table(const AnalyzeOptions& options, const etl::analysis::Table& table,
                     TableFormat format);

} // namespace cli
