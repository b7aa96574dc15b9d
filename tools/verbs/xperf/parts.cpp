#include "verbs/xperf/parts.hpp"

#include "outputs/coverage_notes.hpp"
#include "verbs/xperf/plain_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli::xperf {

namespace {

using etl::analysis::Row;
using etl::analysis::Table;

AnalyzeOptions options_of(const Options& options, const Part& part, const Selection& selection) {
    AnalyzeOptions how;
    how.traces = options.traces;
    how.schemas = options.schemas;
    if (options.has_symbols) {
        how.symbols = options.symbols;
    }
    how.filters.from = selection.from;
    how.filters.to = selection.to;
    how.filters.processes = selection.processes;
    how.verb = part.table;
    how.by = part.by;
    how.rows.sort = part.sort;
    how.table = part.options;
    how.slice_seconds = part.slice_seconds;
    how.progress = options.progress();
    return how;
}

void drop_below(Table& table, std::string_view column, std::size_t least) {
    if (const auto at = table.find(column); at && least > 0) {
        std::erase_if(table.rows, [&](const Row& row) {
            const auto* const number = std::get_if<std::uint64_t>(&row.cells[*at]);
            return number == nullptr || *number < least;
        });
    }
}

/// The rows that a part shows.
Table shown_rows(const Part& part, Table table) {
    drop_below(table, "samples", part.least_samples);
    drop_below(table, "inclusive_events", part.least_events);
    if (!table.find("inclusive_events")) {
        drop_below(table, "events", part.least_events);
    }
    if (const auto usage = table.find("cpu_percent"); usage && part.is_of_machine) {
        const std::uint64_t processors = std::max<std::uint64_t>(table.coverage.processors, 1);
        for (Row& row : table.rows) {
            if (auto* const percent = std::get_if<std::uint64_t>(&row.cells[*usage])) {
                *percent = (*percent + processors / 2) / processors;
            }
        }
    }
    if (const auto kind = table.find("kind"); kind && !part.kind.empty()) {
        std::erase_if(table.rows, [&](const Row& row) {
            const auto* const text = std::get_if<std::string>(&row.cells[*kind]);
            return text == nullptr || !text->contains(part.kind);
        });
    }
    return table;
}

std::string part_text(const Part& part, const Table& table, etl::Filetime start) {
    std::string text =
        fmt::format("{}\n\n{}\n", part.title,
                    part.text ? part.text(part, table) : plain_text(table, start, part.hidden));
    const std::size_t length = text.size();
    for (const auto& missing : table.coverage.not_recorded) {
        if (missing.columns.empty() ||
            !std::ranges::all_of(missing.columns, [&](std::string_view column) {
                return std::ranges::find(part.hidden, column) != part.hidden.end();
            })) {
            text += fmt::format("Not recorded: {} (to record: {})\n",
                                missing_source(missing, table.coverage), missing.record);
        }
    }
    if (text.size() > length) {
        text += '\n';
    }
    return text;
}

} // namespace

std::expected<std::vector<Analysis>, ExitCode> compute(const Options& options,
                                                       const std::vector<Report>& reports) {
    std::vector<AnalyzeOptions> all;
    for (const Report& report : reports) {
        for (const Part& part : report.parts) {
            all.push_back(options_of(options, part, part.selection.value_or(report.selection)));
        }
    }
    return all.empty() ? std::vector<Analysis>() : analyze(all);
}

ExitCode print_report(const Run& run, const Report& report, std::span<const Analysis> tables) {
    ExitCode exit = ExitCode::well;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const Part& part = report.parts[i];
        const Table table = shown_rows(part, tables[i].table);
        const std::string text =
            report.format ? text_of({.table = &table, .rows = table.rows.size()}, *report.format)
                          : part_text(part, table, run.start);
        exit = worst(exit, worst(run.write(text), tables[i].exit));
        if (exit == ExitCode::failed) {
            break;
        }
    }
    return exit;
}

void add_report(std::vector<Action>& actions, Verb& app,
                std::function<std::expected<Report, ExitCode>()> report,
                std::function<ExitCode(const Run&)> more) {
    actions.push_back({.app = &app,
                       .run =
                           [more = std::move(more)](const Run& run, const Report& its,
                                                    std::span<const Analysis> tables) {
                               const ExitCode exit = print_report(run, its, tables);
                               return more && exit != ExitCode::failed ? worst(exit, more(run))
                                                                       : exit;
                           },
                       .report = std::move(report)});
}

void add_interval(Verb& app, const std::string& name, double& seconds, const std::string& help) {
    app.add_option_function<std::string>(
           name,
           [name, &seconds](const std::string& word) {
               seconds = 1;
               if (!word.empty() && (!read_number(word, seconds) || seconds <= 0)) {
                   throw UsageError(name.substr(1),
                                    "'" + printable(word) + "' is not a number of seconds");
               }
           },
           help + " (default: 1)")
        ->expected(0, 1)
        ->type_name("N");
}

void add_processes(Verb& app, const std::string& name, const std::string& type,
                   const std::string& help, std::vector<std::string>& to) {
    app.add_option_function<std::vector<std::string>>(
           name,
           [&to](const std::vector<std::string>& words) {
               to.insert(to.end(), words.begin(), words.end());
           },
           help)
        ->type_name(type);
}

} // namespace cli::xperf
