#include "sql/virtual_table.hpp"

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
        for (const Column& column : table.columns()) {
            declaration += declaration.back() == '(' ? "" : ", ";
            declaration += quoted_name(column.name);
            declaration += declared_type(column.type);
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

} // namespace etl::sql
