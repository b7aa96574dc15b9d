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

/// One table: a verb, and what its rows are.
struct TableKind {
    std::string_view name; // `cpu`
    std::string_view by;   // `process`; empty: the table has one form
    bool needs_stacks = false; // facts of Scope::everything
    bool has_processes = true; // --process selects values; otherwise it selects events
    bool needs_schemas = false; // those that the trace contains
    std::unique_ptr<Analyzer> (*make)(const TableOptions& options) = nullptr;
};

/// All tables; the first of a name is its default.
std::span<const TableKind> tables() noexcept;

/// Returns the table; `by` empty: the default one. Null if there is none.
const TableKind* find_table(std::string_view name, std::string_view by) noexcept;

} // namespace etl::analysis
