// Whether a query only counts events, and adds up their values. Private to sql.
#pragma once

#include "sql/statement.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace etl::sql {

/// The hidden column of tables of events: how many events a row stands for. 1, unless the query
/// counts events.
inline constexpr std::string_view events_column = "etl_events";

/// How a query asks for events.
struct CountedQuery {
    /// The answer is the same if several events that are equal in all columns that the query uses
    /// are one row with their number in events_column: it reads one table of events, once, and all
    /// that it calculates from several rows are counts, sums, and extremes.
    bool is_counted = false;
    /// If all that the query asks of the column `time` are comparisons with texts, of which each
    /// row must meet all: their number; BETWEEN is two. 0: it asks more.
    std::size_t time_comparisons = 0;
};

/// Whether a table has the hidden column, by its name.
using IsEventTable = std::function<bool(const std::string& name)>;

/// Looks at the words of a query; what it is not sure of is not counted.
CountedQuery counted_query_of(const Statement& statement, const IsEventTable& is_event_table);

/// Whether a function adds up values, so that it needs to know how many events a row stands for.
bool adds_up(const Token& function) noexcept;

} // namespace etl::sql
