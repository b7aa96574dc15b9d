#include "sql/virtual_table.hpp"

#include <etl/time.hpp>

#include "base/text.hpp"
#include "sql/members.hpp"
#include "sql/names.hpp"

#include <algorithm>
#include <new>

namespace etl::sql {

namespace {

// SQLite allocates nothing of these: the first member is what it knows.
struct Connected {
    sqlite3_vtab base{};
    VirtualTable* table = nullptr;
};

struct Opened {
    sqlite3_vtab_cursor base{};
    std::unique_ptr<Cursor> cursor;
    sqlite3_int64 row = 0;
};

// The layout of both begins with the structure of SQLite, as its interface asks for.
// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast)
Connected& connected(sqlite3_vtab* table) noexcept {
    return *reinterpret_cast<Connected*>(table);
}

Opened& opened(sqlite3_vtab_cursor* cursor) noexcept {
    return *reinterpret_cast<Opened*>(cursor);
}

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

char* copy_of(const std::string& text) noexcept {
    return sqlite3_mprintf("%s", text.c_str());
}

/// Exceptions must not pass through SQLite, which is C.
template <typename Call>
int guarded(Call&& call) noexcept {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (...) {
        return SQLITE_ERROR;
    }
}

std::string_view declared_type(std::string_view type) noexcept {
    return type == "integer"                  ? " INTEGER COLLATE etl_large"
           : type == "boolean"                ? " INTEGER"
           : type == "real"                   ? " REAL"
           : type == "time"                   ? " TEXT COLLATE etl_time"
           : type == "hex"                    ? " TEXT COLLATE etl_hex"
           : type == "text" || type == "json" ? " TEXT"
                                              : " COLLATE etl_large";
}

int connect(sqlite3* database, void* of, int, const char* const*, sqlite3_vtab** to, char**) {
    return guarded([&] {
        auto& table = *static_cast<VirtualTable*>(of);
        std::string declaration = "CREATE TABLE x(";
        for (const ColumnInfo& column : table.columns()) {
            declaration += declaration.back() == '(' ? "" : ", ";
            declaration += quoted_name(column.name);
            declaration += declared_type(column.type);
        }
        if (table.has_events_column()) {
            declaration += ", " + quoted_name(events_column) + " INTEGER HIDDEN";
        }
        declaration += ")";
        if (const int code = sqlite3_declare_vtab(database, declaration.c_str());
            code != SQLITE_OK) {
            return code;
        }
        auto made = std::make_unique<Connected>();
        made->table = &table;
        *to = &made.release()->base;
        return SQLITE_OK;
    });
}

int disconnect(sqlite3_vtab* table) {
    delete &connected(table);
    return SQLITE_OK;
}

int best_index(sqlite3_vtab* table, sqlite3_index_info* index) {
    return guarded([&] {
        index->idxStr = copy_of(connected(table).table->plan(*index));
        index->needToFreeIdxStr = 1;
        return index->idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
    });
}

int open_cursor(sqlite3_vtab* table, sqlite3_vtab_cursor** to) {
    return guarded([&] {
        auto made = std::make_unique<Opened>();
        made->cursor = connected(table).table->open();
        *to = &made.release()->base;
        return SQLITE_OK;
    });
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
    delete &opened(cursor);
    return SQLITE_OK;
}

int finish(Opened& of, int code) noexcept {
    if (code != SQLITE_OK && !of.cursor->problem.empty()) {
        sqlite3_free(of.base.pVtab->zErrMsg);
        of.base.pVtab->zErrMsg = copy_of(of.cursor->problem);
    }
    return code;
}

int filter(sqlite3_vtab_cursor* cursor, int, const char* plan, int count, sqlite3_value** values) {
    Opened& of = opened(cursor);
    of.row = 0;
    return finish(of, guarded([&] {
                      return of.cursor->start(
                          plan == nullptr ? "" : plan,
                          std::span(values, static_cast<std::size_t>(std::max(count, 0))));
                  }));
}

int next(sqlite3_vtab_cursor* cursor) {
    Opened& of = opened(cursor);
    ++of.row;
    return finish(of, guarded([&] { return of.cursor->next(); }));
}

int at_end(sqlite3_vtab_cursor* cursor) {
    return opened(cursor).cursor->at_end() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* to, int number) {
    return guarded([&] {
        opened(cursor).cursor->value(to, static_cast<std::size_t>(number));
        return SQLITE_OK;
    });
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* to) {
    *to = opened(cursor).row;
    return SQLITE_OK;
}

/// Without xCreate, the table exists as soon as it is named, and cannot be created.
constexpr sqlite3_module functions() noexcept {
    sqlite3_module module{};
    module.xConnect = connect;
    module.xBestIndex = best_index;
    module.xDisconnect = disconnect;
    module.xOpen = open_cursor;
    module.xClose = close_cursor;
    module.xFilter = filter;
    module.xNext = next;
    module.xEof = at_end;
    module.xColumn = column;
    module.xRowid = row_id;
    return module;
}

constexpr sqlite3_module module = functions();

} // namespace

std::string VirtualTable::plan(sqlite3_index_info& index) const {
    constexpr double rows = 1000;
    index.estimatedCost = rows;
    index.estimatedRows = static_cast<sqlite3_int64>(rows);
    return {};
}

int register_table(sqlite3* database, const std::string& name, VirtualTable& table) {
    return sqlite3_create_module_v2(database, name.c_str(), &module, &table, nullptr);
}

using analysis::Cell;
using analysis::Unit;

namespace {

std::string_view type_of(Unit unit) noexcept {
    switch (unit) {
    case Unit::time:
        return "time";
    case Unit::text:
        return "text";
    case Unit::address:
        return "hex";
    case Unit::hundredths:
    case Unit::signed_hundredths:
        return "real";
    case Unit::histogram:
        return "json";
    case Unit::id:
    case Unit::count:
    case Unit::bytes:
    case Unit::nanoseconds:
        break;
    }
    return "integer";
}

void pass_number(sqlite3_context* to, std::uint64_t number, Unit unit) {
    constexpr double whole = 100;
    std::string text;
    if (unit == Unit::hundredths) {
        sqlite3_result_double(to, static_cast<double>(number) / whole);
    } else if (unit == Unit::signed_hundredths) {
        const auto value = static_cast<std::int64_t>(number);
        sqlite3_result_double(to, static_cast<double>(value) / whole);
    } else if (unit == Unit::time) {
        append_rfc3339(text, Filetime{static_cast<std::int64_t>(number)});
        pass_text(to, text);
    } else if (unit == Unit::address) {
        append_hex(text, number);
        pass_text(to, text);
    } else {
        pass_integer(to, number);
    }
}

void pass(sqlite3_context* to, const Cell& cell, Unit unit) {
    if (const auto* const text = std::get_if<std::string>(&cell)) {
        return pass_text(to, *text);
    }
    if (const auto* const number = std::get_if<std::uint64_t>(&cell)) {
        return pass_number(to, *number, unit);
    }
    if (const auto* const list = std::get_if<std::vector<std::uint64_t>>(&cell)) {
        std::string json = "[";
        for (const std::uint64_t number : *list) {
            json += json.size() > 1 ? "," : "";
            append_decimal(json, number);
        }
        return pass_text(to, json + "]");
    }
    sqlite3_result_null(to);
}

class ComputedCursor final : public Cursor {
public:
    explicit ComputedCursor(ComputedRows& of) : of_(&of) {}

