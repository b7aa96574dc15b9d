// What queries may do: read. Private to sql.
#pragma once

#include <sqlite3.h>
#include <string>

namespace etl::sql {

/// Refuses what writes, attaches, or loads. `refused`, which must outlive the connection, receives
/// what was refused last.
void refuse_writes(sqlite3* database, std::string& refused);

/// Sets the limits of sql/limits.hpp for a connection, and turns off what depends on them.
void set_limits(sqlite3* database);

} // namespace etl::sql
