// Tables of parts of traces, and what they add up to. docs/parts.md#tables
#pragma once

#include "analysis/dataset_parts.hpp"
#include "analysis/parts.hpp"
#include "cli/exit_code.hpp"
#include "cli/progress.hpp"
#include "verbs/analyze/analyze.hpp"
#include "verbs/analyze/table_inputs.hpp"

#include <expected>
#include <optional>
#include <span>
#include <string>

namespace cli {

/// Why parts of a table would not add up to it; empty: they do.
std::string problem_of_parts(const AnalyzeOptions& options);

/// Computes a part of the table of the options, and writes it for `etl combine`. Prints why it
/// cannot.
ExitCode write_part(const AnalyzeOptions& options);

/// A table of which a part, or a window, is wanted. The bar must outlive it.
etl::analysis::DividedTable divided_table_of(const WantedTable& table, const TableInputs& inputs,
                                             ProgressBar& bar);

/// Returns the table of all traces from all parts, in the order of their numbers; without ratios.
/// Prints why it cannot.
std::expected<etl::analysis::Table, ExitCode>
combined(const etl::analysis::TableForm& form, std::span<const etl::analysis::PartFile> parts);

/// `etl combine`.
void add_combine(Verb& etl, ExitCode& exit);

} // namespace cli