    int start(std::string_view, std::span<sqlite3_value*>) override {
        const auto& result = of_->result();
        if (!result) {
            problem = result.error();
            return SQLITE_ERROR;
        }
        table_ = &*result;
        row_ = 0;
        return SQLITE_OK;
    }

    int next() override {
        ++row_;
        return SQLITE_OK;
    }

    bool at_end() const noexcept override {
        return table_ == nullptr || row_ >= table_->rows.size();
    }

    void value(sqlite3_context* to, std::size_t column) override {
        // Found by name: hidden columns are not among those of the table.
        const auto number = table_->find(of_->columns()[column].name);
        if (!number) {
            return sqlite3_result_null(to);
        }
        pass(to, table_->rows[row_].cells[*number], table_->columns[*number].unit);
    }

private:
    ComputedRows* of_;
    const analysis::Table* table_ = nullptr;
    std::size_t row_ = 0;
};

} // namespace

ComputedRows::ComputedRows(const ComputedTable& table) : table_(&table) {
    for (const analysis::Column& column : table.columns) {
        if (!column.is_hidden) {
            columns_.push_back({std::string(column.name), type_of(column.unit)});
        }
    }
}

std::unique_ptr<Cursor> ComputedRows::open() {
    return std::make_unique<ComputedCursor>(*this);
}

const std::expected<analysis::Table, std::string>& ComputedRows::result() {
    if (!result_) {
        result_ = table_->compute();
    }
    return *result_;
}

} // namespace etl::sql
