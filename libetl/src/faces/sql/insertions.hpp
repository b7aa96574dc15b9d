// What is put into a query, before SQLite compiles it. Private to sql.
#pragma once

#include "sql/prepared_text.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace etl::sql {

struct Insertions {
    std::vector<Insertion> list; // ascending
    std::size_t end = 0;         // of the statement, behind its semicolon
    std::optional<Refusal> refusal;
    CountedQuery counted;
};

/// Finds what SQLite would take for something else:
/// - A number beyond INTEGER becomes what columns have for it (etl_decimal), and what it is
///   compared with as well, unless that is a column (etl_exact).
/// - A time that is compared with an expression is compared as an instant (etl_instant), a text
///   of a number with an error if the expression is a number (etl_text).
/// - Operands of calculations, and of functions that expect numbers: numbers above INTEGER are an
///   error there (etl_number).
/// - An expression has no collation: what returns one of its arguments (max(), CASE, members of
///   JSON) gets one.
/// - A count or sum of rows that stand for several events gets their number as its last argument
///   (events_column).
/// A column is known by its name only if the query gives that name to nothing else.
Insertions insertions_into(std::string_view query, const FindColumn& find_column,
                           const IsEventTable& is_event_table);

} // namespace etl::sql
