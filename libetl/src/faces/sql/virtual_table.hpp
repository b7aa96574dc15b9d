// Tables that SQLite reads through functions: the C interface of SQLite, and what is called by it.
// Private to sql.
#pragma once

#include "sql/collations.hpp"
#include "sql/database.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <sqlite3.h>
#include <string>
#include <vector>

namespace etl::sql {

/// One pass over the rows of a table. Functions return codes of SQLite.
class Cursor {
public:
    Cursor() = default;
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;
    virtual ~Cursor() = default;

    /// Moves to the first row. `plan` is that of VirtualTable::plan(); `values` are those of the
    /// constraints in it.
    virtual int start(std::string_view plan, std::span<sqlite3_value*> values) = 0;

    virtual int next() = 0;
    virtual bool at_end() const noexcept = 0;

    /// Passes the value of a column to SQLite.
    virtual void value(sqlite3_context* to, std::size_t column) = 0;

    /// Why a function failed; empty: the code is sufficient.
    std::string problem{};
};

/// Must outlive the connections with which it is registered.
class VirtualTable {
public:
    VirtualTable() = default;
    VirtualTable(const VirtualTable&) = delete;
    VirtualTable& operator=(const VirtualTable&) = delete;
    virtual ~VirtualTable() = default;

    virtual const std::vector<ColumnInfo>& columns() const noexcept = 0;

    /// Whether there is a hidden column events_column behind columns().
    virtual bool has_events_column() const noexcept { return false; }

    /// Chooses constraints to be passed to Cursor::start(), and describes them. The default passes
    /// none.
    virtual std::string plan(sqlite3_index_info& index) const;

    virtual std::unique_ptr<Cursor> open() = 0;

    /// Of the connection; null: not registered.
    Watch* watch = nullptr;
};

/// Makes the table available under a name. Returns a code of SQLite.
int register_table(sqlite3* database, const std::string& name, VirtualTable& table);

// Tables that are computed as a whole, such as those of etl::analysis.

class ComputedRows final : public VirtualTable {
public:
    explicit ComputedRows(const ComputedTable& table);

    const std::vector<ColumnInfo>& columns() const noexcept override { return columns_; }

    std::unique_ptr<Cursor> open() override;

    /// Computes the table, if it was not computed before.
    const std::expected<analysis::Table, std::string>& result();

private:
    const ComputedTable* table_;
    std::vector<ColumnInfo> columns_;
    std::optional<std::expected<analysis::Table, std::string>> result_;
};

} // namespace etl::sql
