#include "verbs/tracerpt/report.hpp"

#include <etl/time.hpp>

#include "analysis/origin_keys.hpp"
#include "analysis/pass.hpp"
#include "analysis/tables.hpp"
#include "base/text.hpp"
#include "base/xml_text.hpp"
#include "gather/scopes.hpp"
#include "rows/values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

using etl::analysis::Table;

using Forms = std::vector<const etl::analysis::TableForm*>;

/// The tables of a level; higher levels contain those of lower ones.
Forms tables_up_to(unsigned level) {
    Forms forms = forms_in(&etl::analysis::TablePlaces::tracerpt);
    constexpr unsigned places_per_level = 10;
    std::erase_if(forms, [&](const etl::analysis::TableForm* form) {
        return form->places.tracerpt / places_per_level > level;
    });
    return forms;
}

/// What the tables of all traces share.
struct ReportInputs {
    Forms wanted;
    etl::schema::SchemasByTrace schemas;
    std::shared_ptr<const etl::facts::FactsByTrace> facts;
    std::shared_ptr<const etl::facts::Origins> origins;
};

/// The tables of traces that are read together, of each machine and boot, in one pass.
std::expected<std::vector<std::vector<Table>>, ExitCode>
compute(const Traces& traces, const etl::gather::Scopes& scopes,
        const etl::gather::ScopeGroup& group, const ReportInputs& inputs) {
    const auto say_failure = [&](const etl::Error& error) {
        say(printable(traces.readers()[group.readers.front()]->info().name), error);
        return std::unexpected(ExitCode::failed);
    };
    auto events = etl::gather::GroupEvents::open(traces.readers(), group);
    if (!events) {
        return say_failure(events.error());
    }
    std::vector<etl::flow::TraceInfo> infos;
    for (const std::uint32_t number : group.scopes) {
        infos.push_back(events->trace_of(scopes.all()[number]));
    }
    std::vector<std::unique_ptr<etl::analysis::Analyzer>> analyzers;
    std::vector<etl::analysis::Job> jobs;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        for (const etl::analysis::TableForm* const wanted : inputs.wanted) {
            analyzers.push_back(wanted->make({}));
            jobs.push_back({.analyzer = analyzers.back().get(),
                            .options = {.facts = inputs.facts,
                                        .scope = group.scopes[i],
                                        .schemas = inputs.schemas,
                                        .is_ordered = false},
                            .trace = &infos[i]});
        }
    }
    auto tables = etl::analysis::run(events->source(), infos.front(), jobs, {},
                                     traces.dataset().options().worker_threads());
    if (!tables) {
        return say_failure(tables.error());
    }
    std::vector<std::vector<Table>> by_scope(infos.size());
    for (std::size_t i = 0; i < tables->size(); ++i) {
        by_scope[i / inputs.wanted.size()].push_back(std::move((*tables)[i]));
    }
    return by_scope;
}

/// The tables of all traces, added.
std::expected<std::vector<Table>, ExitCode> compute_all(const Traces& traces,
                                                        const ReportInputs& inputs) {
    std::vector<Table> all;
    const etl::gather::Scopes scopes(traces.readers());
    const etl::analysis::OriginKeys keys(scopes.origins(traces.readers(), *inputs.origins));
    for (const etl::gather::ScopeGroup& group : scopes.groups()) {
        auto by_scope = compute(traces, scopes, group, inputs);
        if (!by_scope) {
            return std::unexpected(by_scope.error());
        }
        for (std::size_t scope = 0; scope < by_scope->size(); ++scope) {
            std::vector<Table>& tables = (*by_scope)[scope];
            std::ranges::for_each(tables,
                                  [&](Table& table) { keys.add_to(table, group.scopes[scope]); });
            for (std::size_t i = 0; i < all.size(); ++i) {
                all[i].add(std::move(tables[i]));
            }
            if (all.empty()) {
                all = std::move(tables);
            }
        }
    }
    for (Table& table : all) {
        table.compute_ratios();
        table.sort();
    }
    return all;
}

} // namespace

ReportTotals totals_of(const Traces& traces, std::uint64_t events) {
    const etl::match::TimeBounds bounds = traces.dataset().bounds();
    ReportTotals totals{.files = {},
                        .buffers = 0,
                        .events = events,
                        .lost_events = 0,
                        .begin = bounds.start,
                        .end = bounds.end};
    for (const auto& reader : traces.readers()) {
        totals.files.push_back(printable(reader->info().name));
        totals.buffers += reader->info().buffers;
        totals.lost_events += reader->info().header.events_lost;
    }
    return totals;
}

std::expected<Report, ExitCode> make_report(const TraceOptions& named,
                                            const SchemaOptions& schema_options, unsigned level,
                                            ReportTotals totals) {
    const OpenedFiles opened = open_files(named);
    const Traces traces(opened, named, Traces::Findings::silent);
    const auto context = context_of(traces, schema_options,
                                    {.facts = etl::facts::Scope::everything, .origins = true});
    if (!context) {
        return std::unexpected(ExitCode::failed);
    }
    const ReportInputs inputs{.wanted = tables_up_to(level),
                              .schemas = context->schemas,
                              .facts = context->facts,
                              .origins = context->origins};
    auto tables = compute_all(traces, inputs);
    if (!tables) {
        return std::unexpected(tables.error());
    }
    Report report{.totals = std::move(totals), .tables = {}};
    for (std::size_t i = 0; i < tables->size(); ++i) {
        const etl::analysis::TableForm& wanted = *inputs.wanted[i];
        if (!(*tables)[i].rows.empty()) {
            report.tables.push_back({wanted.by.empty()
                                         ? std::string(wanted.kind->name)
                                         : fmt::format("{} by {}", wanted.kind->name, wanted.by),
                                     std::move((*tables)[i])});
        }
    }
    return report;
}

