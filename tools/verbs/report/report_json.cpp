// The JSON of a report. docs/report.md#json
#include "base/text.hpp"
#include "cli/json_object.hpp"
#include "outputs/table_output.hpp"
#include "pages/flame_data.hpp"
#include "rows/values.hpp"
#include "verbs/report/report.hpp"

#include <algorithm>

namespace cli::reports {

namespace {

using etl::analysis::Column;
using etl::analysis::Table;

/// Bytes of a text in a cell.
constexpr std::size_t max_text = 400;
/// Bytes of the rows of a table, and of a timeline, which all of its rows make.
constexpr std::size_t max_rows_text = 200U << 10U, max_timeline_text = 2U << 20U;
/// Nodes and bytes of a flame graph.
constexpr std::size_t max_nodes = 20'000, max_flame_text = 1U << 20U;

/// Which columns of a table the report has: slices have a number, whose time is in the timeline of
/// all events.
std::vector<std::size_t> columns_of(const ReportTable& one) {
    std::vector<std::size_t> columns;
    const bool is_series = one.form->has_slices && !one.form->has_bars;
    for (std::size_t i = 0; i < one.table.columns.size(); ++i) {
        const Column& column = one.table.columns[i];
        if (!column.is_hidden && !(is_series && column.name == "begin")) {
            columns.push_back(i);
        }
    }
    return columns;
}

/// `[slice,value,...]` for each slice that has a value, one list in another.
std::string slices_json(std::span<const etl::analysis::SliceValues> slices) {
    JsonList all;
    for (const auto& [slice, values] : slices) {
        JsonList one;
        one.raw(std::to_string(slice));
        for (const std::uint64_t value : values) {
            one.raw(std::to_string(value));
        }
        all.raw(one.take());
    }
    return all.take();
}

/// What the page adds up for a selection. `shown` are the columns of the report, `most` its rows.
std::string sums_json(const ReportTable& one, std::span<const std::size_t> shown,
                      std::size_t most) {
    const etl::analysis::WindowSums& sums = *one.sums;
    const auto place_of = [&](std::uint32_t column) {
        return static_cast<std::uint64_t>(std::ranges::find(shown, column) - shown.begin());
    };
    JsonList columns, rows, ratios;
    for (std::size_t i = 0; i < sums.columns().size(); ++i) {
        JsonObject json;
        json.number("column", place_of(sums.columns()[i]));
        json.number("recorded_from", sums.recorded_from()[i]);
        json.boolean("ticks", sums.in_ticks()[i]);
        columns.raw(json.take());
    }
    for (std::size_t i = 0; i < one.table.columns.size(); ++i) {
        const Column& column = one.table.columns[i];
        if (column.adding != etl::analysis::Adding::ratio) {
            continue;
        }
        JsonObject json;
        json.number("column", place_of(static_cast<std::uint32_t>(i)));
        json.number("numerator", place_of(column.ratio.numerator));
        if (column.ratio.denominator) {
            json.number("denominator", place_of(*column.ratio.denominator));
        }
        json.number("scale", column.ratio.scale);
        ratios.raw(json.take());
    }
    std::size_t size = 0;
    for (std::size_t i = 0; i < most && size < max_rows_text; ++i) {
        const auto* const slices = sums.row(one.table.rows[i]);
        const std::string text = slices != nullptr ? slices_json(*slices) : "null";
        size += text.size();
        rows.raw(text);
    }
    JsonObject json;
    json.raw("columns", columns.take());
    json.raw("ratios", ratios.take());
    json.raw("rows", rows.take());
    json.raw("total", slices_json(sums.total()));
    return json.take();
}

std::string table_json(const ReportTable& one, std::size_t most) {
    const Table& table = one.table;
    const std::vector<std::size_t> shown = columns_of(one);
    const bool has_slices = one.form->has_slices;
    const std::size_t most_text_of_rows = has_slices ? max_timeline_text : max_rows_text;
    std::string rows;
    std::size_t count = 0;
    for (; count < table.rows.size() && (has_slices || count < most) &&
           rows.size() < most_text_of_rows;
         ++count) {
        rows += (rows.empty() ? "" : ",") +
                etl::rows::cells_json(table, table.rows[count].cells, shown, max_text);
    }
    JsonObject json;
    json.text("verb", one.form->kind->name);
    json.text("by", one.form->by);
    json.text("title", one.form->title);
    json.text("command", utf8_text(one.command));
    json.text("events", one.form->events);
    json.text("events_options", one.form->events_options);
    json.raw("columns", etl::rows::columns_json(table, shown));
    json.raw("sort", table.is_ordered
                         ? "null"
                         : "\"" + std::string(table.columns[table.sort_column].name) + "\"");
    json.number("row_count", one.row_count);
    json.raw("rows", "[" + rows + "]");
    json.raw("total", etl::rows::total_cells_json(table, shown));
    json.raw("coverage", coverage_json(table.coverage));
    if (one.sums && one.sums->is_known()) {
        json.raw("sums", sums_json(one, shown, count));
    }
    return json.take();
}

/// A graph whose smallest branches are merged until it is small enough.
std::string graph_json(const ReportFlame& flame) {
    etl::analysis::StackTree tree = *flame.table.stacks;
    const etl::pages::FlameTexts texts{.title = std::string(flame.kind->title),
                                       .summary = etl::pages::flame_summary(flame.table),
                                       .events = etl::pages::counted_events(flame.table),
                                       .notes = etl::pages::flame_notes(flame.table, *flame.kind)};
    std::string json;
    for (std::size_t nodes = max_nodes; json.empty() || (json.size() > max_flame_text && nodes > 1);
         nodes /= 2) {
        tree.merge_smallest(nodes);
        json = etl::pages::flame_data(tree, texts);
    }
    return json;
}

std::string flame_json(const ReportFlame& flame) {
    JsonObject json;
    json.text("kind", flame.kind->name);
    json.text("title", flame.kind->title);
    json.text("command", utf8_text(flame.command));
    json.raw("graph", graph_json(flame));
    return json.take();
}

/// The slices of all tables that have sums.
std::string selection_json(const Report& report) {
    const auto found = std::ranges::find_if(report.tables, [](const ReportTable& table) {
        return table.sums && table.sums->is_known();
    });
    if (found == report.tables.end()) {
        return "null";
    }
    JsonList times, ticks;
    const auto limits = found->sums->limits();
    for (const auto& limit : limits) {
        times.text(rfc3339(limit.time));
        ticks.raw(std::to_string(static_cast<std::uint64_t>(limit.raw) -
                                 static_cast<std::uint64_t>(limits.front().raw)));
    }
    JsonObject json;
    json.raw("times", times.take());
    json.raw("ticks", ticks.take());
    json.number("ticks_per_second",
                static_cast<std::uint64_t>(report.shown.info->clock.frequency()));
    return json.take();
}

std::string not_recorded_json(const Report& report) {
    JsonList missing;
    for (const auto& one : report.not_recorded) {
        JsonObject source;
        source.text("source", one.source);
        source.text("record", one.record);
        missing.raw(source.take());
    }
    return missing.take();
}

} // namespace

std::string report_json(const Report& report, std::size_t rows) {
    std::string info = info_json(report.shown);
    info.pop_back(); // end of line
    JsonList notes, tables, flames;
    for (const std::string& note : report.notes) {
        notes.text(utf8_text(note));
    }
    for (const ReportTable& table : report.tables) {
        tables.raw(table_json(table, rows));
    }
    for (const ReportFlame& flame : report.flames) {
        flames.raw(flame_json(flame));
    }
    JsonObject json;
    json.number("version", 1);
    json.text("trace", utf8_text(report.trace));
    json.text("options", utf8_text(report.words));
    json.text("symbol_options", utf8_text(report.symbol_words));
    json.raw("info", info);
    json.raw("coverage", coverage_json(report.coverage));
    json.raw("notes", notes.take());
    json.raw("not_recorded", not_recorded_json(report));
    json.raw("slices", selection_json(report));
    json.raw("tables", tables.take());
    json.raw("flames", flames.take());
    return json.take() + "\n";
}

} // namespace cli::reports
