// Rows of queries as text, CSV, TSV, and JSON. docs/sql.md#output
#pragma once

#include "base/output.hpp"
#include "outputs/table_output.hpp"
#include "sql/database.hpp"

#include <cstddef>
#include <expected>
#include <functional>
#include <string>

namespace cli {

struct RowOutput {
    TableFormat format = TableFormat::text;
    std::size_t width = 0;                       // of text, in columns; 0: unlimited
    BigNumbers big_numbers = BigNumbers::number; // JSON
    /// Whether the rest is not wanted. May be empty.
    std::function<bool()> is_closed{};
};

/// Why rows could not be written: the query, or the output.
struct RowError {
    std::expected<void, etl::sql::QueryError> query{};
    etl::Result<void> output{};
};

/// Writes all rows of a query. Bounded memory: text is aligned in groups of rows.
std::expected<void, RowError> write_rows(etl::sql::Query& query, etl::Output& to,
                                         const RowOutput& how);

} // namespace cli
