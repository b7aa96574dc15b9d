#include "outputs/table_output.hpp"

#include "cli/json_object.hpp"
#include "cli/plural.hpp"
#include "cli/table_cells.hpp"
#include "outputs/coverage_notes.hpp"
#include "outputs/table_json.hpp"
#include "outputs/text_grid.hpp"
#include "sink/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

namespace cli {

namespace {

using namespace etl::analysis;
using Style = etl::sink::CsvOptions::Style;

std::string json_text(const TableView& view, bool is_array) {
    const Table& table = *view.table;
    std::string text = is_array ? "[\n" : "";
    const char* const separator = is_array ? ",\n" : "\n";
    for (std::size_t i = 0; i < view.rows; ++i) {
        text += row_json(table, table.rows[i].cells) + separator;
    }
    JsonObject last;
    last.raw("total", total_json(table));
    last.raw("coverage", coverage_json(table.coverage));
    return with_big_numbers(text + last.take() + (is_array ? "\n]\n" : "\n"), view.big_numbers);
}

std::string cells_text(const TableView& view, Style style) {
    const Table& table = *view.table;
    const std::string separator(1, style == Style::csv ? ',' : '\t');
    const char* const line_end = style == Style::csv ? "\r\n" : "\n";
    std::string text;
    const auto add_line = [&](auto cell_of) {
        bool is_first = true;
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            if (!table.columns[i].is_hidden) {
                text += std::exchange(is_first, false) ? "" : separator;
                etl::sink::append_cell(text, style, cell_of(i));
            }
        }
        text += line_end;
    };
    add_line([&](std::size_t i) { return std::string(table.columns[i].name); });
    for (std::size_t row = 0; row < view.rows; ++row) {
        add_line(
            [&](std::size_t i) { return csv_of(table.rows[row].cells[i], table.columns[i].unit); });
    }
    return text;
}

/// The columns of the text form: those in which a row has a value.
std::vector<std::size_t> shown_columns(const TableView& view) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < view.table->columns.size(); ++i) {
        const auto has_value = [&](const Row& row) {
            return !std::holds_alternative<std::monostate>(row.cells[i]);
        };
        const Column& column = view.table->columns[i];
        if (!column.is_hidden &&
            (column.adding == Adding::key || std::ranges::any_of(view.table->rows, has_value))) {
            shown.push_back(i);
        }
    }
    return shown;
}

bool is_left(Unit unit) noexcept {
    return unit == Unit::text || unit == Unit::histogram || unit == Unit::time;
}

/// The lines of the text form.
class TextTable {
public:
    explicit TextTable(const TableView& view) : view_(view), shown_(shown_columns(view)) {
        std::vector<std::string> head;
        for (const std::size_t i : shown_) {
            head.push_back(heading_of(view.table->columns[i]));
            grid_.is_left.push_back(is_left(view.table->columns[i].unit));
        }
        grid_.width = view.width;
        grid_.lines.push_back(std::move(head));
        for (std::size_t i = 0; i < view.rows; ++i) {
            add(view.table->rows[i].cells, false);
        }
        const auto has_total = [&](std::size_t i) {
            const Adding adding = view.table->columns[i].adding;
            return adding != Adding::key && adding != Adding::none;
        };
        if (!view.table->total.empty() && std::ranges::any_of(shown_, has_total)) {
            add(view.table->total, true);
        }
    }

    std::string text() { return grid_text(std::move(grid_)); }

private:
    void add(const std::vector<Cell>& cells, bool is_total) {
        std::vector<std::string> line;
        for (const std::size_t i : shown_) {
            const Column& column = view_.table->columns[i];
            const bool is_key = column.adding == Adding::key || column.adding == Adding::none;
            line.push_back(is_total && line.empty() ? "total"
                           : is_total && is_key     ? ""
                                                    : shown_of(cells[i], column.unit));
        }
        grid_.lines.push_back(std::move(line));
    }

    TableView view_;
    std::vector<std::size_t> shown_;
    TextGrid grid_;
};

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
        text += fmt::format("{:<11}", heading_of(column));
        for (const Row& row : table.rows) {
            // What is not 0 is visible.
            const std::uint64_t height = most == 0 ? 0 : (value(row) * 8 + most - 1) / most;
            text += bars[std::min<std::uint64_t>(height, 8)];
        }
        text += fmt::format("  most {}, total {}\n", shown_of(Cell{most}, column.unit),
                            shown_of(table.total[i], column.unit));
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
                                 duration_text(coverage.duration_ns), rfc3339(*coverage.begin),
                                 rfc3339(*coverage.end))
                   : fmt::format("{} from {}", duration_text(coverage.duration_ns),
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
                                csv_of(table.total[i], table.columns[i].unit));
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
                                remainder.name.ends_with("_ns") ? duration_text(remainder.value)
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
    switch (format) {
    case TableFormat::csv:
        return cells_text(view, Style::csv);
    case TableFormat::tsv:
        return cells_text(view, Style::tsv);
    case TableFormat::json:
        return json_text(view, true);
    case TableFormat::jsonl:
        return json_text(view, false);
    case TableFormat::text:
        break;
    }
    if (view.table->rows.empty()) {
        return coverage_text(view);
    }
    return (view.bars ? bars_text(view) : TextTable(view).text()) + coverage_text(view);
}

} // namespace cli
