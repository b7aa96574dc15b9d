// Cells of tables as text. docs/analysis.md#output
#pragma once

#include "analysis/table.hpp"

#include <string>

namespace cli {

/// A JSON value.
std::string json_of(const etl::analysis::Cell& cell, etl::analysis::Unit unit);

/// As in JSON, but texts are not quoted, and null is empty.
std::string csv_of(const etl::analysis::Cell& cell, etl::analysis::Unit unit);

/// With units: `1.25 ms`, `3.4 MB`; null is `-`.
std::string shown_of(const etl::analysis::Cell& cell, etl::analysis::Unit unit);

/// `12.3 ms`
std::string duration_text(std::uint64_t nanoseconds);

/// `running`, without the unit.
std::string heading_of(const etl::analysis::Column& column);

/// Number of code points of UTF-8 text.
std::size_t columns_of(std::string_view text) noexcept;

/// Text of at most `width` columns: its middle is replaced if it is longer.
std::string fitted(const std::string& text, std::size_t width);

} // namespace cli
