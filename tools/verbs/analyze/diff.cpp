#include "verbs/analyze/diff.hpp"

#include "analysis/compared_tables.hpp"
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "facts/attributor.hpp"
#include "io/output_file.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/analyze/analyze.hpp"
#include "verbs/analyze/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace cli {

namespace {

using etl::analysis::Cell;
using etl::analysis::Column;
using etl::analysis::is_compared;
using etl::analysis::Row;
using etl::analysis::Table;

struct DiffOptions {
    AnalyzeOptions analyze;
    std::string before, after;
    BeforeWindow window; // of `before`
    std::vector<std::string> conditions;
    bool allow_missing = false;
};

bool is_compared_table(std::string_view name) noexcept {
    const auto* const kind = etl::analysis::find_kind(name);
    return kind != nullptr && kind->is_compared;
}

/// One table of one trace.
std::expected<Analysis, ExitCode> table_of(AnalyzeOptions one, const std::string& trace,
                                           const std::string& verb, const std::string& by) {
    one.adds_machines = true; // each trace has its own
    one.traces.arguments = {trace};
    one.verb = verb;
    one.by = by;
    one.rows.sort.clear();
    return analyze(one);
}

/// A pair of tables, computed once.
struct Pair {
    Table before, after;
    ExitCode exit = ExitCode::well;
};

class Tables {
public:
    explicit Tables(const DiffOptions& options) : options_(&options) {}

