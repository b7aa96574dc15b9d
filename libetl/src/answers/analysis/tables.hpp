// The analyzers, by table. docs/analysis.md
#pragma once

#include "analysis/analyzer.hpp"
#include "match/regex.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::analysis {

using Regexes = std::vector<std::shared_ptr<const match::Regex>>;

/// Which stacks `stacks` counts. Each list that is not empty must contain a match.
struct StackFilter {
    std::vector<std::uint32_t> threads{};
    Regexes processes{};                // names of processes
    Regexes functions{};                // of any frame, as `module!function`
    Regexes events{};                   // `provider/event`
    std::vector<std::uint16_t> hooks{}; // kernel events that match in addition to `events`
};

struct TableOptions {
    /// Of `stats --by slice`, `interrupts --by slice`, and `timeline`; 1 to
    /// limits::analysis_slices.
    std::size_t slices = 60;
    /// `cpu` by process, thread, and processor, and `timeline`: DPCs and ISRs are not part of the
    /// running time.
    bool excludes_interrupts = false;
    /// Of the histogram of `interrupts`. 0: counts of 0, 1, 2 to 3, 4 to 7, ... microseconds. N,
    /// at least 2: up to 1, N, N * N, ... microseconds.
    std::uint64_t bucket_factor = 0;
    StackFilter stacks{};
    bool has_process_ids = true; // `flame`: names of processes contain their IDs
    std::size_t per_kind = 20;   // of `slowest`; 1 to limits::analysis_slowest
    /// Of `counters` and `flame` of counters: number or name of the only source that counts,
    /// without regard to case; empty: all.
    std::string source{};
};

/// Whether Windows has a source of samples of this name, such as `CacheMisses` (KPROFILE_SOURCE of
/// its headers, without the prefix); without regard to case.
bool is_usual_counter(std::string_view name) noexcept;

/// What must be known before the events are read.
enum class TableNeeds : std::uint8_t {
    nothing,           // empty facts
    processes,         // facts of Scope::processes
    all_facts,         // facts of Scope::everything
    schemas,           // those that the trace contains
    facts_and_schemas, // both, all of them
};

/// How the parts of a table add up: combine().
enum class PartsOf : std::uint8_t {
    none,    // they do not: its rows depend on events anywhere in the trace
    added,   // rows with the same keys are added
    carried, // the same, with what began in one part and ended in another
};

/// One table: a verb, and what its rows are.
struct TableKind {
    std::string_view name; // `cpu`
    std::string_view by;   // `process`; empty: the table has one form
    TableNeeds needs = TableNeeds::nothing;
    bool has_processes = true; // --process selects values; otherwise it selects events
    std::unique_ptr<Analyzer> (*make)(const TableOptions& options) = nullptr;
    PartsOf parts = PartsOf::none;
    bool is_order_free = false; // the order of the events does not matter: run_in_parallel()
    bool needs_range = false;   // PassOptions::range
};

/// All tables; the first of a name is its default.
std::span<const TableKind> tables() noexcept;

/// Returns the table; `by` empty: the default one. Null if there is none.
const TableKind* find_table(std::string_view name, std::string_view by) noexcept;

} // namespace etl::analysis
