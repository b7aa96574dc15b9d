// Tables as text, CSV, TSV, and JSON. docs/analysis.md#output
#pragma once

#include <etl/analysis/table.hpp>

#include "verbs/analyze/options.hpp"

#include <string>

namespace cli {

/// What is printed of a table.
struct TableView {
    const etl::analysis::Table* table = nullptr;
    std::size_t rows = 0;  // the first ones
    std::size_t width = 0; // of text, in columns; 0: unlimited
    bool bars = false;     // text: a line of bars for each column
};

/// Returns all of the output.
std::string text_of(const TableView& view, TableFormat format);

/// Returns the line about the coverage that is printed with CSV and TSV, which do not contain it.
std::string coverage_line(const TableView& view);

} // namespace cli
