#include "analysis/parts/part_rows.hpp"
#include "analysis/stacks.hpp"
#include "flow/losses.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace etl::analysis {

std::string_view unit_name(Unit unit) noexcept {
    switch (unit) {
    case Unit::text:
        return "text";
    case Unit::id:
        return "id";
    case Unit::count:
        return "count";
    case Unit::bytes:
        return "bytes";
    case Unit::nanoseconds:
        return "nanoseconds";
    case Unit::hundredths:
    case Unit::signed_hundredths:
        return "number";
    case Unit::time:
        return "time";
    case Unit::address:
        return "address";
    case Unit::histogram:
        return "histogram";
    }
    return "";
}

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t per_second = 1'000'000'000;

std::uint64_t saturated(Wide value) noexcept {
    constexpr auto max = std::numeric_limits<std::uint64_t>::max();
    return value > max ? max : static_cast<std::uint64_t>(value);
}

void add_lists(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
    to.resize(std::max(to.size(), from.size()));
    for (std::size_t i = 0; i < from.size(); ++i) {
        to[i] += from[i];
    }
}

/// Adds a value of the same column of another row; null is no value.
void add_cell(Cell& to, const Cell& from, Adding adding) {
    if (std::holds_alternative<std::monostate>(from)) {
        return;
    }
    if (std::holds_alternative<std::monostate>(to)) {
        to = from;
        return;
    }
    if (auto* const list = std::get_if<std::vector<std::uint64_t>>(&to)) {
        add_lists(*list, std::get<std::vector<std::uint64_t>>(from));
        return;
    }
    auto* const number = std::get_if<std::uint64_t>(&to);
    const auto* const other = std::get_if<std::uint64_t>(&from);
    if (number != nullptr && other != nullptr) {
        *number = adding == Adding::maximum   ? std::max(*number, *other)
                  : adding == Adding::minimum ? std::min(*number, *other)
                                              : *number + *other;
    }
}

bool is_added(Adding adding) noexcept {
    return adding == Adding::sum || adding == Adding::maximum || adding == Adding::minimum;
}

void add_cells(const std::vector<Column>& columns, std::vector<Cell>& to,
               const std::vector<Cell>& from) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (is_added(columns[i].adding)) {
            add_cell(to[i], from[i], columns[i].adding);
        }
    }
}

/// The key cells of a row as one text.
std::string key_of(const std::vector<Column>& columns, const Row& row) {
    std::string key;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].adding != Adding::key) {
            continue;
        }
        if (const auto* const text = std::get_if<std::string>(&row.cells[i])) {
            key += 't' + std::to_string(text->size()) + ':' + *text;
        } else if (const auto* const number = std::get_if<std::uint64_t>(&row.cells[i])) {
            key += 'n' + std::to_string(*number) + ';';
        } else {
            key += '-';
        }
    }
    return key;
}

void add_coverage(Coverage& to, const Coverage& from) {
    const auto best = [](auto& mine, const auto& other, bool take_lower) {
        if (other && (!mine || (*other < *mine) == take_lower)) {
            mine = other;
        }
    };
    best(to.begin, from.begin, true);
    best(to.end, from.end, false);
    to.duration_ns += from.duration_ns;
    to.processors = std::max(to.processors, from.processors);
    to.events += from.events;
    to.used_events += from.used_events;
    to.lost_events = flow::sum_of_losses(to.lost_events, from.lost_events);
    to.lost_buffers = flow::sum_of_losses(to.lost_buffers, from.lost_buffers);
    std::erase_if(to.not_recorded, [&](const NotRecorded& mine) {
        return std::ranges::find(from.not_recorded, mine.source, &NotRecorded::source) ==
               from.not_recorded.end();
    });
    for (const OtherVersion& one : from.other_versions) {
        add(to.other_versions, one);
    }
    for (std::size_t i = 0; i < to.remainders.size() && i < from.remainders.size(); ++i) {
        to.remainders[i].value += from.remainders[i].value;
    }
}

/// Signed numbers in the order of unsigned ones.
Cell ordered(const Cell& cell, Unit unit) {
    const auto* const number = std::get_if<std::uint64_t>(&cell);
    constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
    return number != nullptr && unit == Unit::signed_hundredths ? Cell{*number ^ sign} : cell;
}