namespace {

using etl::analysis::Cell;
using etl::analysis::Column;

std::string xml_text(std::string_view text) {
    std::string valid, escaped;
    etl::append_utf8(valid, std::as_bytes(std::span(text)));
    etl::append_xml_escaped(escaped, valid);
    return escaped;
}

std::string xml_attribute(std::string_view text) {
    std::string valid, escaped;
    etl::append_utf8(valid, std::as_bytes(std::span(text)));
    etl::append_xml_escaped(escaped, valid, etl::XmlPlace::attribute);
    return escaped;
}

std::string time_text(etl::Filetime time) {
    std::string text;
    etl::append_rfc3339(text, time);
    return text;
}

bool is_null(const Cell& cell) {
    return std::holds_alternative<std::monostate>(cell);
}

void append_xml_row(std::string& to, std::string_view element, const Table& table,
                    const std::vector<Cell>& cells) {
    to += fmt::format("    <{}>\n", element);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!is_null(cells[i])) {
            to += fmt::format("      <Data Name=\"{}\">{}</Data>\n", table.columns[i].name,
                              xml_text(etl::rows::csv_of(cells[i], table.columns[i].unit)));
        }
    }
    to += fmt::format("    </{}>\n", element);
}

void append_xml_table(std::string& to, const ReportTable& one) {
    to += fmt::format("  <Table Name=\"{}\">\n", xml_attribute(one.title));
    for (const auto& row : one.table.rows) {
        append_xml_row(to, "Row", one.table, row.cells);
    }
    if (!one.table.total.empty()) {
        append_xml_row(to, "Total", one.table, one.table.total);
    }
    for (const auto& missing : one.table.coverage.not_recorded) {
        to += fmt::format("    <NotRecorded Source=\"{}\">{}</NotRecorded>\n",
                          xml_attribute(missing.source), xml_text(missing.record));
    }
    to += "  </Table>\n";
}

std::string xml_report(const Report& report) {
    const ReportTotals& totals = report.totals;
    std::string text = "<?xml version=\"1.0\"?>\n<Report>\n  <Header>\n";
    for (const std::string& file : totals.files) {
        text += fmt::format("    <File>{}</File>\n", xml_text(file));
    }
    text += fmt::format("    <Buffers>{}</Buffers>\n    <Events>{}</Events>\n"
                        "    <EventsLost>{}</EventsLost>\n",
                        totals.buffers, totals.events, totals.lost_events);
    text += fmt::format("    <StartTime>{}</StartTime>\n", time_text(totals.begin));
    if (totals.end) {
        text += fmt::format("    <EndTime>{}</EndTime>\n", time_text(*totals.end));
    }
    text += "  </Header>\n";
    for (const ReportTable& table : report.tables) {
        append_xml_table(text, table);
    }
    return text + "</Report>\n";
}

void append_html_row(std::string& to, const Table& table, const std::vector<Cell>& cells) {
    to += "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!table.columns[i].is_hidden) {
            to += fmt::format("<td>{}</td>",
                              xml_text(etl::rows::shown_of(cells[i], table.columns[i].unit)));
        }
    }
    to += "</tr>\n";
}

void append_html_table(std::string& to, const ReportTable& one) {
    to += fmt::format("<h2>{}</h2>\n<table>\n<tr>", xml_text(one.title));
    for (const Column& column : one.table.columns) {
        if (!column.is_hidden) {
            to += fmt::format("<th>{}</th>",
                              xml_text(etl::rows::heading_of(column.name, column.unit)));
        }
    }
    to += "</tr>\n";
    for (const auto& row : one.table.rows) {
        append_html_row(to, one.table, row.cells);
    }
    to += "</table>\n";
    for (const auto& missing : one.table.coverage.not_recorded) {
        to += fmt::format("<p>Not recorded: {}; {}</p>\n", xml_text(missing.source),
                          xml_text(missing.record));
    }
}

std::string html_report(const Report& report) {
    const ReportTotals& totals = report.totals;
    std::string text =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<title>Trace report</title>\n<style>body{font-family:sans-serif}table{border-collapse:"
        "collapse}td,th{border:1px solid #bbb;padding:2px 8px;text-align:left}</style>\n</head>\n"
        "<body>\n<h1>Trace report</h1>\n<ul>\n";
    for (const std::string& file : totals.files) {
        text += fmt::format("<li>{}</li>\n", xml_text(file));
    }
    text += fmt::format("</ul>\n<p>{} events in {} buffers, {} lost, from {} to {}</p>\n",
                        totals.events, totals.buffers, totals.lost_events, time_text(totals.begin),
                        totals.end ? time_text(*totals.end) : "?");
    for (const ReportTable& table : report.tables) {
        append_html_table(text, table);
    }
    return text + "</body>\n</html>\n";
}

} // namespace

std::string report_text(const Report& report, ReportFormat format) {
    return format == ReportFormat::xml ? xml_report(report) : html_report(report);
}

} // namespace cli
