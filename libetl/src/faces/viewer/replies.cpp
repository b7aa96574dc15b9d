#include "viewer/replies.hpp"

#include "base/hex_pairs.hpp"
#include "base/json_object.hpp"
#include "pages/flame_data.hpp"
#include "rows/tables.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

namespace etl::viewer {

namespace {

/// Bytes of a text in a cell.
constexpr std::size_t max_cell = 4096;

std::vector<std::size_t> shown_columns_of(const analysis::Table& table) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!table.columns[i].is_hidden) {
            shown.push_back(i);
        }
    }
    return shown;
}

std::string rows_json(const analysis::Table& table, std::span<const std::size_t> columns) {
    std::string json = "[";
    for (const analysis::Row& row : table.rows) {
        json += json.size() > 1 ? "," : "";
        json += rows::cells_json(table, row.cells, columns, max_cell);
    }
    return json + "]";
}

void add_rows(JsonObject& json, const explore::Answer& answer) {
    const analysis::Table& table = answer.table;
    const auto columns = shown_columns_of(table);
    json.raw("columns", rows::columns_json(table, columns)).raw("rows", rows_json(table, columns));
    json.raw("total", rows::total_cells_json(table, columns));
    json.raw("sort", table.is_ordered
                         ? "null"
                         : fmt::format("\"{}\"", table.columns[table.sort_column].name));
    json.number("first_row", answer.first_row);
    json.raw("row_count", answer.rows ? std::to_string(*answer.rows) : "null");
    json.raw("remarks", lines_json(answer.remarks));
}

std::string hex_of(std::span<const std::byte> bytes) {
    std::string text(2 * bytes.size(), '0');
    char* to = text.data();
    for (const std::byte byte : bytes) {
        to = put_hex(to, byte);
    }
    return text;
}

/// The rows of a table without their columns.
std::string bare_rows(const analysis::Table& table) {
    std::vector<std::size_t> columns(table.columns.size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return rows_json(table, columns);
}

Status status_of(ErrorCode code) noexcept {
    return code == ErrorCode::invalid_option ? Status::wrong
           : code == ErrorCode::not_found    ? Status::not_found
           : code == ErrorCode::stopped      ? Status::stopped
                                             : Status::failed;
}

} // namespace

std::string lines_json(const std::vector<std::string>& lines) {
    JsonList list;
    for (const std::string& line : lines) {
        list.text(utf8_text(line));
    }
    return list.take();
}

Reply refused(Status status, const std::string& what, const std::string& about) {
    JsonObject json;
    json.text("error", utf8_text(what)).text("about", utf8_text(about));
    return {.status = status, .body = json.take()};
}

Reply refused(const TraceError& error) {
    return refused(status_of(error.code), error.detail.empty() ? describe(error) : error.detail,
                   error.about);
}

Reply reply_of(std::string json) {
    quote_large_integers(json, 0, max_exact_integer);
    return {.body = std::move(json)};
}

std::string table_json(const explore::Answer& answer, const analysis::TableForm& form,
                       const std::string& command, RowEvents events) {
    JsonObject json;
    json.text("name", form.kind->name).text("by", form.by).text("title", form.title);
    add_rows(json, answer);
    json.raw("coverage", rows::coverage_json(answer.table.coverage));
    const bool has_events = events == RowEvents::known;
    json.text("command", utf8_text(command)).text("events", has_events ? form.events : "");
    json.text("events_options", has_events ? form.events_options : "");
    return json.take();
}

std::string table_json(const explore::Answer& answer, const std::string& command) {
    JsonObject json;
    json.text("name", answer.table.name).text("by", "").text("title", "");
    add_rows(json, answer);
    json.raw("coverage", rows::coverage_json(answer.table.coverage));
    json.text("command", utf8_text(command)).text("events", "").text("events_options", "");
    return json.take();
}

std::string events_json(const explore::Answer& answer, const std::string& command) {
    JsonList columns;
    for (const analysis::Column& column : answer.table.columns) {
        columns.text(column.name);
    }
    JsonObject json;
    json.raw("columns", columns.take()).raw("rows", bare_rows(answer.table));
    json.number("first_row", answer.first_row);
    json.raw("row_count", answer.rows ? std::to_string(*answer.rows) : "null");
    json.raw("next_row", answer.next_row ? std::to_string(*answer.next_row) : "null");
    json.raw("remarks", lines_json(answer.remarks)).text("command", utf8_text(command));
    return json.take();
}

std::string event_json(const explore::EventAnswer& answer, const std::string& command,
                       EventBytes bytes) {
    JsonObject json;
    json.raw("event", answer.json);
    json.raw("fields", bare_rows(answer.fields)).raw("stack", bare_rows(answer.stack));
    if (bytes == EventBytes::shown) {
        json.text("header", hex_of(answer.header)).text("payload", hex_of(answer.payload));
    }
    json.number("file_offset", answer.file_offset).text("command", utf8_text(command));
    return json.take();
}

std::string flame_json(const explore::Answer& answer, const Request& request,
                       const std::string& command) {
    const analysis::Table& table = answer.table;
    const pages::FlameKind& whose = pages::flame_kind(request.kind);
    std::string graph = "null";
    if (table.stacks != nullptr) {
        graph = pages::flame_data(
            *table.stacks,
            {.title = whose.name == "event" ? request.kind : std::string(whose.title),
             .summary = pages::flame_summary(table),
             .events = pages::counted_events(table),
             .notes = pages::flame_notes(table, whose),
             .is_differential = request.is_compared});
    }
    JsonObject json;
    json.raw("graph", graph).raw("remarks", lines_json(answer.remarks));
    json.text("command", utf8_text(command));
    return json.take();
}

} // namespace etl::viewer