/// Less: null is last, whatever the direction.
bool comes_before(const Cell& a, const Cell& b, bool descending) {
    const bool a_is_null = std::holds_alternative<std::monostate>(a);
    const bool b_is_null = std::holds_alternative<std::monostate>(b);
    if (a_is_null || b_is_null) {
        return !a_is_null;
    }
    return descending ? b < a : a < b;
}

} // namespace

void add(std::vector<OtherVersion>& to, const OtherVersion& more) {
    const auto same =
        std::ranges::find_if(to, [&](const OtherVersion& one) { return one.is_as(more); });
    if (same != to.end()) {
        same->events += more.events;
    } else {
        to.push_back(more);
    }
}

std::string describe(const OtherVersion& events) {
    const bool is_one = events.events == 1;
    std::string text = std::to_string(events.events);
    text.append(is_one ? " event of " : " events of ").append(events.event_class);
    text.append(" version ").append(std::to_string(events.version));
    text.append(is_one ? " is " : " are ");
    return events.layout ? text.append("read with the layout of version ")
                               .append(std::to_string(*events.layout))
           : events.is_short ? text.append("too short")
                             : text.append("unknown");
}

std::uint64_t Coverage::unknown_events() const noexcept {
    std::uint64_t sum = 0;
    for (const OtherVersion& one : other_versions) {
        sum += one.layout ? 0 : one.events;
    }
    return sum;
}

std::uint64_t nanoseconds_of(std::uint64_t ticks, std::int64_t frequency) noexcept {
    return frequency <= 0
               ? 0
               : saturated(Wide{ticks} * per_second / static_cast<std::uint64_t>(frequency));
}

std::optional<std::uint32_t> Table::find(std::string_view column) const noexcept {
    const auto found = std::ranges::find(columns, column, &Column::name);
    return found == columns.end()
               ? std::nullopt
               : std::optional(static_cast<std::uint32_t>(found - columns.begin()));
}

void Table::blank_missing() {
    for (const NotRecorded& missing : coverage.not_recorded) {
        for (const std::string_view one : missing.columns) {
            if (const auto column = find(one)) {
                std::ranges::for_each(rows, [&](Row& row) { row.cells[*column] = {}; });
            }
        }
    }
}

void Table::add_up() {
    total.assign(columns.size(), {});
    for (std::size_t i = 0; i < columns.size(); ++i) {
        // A table without rows: whether the source was recorded still decides between 0 and null.
        const bool is_missing =
            std::ranges::any_of(coverage.not_recorded, [&](const NotRecorded& missing) {
                return std::ranges::find(missing.columns, columns[i].name) != missing.columns.end();
            });
        if (is_added(columns[i].adding) && !is_missing && columns[i].unit != Unit::histogram &&
            columns[i].unit != Unit::time) {
            total[i] = std::uint64_t{0};
        }
    }
    for (const Row& row : rows) {
        if (row.in_total) {
            add_cells(columns, total, row.cells);
        }
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].total_of) {
            total[i] = total[*columns[i].total_of];
        }
    }
}

void Table::convert_ticks(std::int64_t frequency) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!columns[i].in_ticks) {
            continue;
        }
        columns[i].in_ticks = false;
        const auto convert = [&](Cell& cell) {
            if (auto* const ticks = std::get_if<std::uint64_t>(&cell)) {
                *ticks = nanoseconds_of(*ticks, frequency);
            }
        };
        std::ranges::for_each(rows, [&](Row& row) { convert(row.cells[i]); });
        if (i < total.size()) {
            convert(total[i]);
        }
    }
    for (Remainder& remainder : coverage.remainders) {
        if (remainder.in_ticks) {
            remainder.value = nanoseconds_of(remainder.value, frequency);
            remainder.in_ticks = false;
        }
    }
}

void Table::add(Table other) {
    add_rows(*this, std::move(other.rows), is_ordered);
    bins.insert(bins.end(), other.bins.begin(), other.bins.end());
    if (stacks != nullptr && other.stacks != nullptr) {
        stacks->add(*other.stacks);
    }
    add_cells(columns, total, other.total);
    add_coverage(coverage, other.coverage);
}

