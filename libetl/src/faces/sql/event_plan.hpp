// The part of a query that the reading of events takes over: which columns are wanted, which
// comparisons with them, and whether equal events may be counted instead of being returned one by
// one. SQLite evaluates all comparisons again, so that a plan may select more than they do, but
// never less; except those with times, if events are counted, and all of them, if the rows of the
// query are events as they are read. Private to sql.
#pragma once

#include "flow/filters.hpp"
#include "match/expression.hpp"
#include "sql/counted_query.hpp"
#include "sql/row_scan.hpp"
#include "sql/scanned_query.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sql {

/// How a column of events can be compared by etl::match, so that at least the rows are found that
/// SQLite finds.
enum class Comparison : std::uint8_t {
    none,
    number,      // = < <= > >=
    text,        // =, LIKE, GLOB
    guid,        // =
    time,        // text of a time: = < <= > >=
    nanoseconds, // the same time as a number
};

/// Where the value of a column comes from.
struct ColumnSource {
    std::string name; // of a key of docs/output.md, or of a field
    bool is_field = false;
    bool is_time_number = false; // the time as a number, which no key has
    Comparison comparison = Comparison::none;
    double share = 1;         // of the events, about, that one value selects
    bool is_of_kinds = false; // all events of a kind have the same value
};

/// Returns the source of a column whose name is that of a key, or `time_ns`.
ColumnSource source_of(std::string_view column);

/// Returns the source of a column of a field.
ColumnSource source_of_field(std::string_view name, Comparison comparison);

/// Whether a pass counts events that are the same to the query.
enum class Counting : std::uint8_t {
    none,
    equal,          // all columns that the query uses are the same
    equal_but_time, // the query only asks whether times are in the window
};

/// What the traces and the table let a pass skip.
struct Skipping {
    bool is_indexed = false; // all traces have an index
    bool is_of_kind = false; // the rows of the table are events of one kind
};

/// Chooses the comparisons of a query, and returns the plan as text, for read_plan() and, after a
/// bracket, for EXPLAIN QUERY PLAN. The table has a hidden column behind `columns`, the number of
/// events of a row; `counted` is how the query uses it. `is_scan`: that of is_scan_of().
std::string choose_plan(sqlite3_index_info& index, std::span<const ColumnSource> columns,
                        const CountedQuery& counted, bool is_scan, const Skipping& skipping);

/// Whether SQLite asks for what the words of a query say, and for nothing else, so that a pass can
/// make all comparisons.
bool is_scan_of(sqlite3_index_info& index, std::span<const ColumnSource> columns,
                const ScannedQuery& scanned);

/// A comparison that a pass makes as SQLite would.
struct ColumnTest {
    std::size_t column = 0;
    RowTest test{}; // without its member
};

/// What the events of one pass must match, and what is wanted of them.
struct EventPlan {
    std::uint64_t used = 0;                 // bit i: column i; bit 63: also those after it
    Counting counting = Counting::none;     // equal_but_time: `window` is exact
    bool is_scan = false;                   // `window` is exact, and so are `exact_tests`
    flow::TimeFilter::Window window{};      // at least the times that were asked for
    std::vector<match::Expression> tests{}; // all must be true
    std::vector<ColumnTest> exact_tests{};  // of a scan: all but those of times
    std::string problem{};                  // why the time cannot be compared; empty: it can

    bool uses(std::size_t column) const noexcept {
        constexpr std::size_t last = 63;
        return (used >> std::min(column, last) & 1U) != 0;
    }
};

/// Reads a plan, with the values of its comparisons.
EventPlan read_plan(std::string_view text, std::span<sqlite3_value*> values,
                    std::span<const ColumnSource> columns);

/// Returns a test whose values are compared as they are written, not as patterns.
match::Expression exact_test(std::string name, std::string_view text);

} // namespace etl::sql
