// How texts of queries are compared that stand for times and numbers. Private to sql.
#pragma once

#include <etl/base/time.hpp>

#include <optional>
#include <sqlite3.h>
#include <string>
#include <string_view>

namespace etl::sql {

/// What a running query watches for: values that it would compare wrongly. Of one connection.
struct Watch {
    /// A text that a column of times was compared with and that is not a time; empty: none.
    std::string no_time{};
    /// The query has an operand that SQLite cannot take together with numbers above INTEGER.
    bool has_narrow_operand = false;
};

/// Compares texts as BINARY does, except those of times, as instants, and unsigned numbers that
/// INTEGER cannot hold, as numbers. A total order, of any texts.
inline constexpr const char* value_collation = "etl_value";

/// The same for columns of times: other texts are an error.
inline constexpr const char* time_collation = "etl_time";

/// What is wrong with a text, in quotes, that a column of times is compared with.
std::string no_time_problem(std::string_view text);

/// Registers both. `watch` must outlive the connection.
int register_collations(sqlite3* database, Watch& watch);

/// Parses RFC 3339, also with hours or minutes as the last part; without a zone, UTC.
std::optional<Filetime> time_of_text(std::string_view text) noexcept;

/// Whether a text is the decimal form of an unsigned number that INTEGER cannot hold.
bool is_large_number(std::string_view text) noexcept;

} // namespace etl::sql
