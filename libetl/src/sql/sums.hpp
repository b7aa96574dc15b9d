// sum(), total(), and avg() of numbers that are texts. Private to sql. docs/sql.md#values
#pragma once

#include "sql/collations.hpp"

namespace etl::sql {

/// Replaces those of SQLite, for which hexadecimal numbers are 0 and unsigned ones above INTEGER
/// are REAL. `watch` must outlive the connection.
int register_sums(sqlite3* database, Watch& watch);

} // namespace etl::sql
