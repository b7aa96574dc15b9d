// Between tables and their parts. Private to analysis.
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/parts.hpp"

namespace etl::analysis {

/// What parts keep of a table: not what is the same in all of them.
TablePart part_of(Table table);

/// What an analyzer saves.
std::vector<std::byte> carried_of(Analyzer& analyzer);

/// The same of a state.
std::vector<std::byte> state_of(Analyzer& analyzer);

/// Adds to a table what a state says besides what its analyzer has loaded. False: the table depends
/// on more.
bool follow(Table& table, const TableState& before);

/// Writes or reads a state.
void visit(Archive& archive, TableState& state);

/// Writes or reads the rows of a table.
void visit_rows(Archive& archive, std::vector<Row>& rows);

/// Returns whether rows have the cells of a table.
bool fit(const Table& table, const std::vector<Row>& rows);

/// Adds rows that fit by their keys; of tables with an order of their own, behind the others if
/// `appends`.
void add_rows(Table& table, std::vector<Row> rows, bool appends);

} // namespace etl::analysis
