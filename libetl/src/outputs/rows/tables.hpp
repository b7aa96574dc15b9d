// Tables as text, CSV, TSV, and JSON, with what was not recorded. docs/analysis.md#output
#pragma once

#include "analysis/table.hpp"
#include "rows/writer.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::rows {

// What a table was not computed from, or only by assumptions, as sentences.

/// Returns what is missing, guessed, or assumed, with the next step, a line for each.
std::vector<std::string> coverage_notes(const analysis::Coverage& coverage);

/// Returns whether a further count of the coverage is part of the notes.
bool is_noted(std::string_view remainder) noexcept;

/// Returns what is missing: of samples, those of time, if there are those of hardware counters.
std::string_view missing_source(const analysis::NotRecorded& missing,
                                const analysis::Coverage& coverage) noexcept;

// Parts of tables as JSON.

/// The total, without the columns that have none.
std::string total_json(const analysis::Table& table);

std::string coverage_json(const analysis::Coverage& coverage);

// Tables as lists, for pages: columns and cells in the same order.

/// Columns as `{"name", "unit", "key"}`, by their numbers.
std::string columns_json(const analysis::Table& table, std::span<const std::size_t> columns);

/// The cells of a row; of texts at most `max_text` bytes, and then an ellipsis.
std::string cells_json(const analysis::Table& table, const std::vector<analysis::Cell>& cells,
                       std::span<const std::size_t> columns, std::size_t max_text);

/// The total; of columns that have none, null.
std::string total_cells_json(const analysis::Table& table, std::span<const std::size_t> columns);

/// What is printed of a table.
struct TableView {
    const analysis::Table* table = nullptr;
    std::size_t rows = 0;                  // the first ones
    std::size_t width = 0;                 // of text, in columns; 0: unlimited
    bool bars = false;                     // text: a line of bars for each column
    std::uint64_t max_number = UINT64_MAX; // JSON: the largest integer that is not quoted
};

/// Returns all of the output.
std::string text_of(const TableView& view, Format format);

/// Returns the line about the coverage that is printed with rows that contain none
/// (is_bare()).
std::string coverage_line(const TableView& view);

/// Whether the format consists of rows alone, without total and coverage: CSV and TSV.
bool is_bare(Format format) noexcept;

} // namespace etl::rows
