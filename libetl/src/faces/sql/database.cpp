#include "base/similar.hpp"
#include "base/text.hpp"
#include "sql/functions.hpp"
#include "sql/limits.hpp"
#include "sql/names.hpp"
#include "sql/prepared_text.hpp"
#include "sql/query_state.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <utility>

namespace etl::sql {

// What queries may do: read.

/// Refuses what writes, attaches, or loads. `refused`, which must outlive the connection, receives
/// what was refused last.
void refuse_writes(sqlite3* database, std::string& refused);

/// Sets the limits of sql/limits.hpp for a connection, and turns off what depends on them.
void set_limits(sqlite3* database);

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

namespace {

constexpr std::string_view no_table = "no such table: ";

int ask_to_stop(void* inputs) {
    const auto& is_stopped = static_cast<const Inputs*>(inputs)->is_stopped;
    return is_stopped && is_stopped() ? 1 : 0;
}

/// The tables with a similar name, or with that name after a slash.
std::string suggestion(std::string_view wanted, const std::vector<NamedTable>& tables) {
    std::vector<std::string> names;
    std::string list;
    for (const NamedTable& table : tables) {
        names.push_back(table.name);
        if (table.name.ends_with("/" + std::string(wanted))) {
            list += (list.empty() ? "" : ", ") + quoted_name(table.name);
        }
    }
    if (list.empty()) {
        for (const std::string& name : similar_words(wanted, names)) {
            list += (list.empty() ? "" : ", ") + quoted_name(name);
        }
    }
    return list.empty() ? "" : "; similar: " + list;
}

/// Whether SQLite used most of its memory. If it did not, it reports a limit as this error.
bool was_short_of_memory(std::int64_t limit) noexcept {
    constexpr std::int64_t max = 2;
    return limit > 0 && sqlite3_memory_highwater(0) > limit / max;
}

/// Unique names.
std::vector<std::string> column_names(sqlite3_stmt* statement) {
    UniqueNames names;
    std::vector<std::string> list;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const char* const name = sqlite3_column_name(statement, i);
        list.push_back(names.take(name == nullptr ? "" : name));
    }
    return list;
}

/// What the words of a query say, unless SQLite understood them otherwise.
ScannedQuery scan_of(sqlite3_stmt* statement, const ScannedQuery& scanned) {
    const bool is_same =
        statement != nullptr && sqlite3_stmt_isexplain(statement) == 0 &&
        static_cast<std::size_t>(sqlite3_column_count(statement)) == scanned.columns.size();
    return is_same ? scanned : ScannedQuery();
}

} // namespace

QueryError error_of(sqlite3* database, int code) {
    QueryError error{.what = sqlite3_errmsg(database)};
    switch (code & 0xFF) {
    case SQLITE_INTERRUPT:
        error.kind = QueryError::Kind::interrupted;
        break;
    case SQLITE_NOMEM:
        error.kind = QueryError::Kind::failed;
        error.what = "the query needs more memory than its limit";
        break;
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
        error.kind = QueryError::Kind::failed;
        break;
    default:
        break;
    }
    return error;
}

void Database::State::add(std::string name, std::unique_ptr<VirtualTable> table) {
    table->watch = &watch;
    register_table(connection.get(), name, *table);
    numbers_by_name.emplace(to_lower_ascii(name), tables.size());
    tables.push_back({std::move(name), std::move(table)});
}

FindColumn Database::State::columns_of(std::string_view query) const {
    std::unordered_map<std::string, ColumnTypes> columns;
    for (const std::string& name : names_in(query)) {
        const auto found = numbers_by_name.find(to_lower_ascii(name));
        if (found == numbers_by_name.end()) {
            continue;
        }
        for (const ColumnInfo& column : tables[found->second].table->columns()) {
            ColumnTypes& types = columns[to_lower_ascii(column.name)];
            const std::string_view type = column.type;
            types.time = types.time || type == "time";
            types.any = types.any || type == "any";
            types.text = types.text || type == "text" || type == "json";
            types.hex = types.hex || type == "hex";
            types.unsigned_number = types.unsigned_number || type == "unsigned";
            types.number = types.number || type == "integer" || type == "real" || type == "boolean";
        }
    }
    return [columns = std::move(columns)](const std::string& name) {
        const auto found = columns.find(to_lower_ascii(name));
        return found == columns.end() ? ColumnTypes() : found->second;
    };
}

IsEventTable Database::State::event_tables() const {
    return [this](const std::string& name) {
        const auto found = numbers_by_name.find(to_lower_ascii(name));
        return found != numbers_by_name.end() && tables[found->second].table->has_events_column();
    };
}

FindEventTable Database::State::columns_of_events() const {
    return [this](const std::string& name) -> const std::vector<ColumnInfo>* {
        const auto found = numbers_by_name.find(to_lower_ascii(name));
        const VirtualTable* const table =
            found == numbers_by_name.end() ? nullptr : tables[found->second].table.get();
        return table != nullptr && table->has_events_column() ? &table->columns() : nullptr;
    };
}

