// sum(), total(), and avg() of numbers that are texts. Private to sql. docs/sql.md#values
#pragma once

#include <sqlite3.h>

namespace etl::sql {

/// Replaces those of SQLite, for which hexadecimal numbers are 0 and unsigned ones above INTEGER
/// are REAL. Returns a code of SQLite.
int register_sums(sqlite3* database);

} // namespace etl::sql
