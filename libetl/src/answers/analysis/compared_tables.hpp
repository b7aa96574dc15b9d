// Two tables of the same kind, of two traces, as one. docs/analysis.md#diff
#pragma once

#include "analysis/table.hpp"

namespace etl::analysis {

/// Returns whether a column is shown for both tables: a number of which rows can be added.
bool is_compared(const Column& column) noexcept;

/// Joins two tables of the same kind by their keys, without IDs of processes and threads; rows
/// that are then equal are added. Columns that are compared are there twice, with `a_` and `b_`,
/// and `change_percent` is the change of the column by which the tables are sorted, or of the first
/// one if they have an order of their own.
Table joined(Table before, Table after);

} // namespace etl::analysis
