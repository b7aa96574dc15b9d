#include "io/find_files.hpp"
#include "sql/names.hpp"
#include "sql/query_state.hpp"

#include <array>
#include <utility>

namespace etl::sql {

namespace {

std::size_t size_of(sqlite3_stmt* statement, int column) noexcept {
    return static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
}

/// The types are those that the query takes over from its tables.
std::string declaration_of(const std::vector<std::string>& names, sqlite3_stmt* statement) {
    std::string columns;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const char* const type = sqlite3_column_decltype(statement, static_cast<int>(i));
        columns += (i > 0 ? ", " : "") + quoted_name(names[i]);
        columns += type == nullptr ? std::string() : " " + std::string(type);
    }
    return "CREATE TABLE result(" + columns + ")";
}

std::string insertion_of(std::size_t columns) {
    std::string text = "INSERT INTO result VALUES(";
    for (std::size_t i = 0; i < columns; ++i) {
        text += i > 0 ? ",?" : "?";
    }
    return text + ")";
}

/// The database that receives rows.
class Target {
public:
    /// Returns a code of SQLite.
    int open(const std::string& path, const std::string& declaration,
             const std::string& insertion) {
        sqlite3* opened = nullptr;
        // SQLite refuses links anywhere in a path. Those of the directory are the user's.
        int code = sqlite3_open_v2(io::in_real_directory(path).c_str(), &opened,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, nullptr);
        connection_.reset(opened);
        // The file is new: if writing fails, nothing has to be restored.
        const std::array<std::string, 4> steps{"PRAGMA journal_mode=OFF", "PRAGMA synchronous=OFF",
                                               "BEGIN", declaration};
        for (const std::string& step : steps) {
            code = code == SQLITE_OK ? sqlite3_exec(opened, step.c_str(), nullptr, nullptr, nullptr)
                                     : code;
        }
        sqlite3_stmt* compiled = nullptr;
        if (code == SQLITE_OK) {
            code = sqlite3_prepare_v3(opened, insertion.c_str(), -1, 0, &compiled, nullptr);
        }
        insertion_.reset(compiled);
        return code;
    }

    int add(sqlite3_stmt* row, int columns) {
        int code = sqlite3_reset(insertion_.get());
        for (int i = 0; i < columns && code == SQLITE_OK; ++i) {
            code = sqlite3_bind_value(insertion_.get(), i + 1, sqlite3_column_value(row, i));
        }
        code = code == SQLITE_OK ? sqlite3_step(insertion_.get()) : code;
        return code == SQLITE_DONE ? SQLITE_OK : code;
    }

    int commit() {
        insertion_.reset();
        return sqlite3_exec(connection_.get(), "COMMIT", nullptr, nullptr, nullptr);
    }

    QueryError error(int code) const {
        QueryError error = error_of(connection_.get(), code);
        error.kind = QueryError::Kind::failed;
        return error;
    }

private:
    std::unique_ptr<sqlite3, CloseDatabase> connection_;
    std::unique_ptr<sqlite3_stmt, FinalizeStatement> insertion_;
};

/// What a query that ended has not found. A join may have rows without a match of one side.
void report(const Query::State& query) {
    Watch& watch = *query.watch;
    const bool is_unmatched = watch.unmatched && (!query.has_rows || !watch.has_event);
    if (is_unmatched && query.inputs->on_no_match) {
        query.inputs->on_no_match(*watch.unmatched);
    }
    if (watch.untimed > 0 && query.inputs->on_untimed) {
        query.inputs->on_untimed(watch.untimed);
    }
    watch = {};
}

} // namespace

Query::Query(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;
Query::~Query() = default;

const std::vector<std::string>& Query::columns() const noexcept {
    return state_->columns;
}

std::expected<bool, QueryError> Query::next() {
    sqlite3_stmt* const statement = state_->statement.get();
    Watch& watch = *state_->watch;
    const int code = sqlite3_step(statement);
    if (std::string problem = std::exchange(watch.problem, {}); !problem.empty()) {
        return std::unexpected(QueryError{.what = std::move(problem)});
    }
    if (code == SQLITE_ROW) {
        state_->has_rows = true;
        return true;
    }
    if (code == SQLITE_DONE) {
        report(*state_);
        return false;
    }
    return std::unexpected(error_of(sqlite3_db_handle(statement), code));
}

std::expected<bool, QueryError>
Query::scan(const rows::RowEncoder& encoder,
            const std::function<bool(std::string_view rows)>& take) {
    const ScannedQuery& wanted = state_->scanned;
    if (!wanted.is_scanned || state_->has_rows) {
        return false;
    }
    RowScan scan{.encoder = &encoder,
                 .columns = wanted.columns,
                 .offset = wanted.offset,
                 .limit = wanted.limit,
                 .take = take};
    state_->watch->scan = &scan;
    const auto has_row = next();
    state_->watch->scan = nullptr;
    if (!has_row) {
        return std::unexpected(has_row.error());
    }
    if (*has_row) { // SQLite compares, sorts, or something else
        sqlite3_reset(state_->statement.get());
        state_->has_rows = false;
    }
    return !*has_row;
}

Value Query::value(std::size_t column) const {
    sqlite3_stmt* const statement = state_->statement.get();
    const int number = static_cast<int>(column);
    switch (sqlite3_column_type(statement, number)) {
    case SQLITE_INTEGER:
        return std::int64_t{sqlite3_column_int64(statement, number)};
    case SQLITE_FLOAT:
        return sqlite3_column_double(statement, number);
    case SQLITE_TEXT: {
        const void* const text = sqlite3_column_text(statement, number);
        return std::string_view(static_cast<const char*>(text), size_of(statement, number));
    }
    case SQLITE_BLOB: {
        const void* const bytes = sqlite3_column_blob(statement, number);
        return Bytes(static_cast<const std::byte*>(bytes), size_of(statement, number));
    }
    default:
        return std::monostate{};
    }
}

std::expected<std::uint64_t, QueryError> Query::save(const std::string& path) {
    sqlite3_stmt* const statement = state_->statement.get();
    Target target;
    int code =
        target.open(path, declaration_of(columns(), statement), insertion_of(columns().size()));
    std::uint64_t rows = 0;
    while (code == SQLITE_OK) {
        const auto has_row = next();
        if (!has_row) {
            return std::unexpected(has_row.error());
        }
        if (!*has_row) {
            break;
        }
        code = target.add(statement, static_cast<int>(columns().size()));
        ++rows;
    }
    code = code == SQLITE_OK ? target.commit() : code;
    if (code != SQLITE_OK) {
        return std::unexpected(target.error(code));
    }
    return rows;
}

} // namespace etl::sql
