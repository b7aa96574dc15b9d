// The tables: what each is, who shows it, and what computes it. docs/analysis.md
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/tracks.hpp"
#include "match/regex.hpp"

#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
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

class TrackRecorder;

/// Of `tracks`.
struct TrackOptions {
    /// Those that are wanted; empty: all.
    std::vector<TrackKind> kinds{};
    /// Bins of 2^shift ticks; none: by TableOptions::slices.
    std::optional<unsigned> shift{};
    /// What is earlier is left out; none: what is before the range. Raw.
    std::optional<std::int64_t> begin{};
    /// Events, and intervals that began earlier, are left out, unless those are open at the end.
    std::int64_t since = std::numeric_limits<std::int64_t>::min();
    bool has_open = true;              // intervals that have not ended in the range
    bool has_rows = true;              // otherwise, only Table::bins
    bool has_sources = true;           // otherwise, nothing is read for the coverage alone
    TrackRecorder* recorder = nullptr; // of an index, instead of a table; null: none
};

struct TableOptions {
    /// Of `stats --by slice`, `interrupts --by slice`, and `timeline`; of `tracks`, at least so
    /// many. 1 to limits::analysis_slices.
    std::size_t slices = 60;
    /// `cpu` by process, thread, and processor, and `timeline`: DPCs and ISRs are not part of the
    /// running time.
    bool excludes_interrupts = false;
    /// Of the histogram of `interrupts`. 0: counts of 0, 1, 2 to 3, 4 to 7, ... microseconds. N,
    /// at least 2: up to 1, N, N * N, ... microseconds.
    std::uint64_t bucket_factor = 0;
    StackFilter stacks{};
    bool has_process_ids = true;  // `flame`: names of processes contain their IDs
    bool has_image_paths = false; // `flame`: frames have StackFrame::path, and differ by it
    std::size_t per_kind = 20;    // of `slowest`; 1 to limits::analysis_slowest
    /// Of `counters` and `flame` of counters: number or name of the only source that counts,
    /// without regard to case; empty: all.
    std::string source{};
    TrackOptions tracks{};
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
    processes_and_schemas,
};

/// How the parts of a table add up: combine().
enum class PartsOf : std::uint8_t {
    none,    // they do not: its rows depend on events anywhere in the trace
    added,   // rows with the same keys are added
    carried, // the same, with what began in one part and ended in another
};

/// An option of the verb of a table, besides those that all of them have.
enum class TableOption : std::uint8_t {
    slices,             // TableOptions::slices
    without_interrupts, // TableOptions::excludes_interrupts
    source,             // TableOptions::source, of TableKind::counters
    per_kind,           // TableOptions::per_kind
    track_kinds,        // TrackOptions::kinds
    symbols,            // it has names of functions
};

/// A set of them.
class TableOptionSet {
public:
    constexpr TableOptionSet(std::initializer_list<TableOption> options = {}) noexcept {
        for (const TableOption option : options) {
            bits_ |= 1U << static_cast<unsigned>(option);
        }
    }

    constexpr bool contains(TableOption option) const noexcept {
        return (bits_ >> static_cast<unsigned>(option) & 1U) != 0;
    }

private:
    unsigned bits_ = 0;
};

/// Which verbs show a form besides its own; 0: this one does not. Each shows the forms in the order
/// of its numbers; equal ones in the order of tables().
struct TablePlaces {
    std::uint8_t report = 0;   // `etl report`
    std::uint8_t brief = 0;    // `etl report --brief`, of what the report shows
    std::uint8_t top = 0;      // `etl top --by`
    std::uint8_t tracerpt = 0; // 10 x the first level of `etl tracerpt -rl` that has it, and more
};

struct TableKind;

