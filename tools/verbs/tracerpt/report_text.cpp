#include <etl/time.hpp>

#include "base/text.hpp"
#include "base/xml_text.hpp"
#include "rows/values.hpp"
#include "verbs/tracerpt/report.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

using etl::analysis::Cell;
using etl::analysis::Column;
using etl::analysis::Table;

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
