// SQL over traces: SQLite, with virtual tables that read the traces. docs/sql.md
//
//     auto database = sql::Database::open({.traces = &traces, .schemas = schemas});
//     auto query = (*database)->prepare("SELECT time, event FROM events WHERE level <= 2");
//     while (*query->next()) { use(query->value(0)); }
//
// Queries only read: statements that write, attach, or load are refused.
#pragma once

#include <etl/bytes.hpp>

#include "analysis/table.hpp"
#include "dataset/dataset.hpp"
#include "facts/origins.hpp"
#include "match/matcher.hpp"
#include "rows/writer.hpp"
#include "schema/schema_store.hpp"
#include "sink/tally.hpp"
#include "sql/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace etl::sql {

/// A table that is computed as a whole, when a query first reads it.
struct ComputedTable {
    std::string name;
    std::vector<analysis::Column> columns;
    /// Called at most once. Errors: text for a message.
    std::function<std::expected<analysis::Table, std::string>()> compute;
};

struct Inputs {
    /// The traces, in time order; outlive the database.
    dataset::Dataset* traces = nullptr;
    /// Opens them for a pass over the events of a window, on the thread of the queries. Several
    /// passes can be open at a time. Null: they can no longer be read. Empty: Dataset::again().
    std::function<std::shared_ptr<dataset::Dataset>(const dataset::Window& window)> open{};
    schema::SchemasByTrace schemas;
    std::shared_ptr<const facts::Origins> origins{}; // for columns such as `machine`; may be null
    unsigned threads = 1;                            // of passes over events
    std::vector<ComputedTable> computed{};
    /// Of the first pass over events whose fields were asked for; may be null.
    std::shared_ptr<sink::Tally> tally{};
    /// Called after a query without rows, or without events, with the condition of the first pass
    /// in which no event matched. May be empty.
    std::function<void(const match::Condition& condition)> on_no_match{};
    /// Called after a query whose time window left out events because they have no usable time,
    /// with their number. May be empty.
    std::function<void(std::uint64_t events)> on_untimed{};
    /// Asked often while a query runs, on its thread; true interrupts it. May be empty.
    std::function<bool()> is_stopped{};
    /// Limit for SQLite in this process, in bytes; 0: none.
    std::int64_t memory = limits::query_memory;
};

/// A column, and what its values are: `integer`, `unsigned`, `real`, `boolean`, `time`, `hex`,
/// `text`, `json`, or `any`.
struct ColumnInfo {
    std::string name;
    std::string_view type; // static

    auto operator<=>(const ColumnInfo&) const = default;
};

struct TableInfo {
    std::string name;
    std::vector<ColumnInfo> columns;
};

struct QueryError {
    enum class Kind : std::uint8_t {
        query,       // the query is wrong or refused
        interrupted, // Inputs::is_stopped
        failed,      // memory, temporary files, reading
    };

    Kind kind = Kind::query;
    std::string what;
    std::optional<std::size_t> offset{}; // in the query, in bytes; none: no single place
};

/// The text is UTF-8, unless the query made it from bytes. std::monostate: NULL.
using Value = std::variant<std::monostate, std::int64_t, double, std::string_view, Bytes>;

/// A statement that runs. Must not outlive its database. Not thread-safe.
class Query {
public:
    struct State;

    explicit Query(std::unique_ptr<State> state) noexcept;
    Query(Query&&) noexcept;
    Query& operator=(Query&&) noexcept;
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;
    ~Query();

    /// The names are unique, ignoring case: a second `id` is `id#2`.
    const std::vector<std::string>& columns() const noexcept;

    /// Moves to the next row; false at the end.
    std::expected<bool, QueryError> next();

    /// Returns a value of the current row. Valid until the next call of next().
    Value value(std::size_t column) const;

    /// If the query only asks for columns of one table of events, passes all its rows as text, some
    /// at a time, encoded by the threads that read events; `take` returns false if no more are
    /// wanted. Call instead of next(). Returns false, and takes nothing, for other queries: their
    /// rows are those of next().
    std::expected<bool, QueryError> scan(const rows::RowEncoder& encoder,
                                         const std::function<bool(std::string_view rows)>& take);

    /// Writes the remaining rows to an empty file (io::StagedFile), as a SQLite database with the
    /// table `result`. `path` must exist and not be a link; on failure, an incomplete file may
    /// remain. Returns the number of rows.
    std::expected<std::uint64_t, QueryError> save(const std::string& path);

private:
    std::unique_ptr<State> state_;
};

/// Not thread-safe.
class Database {
public:
    /// Errors: text for a message.
    static std::expected<std::unique_ptr<Database>, std::string> open(Inputs inputs);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Compiles the first statement of a text; none: there is only space and comments. `size`, if
    /// not null, receives the bytes up to the next statement. If a table is not known, the traces
    /// are read once to find the kinds of events.
    std::expected<std::optional<Query>, QueryError> prepare(std::string_view text,
                                                            std::size_t* size = nullptr);

    /// Returns all tables: events, those of the kinds of events, and those that are computed. Reads
    /// the traces once.
    std::vector<TableInfo> tables();

    /// Returns the number of kinds without a table, beyond limits::query_kinds, that were found.
    std::size_t omitted_kinds() const noexcept;

private:
    struct State;

    explicit Database(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

/// Returns whether a text ends with a complete statement.
bool is_complete_statement(const std::string& text);

} // namespace etl::sql