void add_rows(Table& table, std::vector<Row> rows, bool appends) {
    std::unordered_map<std::string, std::size_t> mine;
    for (std::size_t i = 0; i < table.rows.size() && !appends; ++i) {
        mine.emplace(key_of(table.columns, table.rows[i]), i);
    }
    for (Row& row : rows) {
        if (appends) {
            table.rows.push_back(std::move(row));
            continue;
        }
        const auto [known, is_new] =
            mine.try_emplace(key_of(table.columns, row), table.rows.size());
        if (is_new) {
            table.rows.push_back(std::move(row));
        } else {
            add_cells(table.columns, table.rows[known->second].cells, row.cells);
        }
    }
}

void Table::compute_ratios() {
    const auto number = [](const Cell& cell) {
        const auto* const value = std::get_if<std::uint64_t>(&cell);
        return value != nullptr ? std::optional(*value) : std::nullopt;
    };
    const auto compute = [&](std::vector<Cell>& cells) {
        for (std::size_t i = 0; i < columns.size() && !cells.empty(); ++i) {
            if (columns[i].adding != Adding::ratio) {
                continue;
            }
            const Ratio& ratio = columns[i].ratio;
            const auto above = number(cells[ratio.numerator]);
            const auto below = ratio.denominator ? number(cells[*ratio.denominator])
                                                 : std::optional(coverage.duration_ns);
            cells[i] = {};
            if (above && below.value_or(0) != 0) {
                cells[i] = saturated(Wide{*above} * ratio.scale / *below);
            }
        }
    };
    std::ranges::for_each(rows, [&](Row& row) { compute(row.cells); });
    compute(total);
    for (std::size_t i = 0; i < columns.size() && i < total.size(); ++i) {
        const auto differs = [&](const Row& row) {
            return row.cells[*columns[i].unit_of] != rows.front().cells[*columns[i].unit_of];
        };
        if (columns[i].unit_of && std::ranges::any_of(rows, differs)) {
            total[i] = {};
        }
    }
}

void Table::sort() {
    if (is_ordered) {
        return;
    }
    if (!second_sort_column) {
        sort_by(sort_column, false);
        return;
    }
    const auto number = [](const Cell& cell) {
        const auto* const value = std::get_if<std::uint64_t>(&cell);
        return value != nullptr ? *value : 0;
    };
    for (Row& row : rows) { // a column of sums, for the time of sorting
        row.cells.emplace_back(number(row.cells[sort_column]) +
                               number(row.cells[*second_sort_column]));
    }
    columns.push_back({.name = {}});
    sort_by(static_cast<std::uint32_t>(columns.size() - 1), false);
    columns.pop_back();
    std::ranges::for_each(rows, [](Row& row) { row.cells.pop_back(); });
}

void Table::sort_by(std::uint32_t column, bool is_reversed) {
    const bool is_text = columns[column].unit == Unit::text || columns[column].unit == Unit::id;
    const bool descending = is_text == is_reversed;
    std::ranges::stable_sort(rows, [&](const Row& a, const Row& b) {
        if (a.cells[column] != b.cells[column]) {
            const Unit unit = columns[column].unit;
            return comes_before(ordered(a.cells[column], unit), ordered(b.cells[column], unit),
                                descending);
        }
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (columns[i].adding == Adding::key && a.cells[i] != b.cells[i]) {
                return comes_before(a.cells[i], b.cells[i], false);
            }
        }
        return false;
    });
}

std::vector<std::string> remarks_of(const Coverage& coverage) {
    std::vector<std::string> lines;
    for (const OtherVersion& events : coverage.other_versions) {
        lines.push_back(describe(events));
    }
    for (const NotRecorded& gap : coverage.not_recorded) {
        std::string& line = lines.emplace_back("not recorded: " + std::string(gap.source));
        if (!gap.record.empty()) {
            line.append("; to record it: ").append(gap.record);
        }
    }
    if (coverage.lost_events.value_or(0) > 0) {
        lines.push_back("the session lost " + std::to_string(*coverage.lost_events) + " events");
    }
    if (coverage.lost_buffers.value_or(0) > 0) {
        lines.push_back("the session lost " + std::to_string(*coverage.lost_buffers) + " buffers");
    }
    return lines;
}

} // namespace etl::analysis
