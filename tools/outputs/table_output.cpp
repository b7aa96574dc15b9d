#include "outputs/table_output.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "io/output_file.hpp"
#include "outputs/output_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace cli {

void add_table_format(Verb& verb, std::optional<TableFormat>& to, BigNumbers& big_numbers) {
    std::map<std::string, std::optional<TableFormat>> choices;
    for (const etl::rows::FormatTraits& one : etl::rows::formats()) {
        choices.emplace(one.name, one.format);
    }
    add_choice(verb, "--format", to, choices,
               fmt::format("{} (default: by the extension of -o, else {})",
                           list_of(names_of(etl::rows::formats()), "or"),
                           etl::rows::formats().front().name),
               "FORMAT");
    add_big_numbers(verb, big_numbers);
}

void add_table_output(Verb& verb, std::optional<TableFormat>& to, BigNumbers& big_numbers,
                      std::string& output, bool& force) {
    add_table_format(verb, to, big_numbers);
    add_text_output(verb, output, force, endings_of(etl::rows::formats()));
}

std::expected<TableFormat, ExitCode> table_format_of(const std::optional<TableFormat>& format,
                                                     const std::string& output) {
    if (format || output == "-") {
        return format.value_or(TableFormat::text);
    }
    const auto dot = output.find_last_of("./");
    if (dot == output.npos || output[dot] == '/') {
        return TableFormat::text;
    }
    const std::string ending = etl::to_lower_ascii(output.substr(dot));
    if (const auto* const known = find_by_ending(etl::rows::formats(), ending)) {
        return known->format;
    }
    say(fmt::format("-o {}: unknown extension {}; use {}, or --format", printable(output),
                    printable(ending), list_of(endings_of(etl::rows::formats()), "or")));
    return std::unexpected(ExitCode::usage);
}

std::size_t text_width(const std::string& output) {
    const bool to_terminal = output == "-" && etl::io::standard_output_is_terminal();
    return to_terminal ? static_cast<std::size_t>(etl::io::standard_output_terminal().columns) : 0;
}

namespace {

ExitCode refuse_column(const etl::analysis::Table& table, const std::string& name) {
    std::string names;
    for (const auto& column : table.columns) {
        names += (names.empty() ? "" : ", ") + std::string(column.name);
    }
    say(fmt::format("--sort: no column is named '{}'; the columns are {}", printable(name), names));
    return ExitCode::usage;
}

} // namespace

void add_table_rows(Verb& verb, TableRows& rows, std::string_view default_order) {
    for (const char* const of_events : {"--skip", "--limit"}) {
        if (Option* const option = verb.get_option_no_throw(of_events)) {
            verb.remove_option(option);
        }
    }
    verb.add_option("--sort", rows.sort,
                    fmt::format("sort by a column; -COLUMN reverses (default: {})", default_order))
        ->type_name("COLUMN");
    verb.add_option("--limit", rows.limit, "print the first N rows; the total contains all")
        ->type_name("N");
}

std::size_t TableRows::count_of(const etl::analysis::Table& table) const noexcept {
    return std::min<std::uint64_t>(limit.value_or(table.rows.size()), table.rows.size());
}

ExitCode sort_table(etl::analysis::Table& table, const std::string& by) {
    if (by.empty()) {
        table.sort();
        return ExitCode::well;
    }
    const bool is_reversed = by.starts_with('-');
    const std::string name = by.substr(is_reversed ? 1 : 0);
    const auto column = table.find(name);
    if (!column) {
        return refuse_column(table, name);
    }
    table.sort_by(*column, is_reversed);
    return ExitCode::well;
}

} // namespace cli
