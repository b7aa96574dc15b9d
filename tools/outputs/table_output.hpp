// The options of verbs that print tables. docs/analysis.md#output
#pragma once

#include "cli/exit_code.hpp"
#include "cli/option_values.hpp"
#include "cli/verb.hpp"
#include "rows/tables.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

using etl::rows::coverage_json;
using etl::rows::coverage_line;
using etl::rows::coverage_notes;
using etl::rows::is_bare;
using etl::rows::is_noted;
using etl::rows::missing_source;
using etl::rows::TableView;
using etl::rows::text_of;
using etl::rows::total_json;

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

} // namespace cli
