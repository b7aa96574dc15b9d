// How texts of queries are compared that stand for times and numbers. Private to sql.
#pragma once

#include <etl/base/time.hpp>
#include <etl/match/matcher.hpp>

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
    /// A text that a column of times was compared with and that is not a time; empty: none.
    std::string no_time{};
    /// Of the first pass in which no event matched; none: none.
    std::optional<match::Condition> unmatched{};
    bool has_event = false;    // a pass returned one
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

/// The same for columns of times: texts that are no time are an error.
inline constexpr const char* time_collation = "etl_time";

/// What is wrong with a text, in quotes, that a column of times is compared with.
std::string no_time_problem(std::string_view text);

/// Registers all. `watch` must outlive the connection.
int register_collations(sqlite3* database, Watch& watch);

/// Parses RFC 3339, also with hours or minutes as the last part; without a zone, UTC.
std::optional<WrittenTime> time_of_text(std::string_view text) noexcept;

/// Whether a text is the decimal form of an unsigned number that INTEGER cannot hold.
bool is_large_number(std::string_view text) noexcept;

} // namespace etl::sql
