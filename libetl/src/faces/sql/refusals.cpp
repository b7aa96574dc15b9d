#include "sql/refusals.hpp"

#include "base/text.hpp"
#include "sql/limits.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace etl::sql {

namespace {

/// PRAGMAs that only return what is known about tables and functions.
constexpr std::array<std::string_view, 8> harmless_pragmas{
    "table_info",  "table_xinfo",    "table_list",      "function_list",
    "module_list", "collation_list", "compile_options", "pragma_list"};

constexpr std::array<std::string_view, 2> refused_functions{"load_extension", "fts3_tokenizer"};

bool contains(std::span<const std::string_view> list, std::string_view name) noexcept {
    return std::ranges::any_of(
        list, [&](std::string_view one) { return equals_ignoring_case(one, name); });
}

std::string_view action_name(int action) noexcept {
    switch (action) {
    case SQLITE_ATTACH:
        return "ATTACH (and VACUUM)";
    case SQLITE_DETACH:
        return "DETACH";
    case SQLITE_PRAGMA:
        return "PRAGMA";
    case SQLITE_FUNCTION:
        return "the function";
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
        return "transactions";
    case SQLITE_INSERT:
        return "INSERT";
    case SQLITE_UPDATE:
        return "UPDATE";
    case SQLITE_DELETE:
        return "DELETE";
    default:
        return "changing tables";
    }
}

int authorize(void* refused, int action, const char* first, const char* second, const char*,
              const char*) {
    // When a virtual table is declared, SQLite asks about a change of its own that it then omits.
    // It permits no other one of this table.
    const bool is_declaration =
        action == SQLITE_UPDATE && first != nullptr && first == std::string_view("sqlite_master");
    const bool is_read =
        is_declaration || action == SQLITE_SELECT || action == SQLITE_READ ||
        action == SQLITE_RECURSIVE ||
        (action == SQLITE_FUNCTION && second != nullptr && !contains(refused_functions, second)) ||
        (action == SQLITE_PRAGMA && first != nullptr && contains(harmless_pragmas, first));
    if (is_read) {
        return SQLITE_OK;
    }
    try {
        std::string& what = *static_cast<std::string*>(refused);
        what = action_name(action);
        if (action == SQLITE_PRAGMA && first != nullptr) {
            what += " " + std::string(first);
        } else if (action == SQLITE_FUNCTION && second != nullptr) {
            what += " " + std::string(second);
        }
    } catch (...) { // without memory for it, the refusal has no reason
        return SQLITE_DENY;
    }
    return SQLITE_DENY;
}

} // namespace

void refuse_writes(sqlite3* database, std::string& refused) {
    sqlite3_set_authorizer(database, authorize, &refused);
}

void set_limits(sqlite3* database) {
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, limits::query_value_bytes);
    sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, limits::prepared_query_bytes);
    sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, limits::query_depth);
    sqlite3_limit(database, SQLITE_LIMIT_COMPOUND_SELECT, limits::query_depth);
    sqlite3_limit(database, SQLITE_LIMIT_VDBE_OP, limits::query_steps);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(database, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    // A misspelled column in double quotes must not become a text.
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
}

} // namespace etl::sql
