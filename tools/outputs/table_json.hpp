// Parts of tables as JSON. docs/analysis.md#output
#pragma once

#include "analysis/table.hpp"

#include <string>

namespace cli {

/// The total, without the columns that have none.
std::string total_json(const etl::analysis::Table& table);

std::string coverage_json(const etl::analysis::Coverage& coverage);

} // namespace cli
