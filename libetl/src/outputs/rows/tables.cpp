#include "rows/tables.hpp"

#include "base/json_object.hpp"
#include "base/text.hpp"
#include "rows/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

namespace etl::rows {

using namespace analysis;

namespace {

std::string rfc3339_of(Filetime time) {
    std::string text;
    append_rfc3339(text, time);
    return text;
}

constexpr std::array<std::string_view, 15> noted{
    "untimed_events", "guessed_pairs", "unpaired_starts", "unpaired_stops", "counter_samples",
    "samples_without_interval", "switches_with_counters", "samples_of_assumed_interval",
    // `etl flows` reports these with the packets.
    "packets_without_ip", "packets_beyond_limit", "incomplete_packets", "dropped_fragments",
    "events_without_link", "malformed_events", "unknown_layouts"};

std::uint64_t count_of(const Coverage& coverage, std::string_view name) noexcept {
    const auto found = std::ranges::find(coverage.remainders, name, &Remainder::name);
    return found != coverage.remainders.end() ? found->value : 0;
}

} // namespace

std::vector<std::string> coverage_notes(const Coverage& coverage) {
    std::vector<std::string> notes;
    if (const auto pairs = count_of(coverage, "guessed_pairs"); pairs != 0) {
        notes.push_back(fmt::format(
            "guessed: {} of start and stop, by thread alone or by values that others share",
            plural(pairs, "pair")));
    }
    const auto starts = count_of(coverage, "unpaired_starts");
    const auto stops = count_of(coverage, "unpaired_stops");
    if (starts + stops != 0) {
        notes.push_back(fmt::format(
            "unpaired: {}, {}; their counterparts are not in the trace, or nothing relates them "
            "(schemas of their providers can: --schema)",
            plural(starts, "start"), plural(stops, "stop")));
    }
    if (const auto samples = count_of(coverage, "samples_of_assumed_interval"); samples != 0) {
        notes.push_back(fmt::format(
            "sampling interval not recorded: 1 ms assumed for {} (to record: xperf -on PROFILE)",
            plural(samples, "sample")));
    }
    if (const auto samples = count_of(coverage, "counter_samples"); samples != 0) {
        notes.push_back(fmt::format("{} of hardware counters: not of time, and counted apart (etl "
                                    "cpu --source all, etl flame --kind counter)",
                                    plural(samples, "sample")));
    }
    if (const auto samples = count_of(coverage, "samples_without_interval"); samples != 0) {
        notes.push_back(fmt::format("interval of the counter not recorded: the events of {} are "
                                    "unknown",
                                    plural(samples, "sample")));
    }
    if (const auto switches = count_of(coverage, "switches_with_counters"); switches != 0) {
        notes.push_back(fmt::format("not used: values of hardware counters in {} (to print them: "
                                    "etl dump --event Thread/CSwitch)",
                                    plural(switches, "context switch", "context switches")));
    }
    if (const auto events = count_of(coverage, "untimed_events"); events != 0) {
        notes.push_back(fmt::format("no usable timestamp: {}, counted where they were recorded "
                                    "(their time is null in `etl dump --format jsonl`)",
                                    plural(events, "event")));
    }
    return notes;
}

bool is_noted(std::string_view remainder) noexcept {
    return std::ranges::find(noted, remainder) != noted.end();
}

std::string_view missing_source(const NotRecorded& missing, const Coverage& coverage) noexcept {
    return missing.source == "samples" && count_of(coverage, "counter_samples") != 0
               ? "samples of time"
               : missing.source;
}

namespace {

std::string missing_json(const NotRecorded& missing) {
    JsonList columns;
    for (const std::string_view column : missing.columns) {
        columns.text(column);
    }
    JsonObject json;
    json.text("source", missing.source);
    json.raw("columns", columns.take());
    json.text("record", missing.record);
    return json.take();
}

} // namespace

std::string total_json(const Table& table) {
    JsonObject json;
    for (std::size_t i = 0; i < table.columns.size() && i < table.total.size(); ++i) {
        const Adding adding = table.columns[i].adding;
        if (adding != Adding::key && adding != Adding::none) {
            json.raw(table.columns[i].name, json_of(table.total[i], table.columns[i].unit));
        }
    }
    return json.take();
}

std::string other_versions_json(const std::vector<OtherVersion>& versions) {
    JsonList list;
    for (const OtherVersion& one : versions) {
        JsonObject json;
        json.text("class", one.event_class);
        json.number("version", one.version);
        json.raw("layout", one.layout ? std::to_string(*one.layout) : "null");
        if (one.is_short) {
            json.boolean("short", true);
        }
        json.number("events", one.events);
        list.raw(json.take());
    }
    return list.take();
}

std::string coverage_json(const Coverage& coverage) {
    JsonObject json;
    json.time("begin", coverage.begin);
    json.time("end", coverage.end);
    json.number("duration_ns", coverage.duration_ns);
    json.number("processors", coverage.processors);
    json.number("events", coverage.events);
    json.number("used_events", coverage.used_events);
    const auto or_null = [&](std::string_view key, std::optional<std::uint64_t> value) {
        json.raw(key, value ? std::to_string(*value) : "null");
    };
    or_null("lost_events", coverage.lost_events);
    or_null("lost_buffers", coverage.lost_buffers);
    JsonList missing;
    for (const NotRecorded& one : coverage.not_recorded) {
        missing.raw(missing_json(one));
    }
    json.raw("not_recorded", missing.take());
    if (!coverage.other_versions.empty()) {
        json.raw("other_versions", other_versions_json(coverage.other_versions));
    }
    for (const Remainder& remainder : coverage.remainders) {
        if (remainder.value != 0) {
            json.number(remainder.name, remainder.value);
        }
    }
    return json.take();
}

namespace {

/// Cuts a text at a character.
Cell shortened(const Cell& cell, std::size_t max_text) {
    const auto* const text = std::get_if<std::string>(&cell);
    if (text == nullptr || text->size() <= max_text) {
        return cell;
    }
    return std::string(whole_characters(*text, max_text)) + "\u2026";
}

} // namespace

std::string columns_json(const Table& table, std::span<const std::size_t> columns) {
    JsonList list;
    for (const std::size_t i : columns) {
        JsonObject column;
        column.text("name", table.columns[i].name);
        column.text("unit", unit_name(table.columns[i].unit));
        column.boolean("key", table.columns[i].adding == Adding::key);
        list.raw(column.take());
    }
    return list.take();
}

std::string cells_json(const Table& table, const std::vector<Cell>& cells,
                       std::span<const std::size_t> columns, std::size_t max_text) {
    JsonList list;
    for (const std::size_t i : columns) {
        list.raw(i < cells.size() ? json_of(shortened(cells[i], max_text), table.columns[i].unit)
                                  : "null");
    }
    return list.take();
}

std::string total_cells_json(const Table& table, std::span<const std::size_t> columns) {
    JsonList list;
    for (const std::size_t i : columns) {
        const Adding adding = table.columns[i].adding;
        const bool has_total =
            i < table.total.size() && adding != Adding::key && adding != Adding::none;
        list.raw(has_total ? json_of(table.total[i], table.columns[i].unit) : "null");
    }
    return list.take();
}

namespace {

/// The columns of a format; of text, those in which a row has a value.
std::vector<std::size_t> shown_columns(const TableView& view, Format format) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < view.table->columns.size(); ++i) {
        const auto has_value = [&](const Row& row) {
            return !std::holds_alternative<std::monostate>(row.cells[i]);
        };
        const Column& column = view.table->columns[i];
        if (!column.is_hidden && (format != Format::text || column.adding == Adding::key ||
                                  std::ranges::any_of(view.table->rows, has_value))) {
            shown.push_back(i);
        }
    }
    return shown;
}