/// One form of a table: what its rows are.
struct TableForm {
    const TableKind* kind = nullptr; // set by forms_of()
    std::string_view by{};           // `process`; empty: the table has one form
    TableNeeds needs = TableNeeds::nothing;
    bool has_processes = true; // --process selects values; otherwise it selects events
    /// Makes the analyzer of one trace; never null.
    std::unique_ptr<Analyzer> (*make)(const TableOptions& options) = nullptr;
    PartsOf parts = PartsOf::none;
    /// Names what the events before a window leave behind, which an index contains (states.hpp):
    /// forms with the same name can begin with the same. Empty: all events before it are read,
    /// unless the form is_local().
    std::string_view state{};
    /// `by` of the form of the same kind whose table of the whole trace an index contains, with the
    /// usual options (states.hpp): this form, or one with more key columns, whose rows add up to
    /// those of this one. Empty: none. Those that people look at first, and of few rows.
    std::string_view kept_as{};
    /// Rows do not depend on events before a window, which only say which sources were recorded.
    bool ignores_earlier_events = false;
    /// Columns of which tables of windows that follow each other add up to that of all: they count
    /// single events, or the part of a time that is in the window (window_sums.hpp). Empty: none.
    std::span<const std::string_view> window_sums{};
    bool is_order_free = false; // the order of the events does not matter: run_in_parallel()
    /// Events in a window count with stacks of events before it.
    bool has_earlier_stacks = false;
    bool has_slices = false;  // rows are slices of time; needs PassOptions::range
    bool has_bars = false;    // as text, a line of bars for each column
    std::string_view title{}; // of a part of a page
    /// A filter for the events that a row was made of, with `{column}` for the cells of its keys,
    /// `{address}` and `{port}` for those of the column `peer`, `{process}` for the value of
    /// `process` that is its process (`process == {process}`), and `{text}` for a text that the
    /// lines of the events contain. A row without one of these cells has no filter. Empty: no row
    /// has one.
    std::string_view events{};
    std::string_view events_options{}; // of `etl dump`, with that filter
    TablePlaces places{};

    constexpr bool needs_schemas() const noexcept {
        return needs == TableNeeds::schemas || needs == TableNeeds::facts_and_schemas ||
               needs == TableNeeds::processes_and_schemas;
    }

    constexpr bool needs_processes() const noexcept {
        return needs == TableNeeds::processes || needs == TableNeeds::processes_and_schemas;
    }

    constexpr bool is_local() const noexcept {
        return ignores_earlier_events || parts == PartsOf::added;
    }

    constexpr bool needs_all_facts() const noexcept {
        return needs == TableNeeds::all_facts || needs == TableNeeds::facts_and_schemas;
    }
};

/// A table, described once, in the source that computes it. Verbs, SQL, the C interface, and tests
/// iterate over tables(). docs/adding.md#table
struct TableKind {
    std::string_view name{};     // `cpu`: of the table, and of its verb
    std::string_view summary{};  // of its verb; empty: it has no verb of its own
    std::string_view question{}; // that it answers
    std::string_view examples{}; // of command lines
    TableOptionSet options{};
    bool is_compared = false; // by `etl diff`
    bool is_queried = true;   // a table of SQL
    /// The options that assistants can set besides filters, in place of those for all tables.
    std::string_view mcp_options{};
    std::uint8_t mcp_place = 0; // like TablePlaces, but 0 is the first one
    /// The table that takes the place of this one if --source names a counter.
    const TableKind* counters = nullptr;
    std::span<const TableForm> forms{}; // the first one is the default
};

/// All tables.
std::span<const TableKind* const> tables() noexcept;

/// All forms of all tables, in their order.
std::span<const TableForm* const> table_forms();

/// Returns the forms that a verb shows besides its own, in its order.
std::vector<const TableForm*> forms_in(std::uint8_t TablePlaces::* verb);

/// Returns the table with this name; null if there is none.
const TableKind* find_kind(std::string_view name) noexcept;

/// Returns the form; `by` empty: the default one. Null if there is none.
const TableForm* find_table(std::string_view name, std::string_view by) noexcept;

/// Returns the table of a trace without events, with the default options. Its columns, and the
/// names in Coverage::remainders, are those of all traces, except for columns that tell machines
/// apart (OriginKeys), and for what the ratios are of.
Table empty_table(const TableForm& form);

} // namespace etl::analysis
