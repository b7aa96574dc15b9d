#include "cli/console.hpp"
#include "outputs/table_output.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

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
