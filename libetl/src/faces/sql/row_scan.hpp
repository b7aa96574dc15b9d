// Rows that do not pass through SQLite: the threads that read events test and encode them. Private
// to sql.
#pragma once

#include "flow/pipeline.hpp"
#include "rows/writer.hpp"
#include "sql/members.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace etl::sql {

/// A comparison of a column with a literal, as SQLite makes it. The column has the type `integer`,
/// or it has the type `text` and is compared for equality.
struct RowTest {
    std::size_t member = 0; // in Members
    int op = 0;             // SQLITE_INDEX_CONSTRAINT_EQ, LT, LE, GT, GE
    std::variant<std::int64_t, std::string> literal{};

    bool holds(const rows::Value& value) const noexcept;
};

/// How a column of events gets its values.
struct ValueSource {
    static constexpr std::size_t no_member = SIZE_MAX;

    std::size_t member = no_member; // in Members; none: NULL
    bool is_time_number = false;    // the time in nanoseconds, which is no member
    bool is_time_field = false;     // NULL, unless the text is a time

    /// Returns the value of an event that has this member as JSON, empty if it does not, and this
    /// time. A view of `json` or `scratch`.
    rows::Value value(std::string_view json, const std::optional<Filetime>& time,
                      std::string& scratch) const;
};

/// The text of rows; each begins with the separator of the encoder.
struct TextBatch final : flow::BatchResult {
    std::string text;
    std::vector<std::size_t> ends; // of rows
};

/// What is wanted of the rows of a query, and what takes them.
struct RowScan {
    const rows::RowEncoder* encoder = nullptr;
    std::span<const std::size_t> columns{}; // of the table
    std::uint64_t offset = 0;               // rows to leave out
    std::optional<std::uint64_t> limit{};
    /// Takes the text of some rows; false: no more are wanted.
    std::function<bool(std::string_view rows)> take{};
    std::uint64_t rows = 0;

    /// Returns whether more rows are wanted.
    bool add(const TextBatch& batch);
};

} // namespace etl::sql
