// Functions that are put into queries, around operands that SQLite would take for others. Private
// to sql.
#pragma once

#include <sqlite3.h>
#include <string_view>

namespace etl::sql {

/// Returns an operand of a calculation: a text of a hexadecimal number as INTEGER, other values as
/// they are. An error if it is a number that INTEGER cannot hold.
inline constexpr std::string_view number_function = "etl_number";

/// The same for an operand of `&` whose other one is not negative: a number that INTEGER cannot
/// hold has its 64 bits.
inline constexpr std::string_view bits_function = "etl_bits";

/// Of two arguments: returns a value that compares with the first one as the number in the second
/// one does, be that a number or a text.
inline constexpr std::string_view operand_function = "etl_operand";

/// Returns the time in a text, in nanoseconds since 1970. An error if it is no such number.
inline constexpr std::string_view time_number_function = "etl_time_ns";

/// Registers all of them. Returns a code of SQLite.
int register_operand_functions(sqlite3* database);

/// Returns a value as text. Valid as long as the value.
std::string_view text_of(sqlite3_value* value) noexcept;

/// Whether a text is a decimal number, and nothing else.
bool is_number_text(std::string_view text) noexcept;

} // namespace etl::sql
