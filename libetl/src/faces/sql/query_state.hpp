// What a connection and its queries share. Private to sql.
#pragma once

#include "sql/collations.hpp"
#include "sql/database.hpp"
#include "sql/event_table.hpp"
#include "sql/prepared_text.hpp"
#include "sql/virtual_table.hpp"

#include <memory>
#include <sqlite3.h>
#include <string>
#include <unordered_map>
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
    std::vector<NamedTable> tables;                               // that are registered
    std::unordered_map<std::string, std::size_t> numbers_by_name; // of tables; lowercase
    std::size_t omitted_kinds = 0;
    bool has_kinds = false;
    Watch watch;         // of the query that runs
    std::string refused; // by the authorizer
    // Closed first: it refers to the tables.
    std::unique_ptr<sqlite3, CloseDatabase> connection;

    void add(std::string name, std::unique_ptr<VirtualTable> table);
    void add_kinds();

    /// The columns of all tables that are named in a query.
    FindColumn columns_of(std::string_view query) const;

    /// Which tables have events_column. Valid as long as this.
    IsEventTable event_tables() const;

    /// The columns of these tables. The same.
    FindEventTable columns_of_events() const;
};

struct Query::State {
    std::unique_ptr<sqlite3_stmt, FinalizeStatement> statement;
    Watch* watch = nullptr;         // of the database
    const Inputs* inputs = nullptr; // the same
    bool has_rows = false;
    ScannedQuery scanned{};
    std::vector<std::string> columns; // unique names
};

/// Returns the error of the last call.
QueryError error_of(sqlite3* database, int code);

} // namespace etl::sql
