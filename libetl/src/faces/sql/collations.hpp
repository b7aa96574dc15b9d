// How texts of queries are compared that stand for times and numbers. Private to sql.
#pragma once

#include <etl/time.hpp>

#include "match/matcher.hpp"
#include "sql/counted_query.hpp"
#include "sql/row_scan.hpp"
#include "sql/scanned_query.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <sqlite3.h>
#include <string>
#include <string_view>

namespace etl::sql {

/// What a running query watches for: values that it would compare wrongly, and what its passes
/// found. Of one connection.
struct Watch {
    /// What is wrong with a text that a column was compared with; empty: nothing.
    std::string problem{};
    /// Of the first pass in which no event matched; none: none.
    std::optional<match::Condition> unmatched{};
    bool has_event = false;    // a pass returned one
    CountedQuery counted{};    // how the query asks for events
    ScannedQuery scanned{};    // the same
    RowScan* scan = nullptr;   // what takes the rows of a scan; null: SQLite
    std::uint64_t untimed = 0; // events that a window left out, because they have no usable time
};

/// A time as it is written: `finer` are the digits of its fraction beyond 100 ns, without zeros at
/// the end.
struct WrittenTime {
    Filetime ticks;
    std::string_view finer{}; // of the text

    auto operator<=>(const WrittenTime&) const = default;
};

/// Compares texts as BINARY does, except unsigned numbers that INTEGER cannot hold, as numbers. A
/// total order, as the others are, of any texts.
inline constexpr const char* number_collation = "etl_large";

/// The same, and texts of times as instants.
inline constexpr const char* value_collation = "etl_value";

/// The same for columns of times: other texts are an error.
inline constexpr const char* time_collation = "etl_time";

/// Compares texts of numbers, also hexadecimal ones, as numbers, before other texts. SQLite makes
/// such texts of numbers that are compared with a column of texts. An error if that rounded them.
inline constexpr const char* hex_collation = "etl_hex";

/// What is wrong with a text that a column of times is compared with.
std::string time_problem(std::string_view text);

/// Registers all. `watch` must outlive the connection.
int register_collations(sqlite3* database, Watch& watch);

/// Parses RFC 3339, also with hours or minutes as the last part; without a zone, UTC.
std::optional<WrittenTime> time_of_text(std::string_view text) noexcept;

} // namespace etl::sql
