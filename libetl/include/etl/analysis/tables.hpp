// The analyzers, by table. docs/analysis.md
#pragma once

#include <etl/analysis/analyzer.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace etl::analysis {

struct TableOptions {
    std::size_t slices = 60; // of `stats --by slice` and `timeline`; 1 to limits::analysis_slices
};

/// What must be known before the events are read.
enum class TableNeeds : std::uint8_t {
    nothing,        // empty facts
    processes,      // facts of Scope::processes
    late_processes, // the same, or PassOptions::collects_facts
    all_facts,      // facts of Scope::everything
    schemas,        // those that the trace contains
    range,          // PassOptions::range
};

/// One table: a verb, and what its rows are.
struct TableKind {
    std::string_view name; // `cpu`
    std::string_view by;   // `process`; empty: the table has one form
    TableNeeds needs = TableNeeds::nothing;
    bool has_processes = true; // --process selects values; otherwise it selects events
    std::unique_ptr<Analyzer> (*make)(const TableOptions& options) = nullptr;
    bool is_order_free = false; // the order of the events does not matter: run_in_parallel()
};

/// All tables; the first of a name is its default.
std::span<const TableKind> tables() noexcept;

/// Returns the table; `by` empty: the default one. Null if there is none.
const TableKind* find_table(std::string_view name, std::string_view by) noexcept;

} // namespace etl::analysis