void Database::State::add_kinds() {
    if (std::exchange(has_kinds, true)) {
        return;
    }
    const Kinds kinds = find_kinds(*inputs.traces, inputs.schemas, std::max(1U, inputs.threads));
    for (const Kind& kind : kinds.list) {
        add(kind.name, std::make_unique<EventTable>(inputs, kind));
    }
    omitted_kinds = kinds.omitted;
}

Database::Database(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

Database::~Database() = default;

std::expected<std::unique_ptr<Database>, std::string> Database::open(Inputs inputs) {
    auto state = std::make_unique<State>();
    state->inputs = std::move(inputs);
    if (state->inputs.memory > 0) {
        sqlite3_hard_heap_limit64(state->inputs.memory);
    }
    sqlite3* opened = nullptr;
    const int code =
        sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    state->connection.reset(opened);
    if (code != SQLITE_OK) {
        return std::unexpected(std::string("SQLite: ") + sqlite3_errstr(code));
    }
    set_limits(opened);
    register_collations(opened, state->watch);
    register_operand_functions(opened);
    register_sums(opened);
    refuse_writes(opened, state->refused);
    constexpr int steps = 10'000; // between two questions
    sqlite3_progress_handler(opened, steps, ask_to_stop, &state->inputs);
    state->add("events", std::make_unique<EventTable>(state->inputs));
    for (const ComputedTable& table : state->inputs.computed) {
        state->add(table.name, std::make_unique<ComputedRows>(table));
    }
    return std::unique_ptr<Database>(new Database(std::move(state)));
}

std::expected<std::optional<Query>, QueryError> Database::prepare(std::string_view text,
                                                                  std::size_t* size) {
    if (text.size() > limits::query_bytes) {
        return std::unexpected(QueryError{.what = "the query has more than 1 MB"});
    }
    State& state = *state_;
    sqlite3* const connection = state.connection.get();
    state.watch = {};
    for (;;) {
        state.refused.clear();
        const PreparedText prepared(text, state.columns_of(text), state.event_tables());
        state.watch.counted = prepared.counted();
        state.watch.scanned = scanned_query_of(Statement(text), state.columns_of_events());
        if (prepared.refusal()) {
            return std::unexpected(
                QueryError{.what = prepared.refusal()->what, .offset = prepared.refusal()->at});
        }
        const std::string& given = prepared.text();
        sqlite3_stmt* compiled = nullptr;
        sqlite3_memory_highwater(1);
        const char* rest = given.data();
        const int code = sqlite3_prepare_v3(connection, given.data(),
                                            static_cast<int>(given.size()), 0, &compiled, &rest);
        // If SQLite compiles another statement again, these are not its words.
        const ScannedQuery scanned = std::exchange(state.watch.scanned, {});
        state.watch.counted = {};
        auto query = std::make_unique<Query::State>();
        query->statement.reset(compiled);
        if (code == SQLITE_OK) {
            const auto end = static_cast<std::size_t>(rest - given.data());
            query->watch = &state.watch;
            query->inputs = &state.inputs;
            query->columns = column_names(compiled);
            query->scanned = scan_of(compiled, scanned);
            if (size != nullptr) {
                *size = text.empty() ? 0 : prepared.place_of(end);
            }
            return compiled == nullptr ? std::optional<Query>() : Query(std::move(query));
        }
        QueryError error = error_of(connection, code);
        if (code == SQLITE_NOMEM && !was_short_of_memory(state.inputs.memory)) {
            error = {.what = "the query is too long: SQLite would need more than " +
                             std::to_string(limits::query_steps) + " steps"};
        }
        const bool is_unknown_table = error.what.starts_with(no_table);
        if (is_unknown_table && !state.has_kinds) {
            state.add_kinds();
            continue;
        }
        if (const int offset = sqlite3_error_offset(connection); offset >= 0) {
            error.offset = prepared.place_of(static_cast<std::size_t>(offset));
        }
        if (!state.refused.empty()) {
            error.what = "only reading is permitted, not " + state.refused;
        } else if (is_unknown_table) {
            error.what += suggestion(error.what.substr(no_table.size()), state.tables);
        }
        return std::unexpected(std::move(error));
    }
}

std::vector<TableInfo> Database::tables() {
    state_->add_kinds();
    std::vector<TableInfo> list;
    for (const NamedTable& named : state_->tables) {
        list.push_back({named.name, named.table->columns()});
    }
    return list;
}

std::size_t Database::omitted_kinds() const noexcept {
    return state_->omitted_kinds;
}

bool is_complete_statement(const std::string& text) {
    return sqlite3_complete(text.c_str()) != 0;
}

} // namespace etl::sql