/// The total by shown column, in the line of text; empty: there is none.
std::vector<Value> total_values(const Table& table, std::span<const std::size_t> shown) {
    const auto has_total = [&](std::size_t i) {
        const Adding adding = table.columns[i].adding;
        return adding != Adding::key && adding != Adding::none;
    };
    std::vector<Value> values;
    if (table.total.empty() || std::ranges::none_of(shown, has_total)) {
        return values;
    }
    for (const std::size_t i : shown) {
        values.push_back(values.empty() ? Value(std::string_view("total"))
                         : has_total(i) ? value_of(table.total[i])
                                        : Value(std::string_view()));
    }
    return values;
}

/// The rows, with the total in text, and the last object in JSON.
std::string rows_text(const TableView& view, Format format) {
    const Table& table = *view.table;
    const std::vector<std::size_t> shown = shown_columns(view, format);
    std::vector<RowColumn> columns;
    for (const std::size_t i : shown) {
        columns.push_back(
            {.name = std::string(table.columns[i].name), .unit = table.columns[i].unit});
    }
    std::string text;
    const auto writer =
        make_writer(std::move(columns),
                    {.format = format, .width = view.width, .max_number = view.max_number}, text);
    writer->begin();
    std::vector<Value> values(shown.size());
    for (const Row& row : std::span(table.rows).first(view.rows)) {
        std::ranges::transform(shown, values.begin(),
                               [&](std::size_t i) { return value_of(row.cells[i]); });
        writer->add(values);
    }
    if (format == Format::text) {
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
        text += fmt::format("{:<11}", heading_of(column.name, column.unit));
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
                                 duration_text(coverage.duration_ns), rfc3339_of(*coverage.begin),
                                 rfc3339_of(*coverage.end))
                   : fmt::format("{} from {}", duration_text(coverage.duration_ns),
                                 rfc3339_of(*coverage.begin));
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

std::string text_of(const TableView& view, Format format) {
    if (format != Format::text) {
        return rows_text(view, format);
    }
    if (view.table->rows.empty()) {
        return coverage_text(view);
    }
    return (view.bars ? bars_text(view) : rows_text(view, format)) + coverage_text(view);
}

bool is_bare(Format format) noexcept {
    return format != Format::text && !traits_of(format).has_objects;
}

} // namespace etl::rows
