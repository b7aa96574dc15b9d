// The short form of a report. docs/report.md#brief
#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "flow/trace_info.hpp"
#include "outputs/table_output.hpp"
#include "rows/values.hpp"
#include "rows/writer.hpp"
#include "verbs/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli::reports {

namespace {

using etl::analysis::Adding;
using etl::analysis::Cell;
using etl::analysis::Column;
using etl::analysis::Table;
using etl::analysis::Unit;

constexpr std::size_t max_bytes = 4096;
constexpr std::size_t top_rows = 3;
constexpr std::size_t max_name = 60; // columns

/// The tables of the brief report: those that others divide further are enough.
std::vector<const ReportTable*> brief_tables(const Report& report) {
    std::vector<const ReportTable*> tables;
    for (const ReportTable& table : report.tables) {
        if (table.form->places.brief != 0) {
            tables.push_back(&table);
        }
    }
    std::ranges::stable_sort(tables, {},
                             [](const ReportTable* one) { return one->form->places.brief; });
    return tables;
}

/// The names of a row: `kettle.exe 100`.
std::string name_of(const Table& table, const std::vector<Cell>& cells) {
    std::string name;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const Column& column = table.columns[i];
        const bool is_name = column.adding == Adding::key &&
                             (column.unit == Unit::text || column.name == "pid") &&
                             !std::holds_alternative<std::monostate>(cells[i]);
        if (is_name) {
            name += (name.empty() ? "" : " ") + etl::rows::shown_of(cells[i], column.unit);
        }
    }
    return etl::rows::fitted(name.empty() ? "-" : name, max_name);
}

/// `process  value  name`, indented.
std::string rows_text(const Table& table) {
    const Column& sorted = table.columns[table.sort_column];
    std::string text;
    std::size_t shown = 0;
    for (const etl::analysis::Row& row : table.rows) {
        if (row.in_total && shown++ < top_rows) { // not Idle
            text += fmt::format("  {:>11}  {}\n",
                                etl::rows::shown_of(row.cells[table.sort_column], sorted.unit),
                                name_of(table, row.cells));
        }
    }
    return text;
}

std::string part_of(const ReportTable& one) {
    const Column& sorted = one.table.columns[one.table.sort_column];
    return fmt::format("{} ({} of {}, by {}): {}\n", one.form->title,
                       std::min(one.table.rows.size(), top_rows), one.table.rows.size(),
                       sorted.name, printable(one.command)) +
           rows_text(one.table);
}

std::string facts_of(const Report& report) {
    const etl::flow::TraceInfo& info = *report.shown.info;
    const etl::format::LogfileHeader& header = info.header;
    std::string text =
        fmt::format("{}: etl info {}\n", etl::rows::fitted(printable(info.name), max_name),
                    printable(report.trace));
    if (etl::flow::is_header_stated(info)) {
        text += fmt::format("  session {}, Windows {}.{} build {}, {}\n",
                            etl::rows::fitted(printable(utf8(header.session_name)), max_name),
                            header.major_version, header.minor_version, header.provider_version,
                            plural(report.shown.processors(), "processor"));
    }
    text += report.is_window
                ? fmt::format("  {}", plural(report.coverage.events, "event"))
                : fmt::format("  {} in {} bytes", plural(report.overview.summary.events, "event"),
                              info.file_size);
    if (report.coverage.begin) {
        text += fmt::format(", {} from {}", etl::rows::duration_text(report.coverage.duration_ns),
                            rfc3339(*report.coverage.begin));
    }
    return text + '\n';
}

std::string missing_of(const Report& report) {
    std::string text;
    for (const auto& one : report.not_recorded) {
        text += (text.empty() ? "" : ", ") + std::string(one.source);
    }
    return text.empty() ? text
                        : fmt::format("Not recorded: {} (how to record: etl report --json {})\n",
                                      text, printable(report.trace));
}

/// Those of the tables of the brief report, each once.
std::vector<std::string> coverage_notes_of(const Report& report) {
    std::vector<std::string> notes;
    for (const ReportTable* const one : brief_tables(report)) {
        for (std::string& note : coverage_notes(one->table.coverage)) {
            if (std::ranges::find(notes, note) == notes.end()) {
                notes.push_back(std::move(note));
            }
        }
    }
    return notes;
}

} // namespace

std::string brief_text(const Report& report) {
    std::string text = facts_of(report);
    for (const std::string& note : report.notes) {
        text += etl::rows::fitted(printable(note), 2 * max_name) + "\n";
    }
    text += missing_of(report);
    for (const std::string& note : coverage_notes_of(report)) {
        text += note + '\n';
    }
    const std::string last = fmt::format("All: etl report {} -o report.html\n",
                                         etl::rows::fitted(printable(report.trace), 2 * max_name));
    for (const ReportTable* const table : brief_tables(report)) {
        const std::string part = part_of(*table);
        if (text.size() + part.size() + last.size() <= max_bytes) {
            text += part;
        }
    }
    return text + last;
}

} // namespace cli::reports
