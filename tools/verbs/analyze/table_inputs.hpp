// What tables are computed from: schemas, facts, symbols, and filters. docs/analysis.md
#pragma once

#include "analysis/pass.hpp"
#include "analysis/tables.hpp"
#include "cli/exit_code.hpp"
#include "facts/attributor.hpp"
#include "inputs/schemas.hpp"
#include "verbs/analyze/options.hpp"

#include <expected>
#include <memory>
#include <span>
#include <vector>

namespace cli {

/// A table that is asked for. `options` must outlive it.
struct WantedTable {
    const AnalyzeOptions* options = nullptr;
    const etl::analysis::TableForm* form = nullptr;
    CompiledFilters filters;
    etl::facts::ProcessSelection processes;
};

/// The tables, and what all of them share.
struct TableInputs {
    etl::schema::SchemasByTrace schemas;
    std::shared_ptr<const etl::facts::FactsByTrace> facts;
    std::shared_ptr<etl::gather::StoreSymbols> symbols; // null: none
    std::vector<WantedTable> tables;
    std::vector<etl::facts::Origin> origins; // by scope; empty: one machine and boot
};

/// Reads what the tables need to know before the first event, once for all. The options name the
/// same traces and schemas. Errors are printed.
std::expected<TableInputs, ExitCode> inputs_of(std::span<const AnalyzeOptions> options,
                                               const Traces& traces);

/// Whether the traces are read for facts before the pass that computes the tables.
bool needs_facts(std::span<const AnalyzeOptions> options);

/// How a pass over traces computes a table; without what differs between traces.
etl::analysis::PassOptions pass_options_of(const WantedTable& table, const TableInputs& inputs);

/// Prints what filters did not match, once for tables with the same filters.
void report_filters(const TableInputs& inputs);

} // namespace cli
