#include "outputs/table_output.hpp"

#include "cli/json_object.hpp"
#include "cli/plural.hpp"
#include "outputs/coverage_notes.hpp"
#include "outputs/table_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <span>

namespace cli {

namespace {

using namespace etl::analysis;

/// The columns of a format; of text, those in which a row has a value.
std::vector<std::size_t> shown_columns(const TableView& view, TableFormat format) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < view.table->columns.size(); ++i) {
        const auto has_value = [&](const Row& row) {
            return !std::holds_alternative<std::monostate>(row.cells[i]);
        };
        const Column& column = view.table->columns[i];
        if (!column.is_hidden && (format != TableFormat::text || column.adding == Adding::key ||
                                  std::ranges::any_of(view.table->rows, has_value))) {
            shown.push_back(i);
        }
    }
    return shown;
}

/// The total by shown column, in the line of text; empty: there is none.
std::vector<etl::rows::Value> total_values(const Table& table, std::span<const std::size_t> shown) {
    const auto has_total = [&](std::size_t i) {
        const Adding adding = table.columns[i].adding;
        return adding != Adding::key && adding != Adding::none;
    };
    std::vector<etl::rows::Value> values;
    if (table.total.empty() || std::ranges::none_of(shown, has_total)) {
        return values;
    }
    for (const std::size_t i : shown) {
        values.push_back(values.empty() ? etl::rows::Value(std::string_view("total"))
                         : has_total(i) ? etl::rows::value_of(table.total[i])
                                        : etl::rows::Value(std::string_view()));
    }
    return values;
}

/// The rows, with the total in text, and the last object in JSON.
std::string rows_text(const TableView& view, TableFormat format) {
    const Table& table = *view.table;
    const std::vector<std::size_t> shown = shown_columns(view, format);
    std::vector<etl::rows::Column> columns;
    for (const std::size_t i : shown) {
        columns.push_back(
            {.name = std::string(table.columns[i].name), .unit = table.columns[i].unit});
    }
    std::string text;
    const auto writer = etl::rows::make_writer(
        std::move(columns),
        {.format = format, .width = view.width, .max_number = largest_of(view.big_numbers)}, text);
    writer->begin();
    std::vector<etl::rows::Value> values(shown.size());
    for (const Row& row : std::span(table.rows).first(view.rows)) {
        std::ranges::transform(shown, values.begin(),
                               [&](std::size_t i) { return etl::rows::value_of(row.cells[i]); });
        writer->add(values);
    }
    if (format == TableFormat::text) {
        if (const auto total = total_values(table, shown); !total.empty()) {
            writer->add(total);
        }
    } else {
        JsonObject last;
        last.raw("total", total_json(table));
        last.raw("coverage", coverage_json(table.coverage));
        writer->add_object(last.take());
    }
    writer->end();
    return text;
}

/// `name  ▁▂▃█  most`, a character for each row.
std::string bars_text(const TableView& view) {
    constexpr std::array<std::string_view, 9> bars{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const Table& table = *view.table;
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const Column& column = table.columns[i];
        const auto value = [&](const Row& row) {
            const auto* const number = std::get_if<std::uint64_t>(&row.cells[i]);
            return number != nullptr ? *number : 0;
        };
        const std::uint64_t most = std::ranges::max(table.rows | std::views::transform(value));
        if (column.adding == Adding::key ||
            std::holds_alternative<std::monostate>(table.total[i])) {
            continue;
        }
        text += fmt::format("{:<11}", etl::rows::heading_of(column.name, column.unit));
        for (const Row& row : table.rows) {
            // What is not 0 is visible.
            const std::uint64_t height = most == 0 ? 0 : (value(row) * 8 + most - 1) / most;
            text += bars[std::min<std::uint64_t>(height, 8)];
        }
        text += fmt::format("  most {}, total {}\n", etl::rows::shown_of(Cell{most}, column.unit),
                            etl::rows::shown_of(table.total[i], column.unit));
    }
    return text;
}

/// `3.60 s from TIME`; of traces with a gap between them also the end.
std::string range_text(const Coverage& coverage) {
    if (!coverage.begin || !coverage.end) {
        return "empty";
    }
    constexpr std::uint64_t nanoseconds_per_tick = 100;
    const auto ticks = static_cast<std::uint64_t>(coverage.end->ticks) -
                       static_cast<std::uint64_t>(coverage.begin->ticks);
    const bool has_gap = ticks / 2 > coverage.duration_ns / nanoseconds_per_tick;
    return has_gap ? fmt::format("{}, without the gaps, from {} to {}",
                                 etl::rows::duration_text(coverage.duration_ns),
                                 rfc3339(*coverage.begin), rfc3339(*coverage.end))
                   : fmt::format("{} from {}", etl::rows::duration_text(coverage.duration_ns),
                                 rfc3339(*coverage.begin));
}

std::string coverage_text(const TableView& view) {
    const Table& table = *view.table;
    const Coverage& coverage = table.coverage;
    std::string text;
    if (view.rows < table.rows.size()) {
        text += fmt::format("{} (--limit)\n", plural(table.rows.size() - view.rows, "more row"));
    }
    for (std::size_t i = 0; i < table.columns.size() && i < table.total.size(); ++i) {
        if (table.columns[i].is_hidden) {
            text += fmt::format("{} {}; ", table.columns[i].name,
                                etl::rows::csv_of(table.total[i], table.columns[i].unit));
        }
    }
    text += fmt::format("range {}; used {} of {} events", range_text(coverage),
                        coverage.used_events, coverage.events);
    if (coverage.lost_events.value_or(0) + coverage.lost_buffers.value_or(0) > 0) {
        const auto count_of = [](const std::optional<std::uint64_t>& count) {
            return count ? std::to_string(*count) : "unknown";
        };
        text += fmt::format("; lost: {} events, {} buffers", count_of(coverage.lost_events),
                            count_of(coverage.lost_buffers));
    }
    for (const Remainder& remainder : coverage.remainders) {
        if (remainder.value != 0 && !is_noted(remainder.name)) {
            text += fmt::format("; {} {}", remainder.name,
                                remainder.name.ends_with("_ns")
                                    ? etl::rows::duration_text(remainder.value)
                                    : std::to_string(remainder.value));
        }
    }
    text += '\n';
    for (const OtherVersion& one : coverage.other_versions) {
        text += describe(one) + '\n';
    }
    for (const NotRecorded& missing : coverage.not_recorded) {
        text +=
            fmt::format("{}: {} (to record: {})\n",
                        coverage.unknown_events() > 0 ? "not recorded, or unknown" : "not recorded",
                        missing_source(missing, coverage), missing.record);
    }
    for (const std::string& note : coverage_notes(coverage)) {
        text += note + '\n';
    }
    return text;
}

} // namespace

std::string coverage_line(const TableView& view) {
    std::string text = coverage_text(view);
    text.pop_back();
    return text;
}

std::string text_of(const TableView& view, TableFormat format) {
    if (format != TableFormat::text) {
        return rows_text(view, format);
    }
    if (view.table->rows.empty()) {
        return coverage_text(view);
    }
    return (view.bars ? bars_text(view) : rows_text(view, format)) + coverage_text(view);
}

} // namespace cli
