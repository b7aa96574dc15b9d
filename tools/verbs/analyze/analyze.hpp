// From traces to tables. docs/analysis.md
#pragma once

#include "analysis/table.hpp"
#include "cli/exit_code.hpp"
#include "verbs/analyze/options.hpp"

#include <expected>
#include <span>
#include <vector>

namespace cli {

/// A table, with the exit code that the traces imply.
struct Analysis {
    etl::analysis::Table table;
    ExitCode exit = ExitCode::well;
};

/// Computes the table of all traces of the options: added, with ratios, and sorted. If it cannot,
/// prints why.
std::expected<Analysis, ExitCode> analyze(const AnalyzeOptions& options);

/// The options of the table that the words ask for: with --source, or by source, `counters`.
AnalyzeOptions of_counters(AnalyzeOptions options);

/// Computes the table `cpu`, and if the traces contain samples of hardware counters that of those.
std::expected<std::vector<Analysis>, ExitCode> analyze_with_counters(const AnalyzeOptions& options);

/// Computes several tables, at least one, and reads the traces once for all. The options name the
/// same traces, schemas, and symbols.
std::expected<std::vector<Analysis>, ExitCode> analyze(std::span<const AnalyzeOptions> options);

/// The same for traces that are open already, which the options name.
std::expected<std::vector<Analysis>, ExitCode> analyze(const Traces& traces,
                                                       std::span<const AnalyzeOptions> options);

/// Computes the ratios of a table, and sorts it. Prints why it cannot.
ExitCode finish_table(etl::analysis::Table& table, const TableRows& rows);

} // namespace cli
