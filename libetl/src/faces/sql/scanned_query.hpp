// Whether the rows of a query are events as they are read. Private to sql.
#pragma once

#include "sql/database.hpp"
#include "sql/statement.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace etl::sql {

/// A query that only names columns of one table of events, and which of its rows are wanted: those
/// that meet all comparisons of columns with literals.
struct ScannedQuery {
    bool is_scanned = false;
    std::vector<std::size_t> columns{}; // of the table, by column of the result
    std::size_t comparisons = 0;        // BETWEEN is two
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> limit{};
};

/// Returns the columns of a table of events, ignoring case; null: no such table.
using FindEventTable = std::function<const std::vector<ColumnInfo>*(const std::string& name)>;

/// Looks at the words of a query; what it is not sure of is not scanned.
ScannedQuery scanned_query_of(const Statement& statement, const FindEventTable& find_table);

} // namespace etl::sql