    std::expected<const Pair*, ExitCode> get(const std::string& verb, const std::string& by) {
        const auto known = pairs_.find({verb, by});
        if (known != pairs_.end()) {
            return &known->second;
        }
        AnalyzeOptions with = options_->analyze;
        with.filters = options_->window.of(with.filters);
        auto before = table_of(with, options_->before, verb, by);
        if (!before) {
            return std::unexpected(before.error());
        }
        auto after = table_of(options_->analyze, options_->after, verb, by);
        if (!after) {
            return std::unexpected(after.error());
        }
        return &pairs_
                    .emplace(std::pair(verb, by),
                             Pair{std::move(before->table), std::move(after->table),
                                  worst(before->exit, after->exit)})
                    .first->second;
    }

private:
    const DiffOptions* options_;
    std::map<std::pair<std::string, std::string>, Pair> pairs_;
};

std::optional<double> number_in(const Cell& cell) {
    const auto* const number = std::get_if<std::uint64_t>(&cell);
    return number != nullptr ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

double scale_of(const Column& column) noexcept {
    constexpr double hundredths = 100;
    return column.unit == etl::analysis::Unit::hundredths ? hundredths : 1;
}

/// Whether a row of a condition is a row of a table: by its first key, as the text form shows it,
/// and processes as for --process.
bool is_row(const Table& table, const Row& row, std::string_view wanted) {
    const auto* const name = std::get_if<std::string>(&row.cells.front());
    if (name == nullptr) {
        return wanted == "-" && std::holds_alternative<std::monostate>(row.cells.front());
    }
    return table.columns.front().name == "process" ? etl::facts::matches_process_name(wanted, *name)
                                                   : etl::matches_glob(wanted, *name);
}

/// The value of the total, or of the rows that match: added as those of the total, so that a ratio
/// is that of the sums.
std::optional<double> value_in(const Table& table, std::uint32_t number, std::string_view row) {
    const auto scaled = [&](const Cell& cell) {
        const auto value = number_in(cell);
        return value ? std::optional(*value / scale_of(table.columns[number])) : std::nullopt;
    };
    if (row == "*") {
        return scaled(table.total[number]);
    }
    Table matching;
    matching.columns = table.columns;
    for (Column& column : matching.columns) {
        column.total_of = {}; // of all rows only
    }
    matching.coverage = table.coverage;
    std::ranges::copy_if(table.rows, std::back_inserter(matching.rows),
                         [&](const Row& one) { return is_row(table, one, row); });
    if (std::ranges::none_of(matching.rows, [&](const Row& one) {
            return number_in(one.cells[number]).has_value();
        })) {
        return std::nullopt;
    }
    for (Row& one : matching.rows) {
        one.in_total = true;
    }
    matching.add_up();
    matching.compute_ratios();
    return scaled(matching.total[number]);
}

bool has_row(const Table& table, std::string_view row) {
    return row == "*" ||
           std::ranges::any_of(table.rows, [&](const Row& one) { return is_row(table, one, row); });
}

/// A trace that a condition is about.
struct Side {
    const std::string& path;
    const Table& table;
};

const etl::analysis::NotRecorded* missing_source(const Table& table, std::string_view column) {
    const auto missing = std::ranges::find_if(table.coverage.not_recorded, [&](const auto& one) {
        return std::ranges::find(one.columns, column) != one.columns.end();
    });
    return missing == table.coverage.not_recorded.end() ? nullptr : &*missing;
}

/// `; 1 event of TcpIp version 3 is unknown`: values that are missing may be in these.
std::string unknown_versions(const Table& table) {
    std::string text;
    for (const auto& one : table.coverage.other_versions) {
        text += one.layout ? "" : (text.empty() ? "" : ", ") + describe(one);
    }
    return text;
}

/// `samples not recorded; to record: ...`, or that its events may be unknown.
std::string why_missing(const Table& table, const etl::analysis::NotRecorded& missing) {
    const std::string unknown = unknown_versions(table);
    return unknown.empty()
               ? fmt::format("{} not recorded; to record: {}", missing.source, missing.record)
               : fmt::format("{} not recorded, or unknown: {}; see `etl schema list`",
                             missing.source, unknown);
}

/// Why the value of a trace cannot be used; empty: it can. `has_value`: there is one (value_in).
std::string why_no_value(const Side& side, const DiffCondition& condition, std::uint32_t column,
                         bool has_value, bool allow_missing) {
    const std::string path = printable(side.path);
    const std::string_view name = side.table.columns[column].name;
    if (const auto* const missing = missing_source(side.table, name)) {
        return fmt::format("{} has no {} ({})", path, name, why_missing(side.table, *missing));
    }
    if (side.table.coverage.used_events == 0) {
        const std::string unknown = unknown_versions(side.table);
        return fmt::format("{} has no events for table {}{}{}", path, condition.table,
                           unknown.empty() ? "" : "; ", unknown);
    }
    if (!has_row(side.table, condition.row)) {
        return allow_missing ? std::string()
                             : fmt::format("{} has no row '{}' (--allow-missing permits it)", path,
                                           printable(condition.row));
    }
    return has_value
               ? std::string()
               : fmt::format("{} has no {} in row '{}'", path, name, printable(condition.row));
}

/// `cpu.switches(kettle.exe)`, of a column that both traces have, or what to do without one.
std::string comparable_column(const DiffCondition& condition, const Side& before,
                              const Side& after) {
    for (const Column& column : before.table.columns) {
        const bool is_measured =
            is_compared(column) && column.adding != etl::analysis::Adding::ratio;
        if (is_measured && after.table.find(column.name) &&
            missing_source(before.table, column.name) == nullptr &&
            missing_source(after.table, column.name) == nullptr) {
            return fmt::format("name a column that both have, such as {}.{}({})", condition.table,
                               column.name, printable(condition.row));
        }
    }
    std::string text = "record both in the same way";
    for (const Side* const side : {&before, &after}) {
        for (const auto& missing : side->table.coverage.not_recorded) {
            text += fmt::format("; {} lacks {}", printable(side->path), missing.source);
        }
    }
    return text;
}

ExitCode say_other_measures(const DiffCondition& condition, const Side& before, const Side& after,
                            std::string_view text) {
    say(fmt::format("--fail-if '{}': cannot compare: {}; {}", printable(condition.text), text,
                    comparable_column(condition, before, after)));
    return ExitCode::incomparable;
}

/// A unit of a value, as an adjective of the column.
std::string_view name_of(etl::analysis::Unit unit) noexcept {
    return unit == etl::analysis::Unit::bytes         ? "bytes"
           : unit == etl::analysis::Unit::nanoseconds ? "a time"
           : unit == etl::analysis::Unit::hundredths  ? "a ratio"
                                                      : "a number";
}

/// `running_ns, switches`.
std::string compared_columns(const Table& table) {
    std::string names;
    for (const Column& column : table.columns) {
        if (is_compared(column)) {
            names.append(names.empty() ? "" : ", ").append(column.name);
        }
    }
    return names;
}

/// The column that a condition is about. Errors: an unknown column, one that is not compared, or
/// another unit; printed.
std::expected<std::uint32_t, ExitCode> column_of(const DiffCondition& condition,
                                                 const Side& before) {
    const auto column = condition.column.empty() ? std::optional(before.table.sort_column)
                                                 : before.table.find(condition.column);
    if (!column) {
        say(fmt::format("--fail-if: table {} has no column '{}'", condition.table,
                        printable(condition.column)));
        return std::unexpected(ExitCode::usage);
    }
    const Column& found = before.table.columns[*column];
    if (!is_compared(found)) {
        say(fmt::format("--fail-if '{}': {} is not compared; columns that are: {}",
                        printable(condition.text), found.name, compared_columns(before.table)));
        return std::unexpected(ExitCode::usage);
    }
    if (condition.unit && *condition.unit != found.unit) {
        say(fmt::format("--fail-if '{}': {} is {}, not {}", printable(condition.text), found.name,
                        name_of(found.unit), name_of(*condition.unit)));
        return std::unexpected(ExitCode::usage);
    }
    return *column;
}

/// Whether both traces measured the column in the same way. If not, that is printed.
bool is_same_measure(const DiffCondition& condition, std::uint32_t number, const Side& before,
                     const Side& after) {
    if (condition.column.empty() && before.table.sort_column != after.table.sort_column) {
        say_other_measures(condition, before, after,
                           fmt::format("{} has {}, {} has {}", printable(before.path),
                                       before.table.columns[before.table.sort_column].name,
                                       printable(after.path),
                                       after.table.columns[after.table.sort_column].name));
        return false;
    }
    const Column& a = before.table.columns[number];
    const Column& b = after.table.columns[number];
    const bool is_other_ratio =
        a.adding == etl::analysis::Adding::ratio &&
        (a.ratio.numerator != b.ratio.numerator || a.ratio.denominator != b.ratio.denominator);
    if (is_other_ratio) {
        say_other_measures(
            condition, before, after,
            fmt::format("{} of {} is computed from {}, of {} from {}", a.name,
                        printable(before.path), before.table.columns[a.ratio.numerator].name,
                        printable(after.path), after.table.columns[b.ratio.numerator].name));
    }
    return !is_other_ratio;
}

std::string shown(std::optional<double> value) {
    return value ? fmt::format("{:.15g}", *value) : "nothing";
}

/// Prints a condition, and what it compares. The result: whether it is true (condition), false
/// (well), or cannot be told.
ExitCode check_condition(const DiffCondition& condition, const Side& before, const Side& after,
                         bool allow_missing) {
    const auto column = column_of(condition, before);
    if (!column) {
        return column.error();
    }
    const bool is_change = condition.compared != DiffCondition::Compared::value;
    if ((is_change || condition.column.empty()) &&
        !is_same_measure(condition, *column, before, after)) {
        return ExitCode::incomparable;
    }
    const DiffValues values{value_in(before.table, *column, condition.row),
                            value_in(after.table, *column, condition.row)};
    for (const Side* const side : {&before, &after}) {
        if (side == &before && !is_change) {
            continue;
        }
        const auto& value = side == &before ? values.before : values.after;
        const std::string why =
            why_no_value(*side, condition, *column, value.has_value(), allow_missing);
        if (!why.empty()) {
            say(fmt::format("--fail-if '{}': cannot compare: {}", printable(condition.text), why));
            return ExitCode::incomparable;
        }
    }
    const bool result = holds(condition, values);
    say(fmt::format("--fail-if '{}' is {}: {} was {}, is {}", printable(condition.text), result,
                    before.table.columns[*column].name, shown(values.before), shown(values.after)));
    return result ? ExitCode::condition : ExitCode::well;
}

/// A condition that is true counts more than one that cannot be compared.
ExitCode of_conditions(ExitCode a, ExitCode b) noexcept {
    return a == ExitCode::condition || b == ExitCode::condition ? ExitCode::condition : worst(a, b);
}

ExitCode check_conditions(const DiffOptions& options, Tables& tables) {
    ExitCode exit = ExitCode::well;
    for (const std::string& text : options.conditions) {
        const auto condition = parse_condition(text); // checked on input
        const bool is_shown = condition->table == options.analyze.verb;
        const auto pair = tables.get(condition->table, is_shown ? options.analyze.by : "");
        if (!pair) {
            return pair.error();
        }
        exit = of_conditions(exit, check_condition(*condition, {options.before, (*pair)->before},
                                                   {options.after, (*pair)->after},
                                                   options.allow_missing));
    }
    return exit;
}

ExitCode run_diff(const DiffOptions& options) {
    OutputGuard guard;
    guard.reads({options.before, options.after});
    guard.reads(options.analyze.schemas);
    if (!guard.permits(options.analyze.output, existing_files(options.analyze.force))) {
        return ExitCode::failed;
    }
    const auto format = table_format_of(options.analyze.format, options.analyze.output);
    if (!format) {
        return format.error();
    }
    if (etl::analysis::find_table(options.analyze.verb, options.analyze.by) == nullptr) {
        say(fmt::format("--by: table {} has no rows by {}", options.analyze.verb,
                        printable(options.analyze.by)));
        return ExitCode::usage;
    }
    Tables tables(options);
    const auto pair = tables.get(options.analyze.verb, options.analyze.by);
    if (!pair) {
        return pair.error();
    }
    Table both = etl::analysis::joined((*pair)->before, (*pair)->after);
    if (const ExitCode sorted = sort_table(both, options.analyze.rows.sort);
        sorted != ExitCode::well) {
        return sorted;
    }
    const ExitCode written = print_table(options.analyze, both, *format);
    const ExitCode checked = check_conditions(options, tables);
    return checked != ExitCode::well ? checked : worst(written, (*pair)->exit);
}

/// What the rows of any of the tables can be.
std::vector<std::string> forms_of_diff_tables() {
    std::vector<std::string> forms;
    for (const auto* const form : etl::analysis::table_forms()) {
        if (form->kind->is_compared && !form->by.empty()) {
            forms.emplace_back(form->by);
        }
    }
    return forms;
}

} // namespace

void add_diff(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("diff", "Compare the tables of two traces");
    auto options = std::make_shared<DiffOptions>();
    verb.add_option("A", options->before, "trace before")->required();
    verb.add_option("B", options->after, "trace after")->required();
    std::vector<std::string> names;
    for (const auto* const kind : etl::analysis::tables()) {
        if (kind->is_compared) {
            names.emplace_back(kind->name);
        }
    }
    options->analyze.verb = names.front();
    add_choice(verb, "--table", options->analyze.verb, names,
               fmt::format("{} (default: {})", list_of(names, "or"), names.front()), "TABLE");
    suggest_values(
        verb.add_option("--by", options->analyze.by, "rows, as for the verb of the table")
            ->type_name("WHAT"),
        forms_of_diff_tables());
    add_common_options(verb, options->analyze, true);
    options->window.add_to(verb);
    verb.add_option("--fail-if", options->conditions,
                    "exit with 3 if a condition is true, 4 if it cannot be compared: "
                    "'cpu(kettle.exe) > +10%'; repeatable")
        ->type_name("CONDITION")
        ->allow_extra_args(false)
        ->check([](const std::string& text) {
            const auto parsed = parse_condition(text);
            return !parsed ? parsed.error()
                   : is_compared_table(parsed->table)
                       ? std::string()
                       : fmt::format("'{}': unknown table '{}'", text, parsed->table);
        });
    verb.add_flag("--allow-missing", options->allow_missing,
                  "--fail-if: a row that a trace lacks is 0 (default: exit with 4)");
    verb.footer("Examples:\n  etl diff before.etl after.etl\n  etl diff --table disk --by file "
                "before.etl after.etl\n  etl diff --from +5s --to +6s --before-from +7s "
                "--before-to +8s before.etl after.etl\n  etl diff before.etl after.etl --fail-if "
                "'cpu(kettle.exe) "
                "> +10%' --fail-if 'disk.read_bytes(*) > 50MB'\nThe columns are defined in "
                "docs/analysis.md. Exit codes: 0 success, 1 damage, 2 failure, 3 a condition\n"
                "of --fail-if is true, 4 it cannot be compared, 64 usage error.");
    verb.callback([options, &exit] { exit = run_diff(*options); });
}

} // namespace cli
