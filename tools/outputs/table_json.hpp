// Parts of tables as JSON. docs/analysis.md#output
#pragma once

#include "analysis/table.hpp"

#include <string>
#include <vector>

namespace cli {

/// An object with the cells of a row, by column.
std::string row_json(const etl::analysis::Table& table,
                     const std::vector<etl::analysis::Cell>& cells);

/// The total, without the columns that have none.
std::string total_json(const etl::analysis::Table& table);

std::string coverage_json(const etl::analysis::Coverage& coverage);

} // namespace cli
