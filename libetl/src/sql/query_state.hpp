// What a connection and its queries share. Private to sql.
#pragma once

#include <etl/sql/database.hpp>

#include "sql/collations.hpp"
#include "sql/computed.hpp"
#include "sql/event_table.hpp"

#include <memory>
#include <sqlite3.h>
#include <string>
#include <vector>

namespace etl::sql {

struct CloseDatabase {
    void operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }
};

struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};

/// A table, and its name.
struct NamedTable {
    std::string name;
    std::unique_ptr<VirtualTable> table;
};

struct Database::State {
    Inputs inputs;
    std::vector<NamedTable> tables; // that are registered
    std::size_t omitted_kinds = 0;
    bool has_kinds = false;
    bool has_reported = false; // that no event matched, of the newest query
    Watch watch;               // of the query that runs
    std::string refused;       // by the authorizer
    // Closed first: it refers to the tables.
    std::unique_ptr<sqlite3, CloseDatabase> connection;

    void add(std::string name, std::unique_ptr<VirtualTable> table);
    void add_kinds();
};

struct Query::State {
    std::unique_ptr<sqlite3_stmt, FinalizeStatement> statement;
    Watch* watch = nullptr; // of the database
    bool has_narrow_operand = false;
    std::vector<std::string> columns;
};

/// Returns the error of the last call.
QueryError error_of(sqlite3* database, int code);

} // namespace etl::sql
