// Tables as text, CSV, TSV, and JSON. docs/analysis.md#output
#pragma once

#include "analysis/table.hpp"
#include "cli/exit_code.hpp"
#include "cli/option_values.hpp"
#include "cli/verb.hpp"
#include "rows/writer.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// What a table was not computed from, or only by assumptions, as sentences. docs/analysis.md#output

/// Returns what is missing, guessed, or assumed, with the next step, a line for each.
std::vector<std::string> coverage_notes(const etl::analysis::Coverage& coverage);

/// Returns whether a further count of the coverage is part of the notes.
bool is_noted(std::string_view remainder) noexcept;

/// Returns what is missing: of samples, those of time, if there are those of hardware counters.
std::string_view missing_source(const etl::analysis::NotRecorded& missing,
                                const etl::analysis::Coverage& coverage) noexcept;

// Parts of tables as JSON. docs/analysis.md#output

/// The total, without the columns that have none.
std::string total_json(const etl::analysis::Table& table);

std::string coverage_json(const etl::analysis::Coverage& coverage);

using TableFormat = etl::rows::Format;

/// Adds --format, and --big-numbers.
void add_table_format(Verb& verb, std::optional<TableFormat>& to, BigNumbers& big_numbers);

/// The same with -o, whose extension sets the format, and --force.
void add_table_output(Verb& verb, std::optional<TableFormat>& to, BigNumbers& big_numbers,
                      std::string& output, bool& force);

/// Returns the format of --format, else by the extension of `output`, else text; or prints that the
/// extension is unknown.
std::expected<TableFormat, ExitCode> table_format_of(const std::optional<TableFormat>& format,
                                                     const std::string& output);

/// Returns the width of tables as text in an output: that of the terminal; 0, which is unlimited,
/// if the output is none.
std::size_t text_width(const std::string& output);

/// Whether the format consists of rows alone, without total and coverage: CSV and TSV.
bool is_bare(TableFormat format) noexcept;

/// Which rows of a table are printed, and their order.
struct TableRows {
    std::string sort;                   // column, with `-`: reversed; empty: the default order
    std::optional<std::uint64_t> limit; // none: all

    std::size_t count_of(const etl::analysis::Table& table) const noexcept;
};

/// Adds --sort and --limit, which take the place of --skip and --limit of the filters.
/// `default_order` is the order without --sort, for the help.
void add_table_rows(Verb& verb, TableRows& rows, std::string_view default_order);

/// Sorts by `column`, with `-` in front in reverse; empty: in the default order. Prints why it
/// cannot.
ExitCode sort_table(etl::analysis::Table& table, const std::string& column);

/// What is printed of a table.
struct TableView {
    const etl::analysis::Table* table = nullptr;
    std::size_t rows = 0;                        // the first ones
    std::size_t width = 0;                       // of text, in columns; 0: unlimited
    bool bars = false;                           // text: a line of bars for each column
    BigNumbers big_numbers = BigNumbers::number; // JSON
};

/// Returns all of the output.
std::string text_of(const TableView& view, TableFormat format);

/// Returns the line about the coverage that is printed with rows that contain none
/// (is_bare()).
std::string coverage_line(const TableView& view);

} // namespace cli
