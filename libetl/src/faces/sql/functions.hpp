// Functions of queries: those that are put around operands that SQLite would take for others, and
// sums. Private to sql. docs/sql.md#values
#pragma once

#include <sqlite3.h>
#include <string_view>

namespace etl::sql {

/// Returns an operand of a calculation: a text of a hexadecimal number as INTEGER, other values as
/// they are. An error if it is a number that INTEGER cannot hold; a second argument is its text in
/// the query.
inline constexpr std::string_view number_function = "etl_number";

/// The same for an operand of `&` whose other one is not negative: a number that INTEGER cannot
/// hold has its 64 bits.
inline constexpr std::string_view bits_function = "etl_bits";

/// Returns the number in a text as etl_exact does.
inline constexpr std::string_view decimal_function = "etl_decimal";

/// Returns a number in the form in which all numbers compare exactly: INTEGER, or REAL below 2^63,
/// or the digits of an unsigned number, or bytes above those. Also hexadecimal ones. Other values
/// as they are.
inline constexpr std::string_view exact_function = "etl_exact";

/// Returns a REAL as etl_exact does, and other values as they are.
inline constexpr std::string_view real_function = "etl_real";

/// Returns a value that is compared with a text of a number. An error if it is a number.
inline constexpr std::string_view text_function = "etl_text";

/// Returns a value that is compared with a time. An error if it is a number.
inline constexpr std::string_view instant_function = "etl_instant";

/// The same; an INTEGER becomes the time that it is in nanoseconds since 1970.
inline constexpr std::string_view instant_of_number_function = "etl_instant_ns";

/// Returns the time in a text, in nanoseconds since 1970, or an infinite REAL.
inline constexpr std::string_view time_number_function = "etl_time_ns";

/// Registers all of them. Returns a code of SQLite.
int register_operand_functions(sqlite3* database);

/// Returns a value as text. Valid as long as the value.
std::string_view text_of(sqlite3_value* value) noexcept;

// sum(), total(), and avg() of numbers that are texts. docs/sql.md#values

/// Replaces those of SQLite, for which hexadecimal numbers are 0 and unsigned ones above INTEGER
/// are REAL. `etl_sum`, `etl_total`, `etl_avg`, and `etl_count` count their first argument as often
/// as the second says. Returns a code of SQLite.
int register_sums(sqlite3* database);

/// Of the names of those with two arguments.
inline constexpr std::string_view counted_prefix = "etl_";

} // namespace etl::sql
