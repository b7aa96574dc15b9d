#include "analysis/compared_tables.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <string>

namespace etl::analysis {

namespace {

bool is_process_id(std::string_view name) noexcept {
    return name == "pid" || name == "tid" || name == "waker_pid" || name == "clr_instance";
}

bool is_joined(const Column& column) noexcept {
    return column.adding == Adding::key && !is_process_id(column.name);
}

/// Replaces IDs by null, so that rows are added that differ in them only.
Table without_ids(Table table) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (is_process_id(table.columns[i].name)) {
            std::ranges::for_each(table.rows, [&](Row& row) { row.cells[i] = {}; });
        }
    }
    Table added = table;
    added.rows.clear();
    added.total.assign(table.columns.size(), {});
    added.coverage = {};
    added.add(table);
    added.coverage = table.coverage;
    added.compute_ratios();
    return added;
}

std::vector<Cell> key_of(const Table& table, const Row& row) {
    std::vector<Cell> key;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (is_joined(table.columns[i])) {
            key.push_back(row.cells[i]);
        }
    }
    return key;
}

std::string name_with(std::string_view prefix, std::string_view name) {
    return std::string(prefix).append(name);
}

/// Sets the columns of both tables, whose names `to` owns.
void set_columns(const Table& table, Table& to) {
    constexpr std::array<std::string_view, 2> prefixes{"a_", "b_"};
    auto names = std::make_shared<std::vector<std::string>>();
    for (const Column& column : table.columns) {
        if (is_compared(column)) {
            for (const std::string_view prefix : prefixes) {
                names->push_back(name_with(prefix, column.name));
            }
        }
    }
    std::ranges::copy_if(table.columns, std::back_inserter(to.columns), is_joined);
    auto name = names->begin();
    for (const Column& column : table.columns) {
        for (std::size_t i = 0; is_compared(column) && i < prefixes.size(); ++i) {
            to.columns.push_back({.name = *name++, .unit = column.unit, .adding = Adding::sum});
        }
    }
    to.columns.push_back(
        {.name = "change_percent", .unit = Unit::signed_hundredths, .adding = Adding::sum});
    to.names = std::move(names);
}

Cell change_of(const Cell& before, const Cell& after) {
    const auto* const a = std::get_if<std::uint64_t>(&before);
    const auto* const b = std::get_if<std::uint64_t>(&after);
    if (a == nullptr || b == nullptr || *a == 0) {
        return {};
    }
    constexpr double hundredths = 10'000, max = 9e18; // of 64 bits
    const double change =
        (static_cast<double>(*b) - static_cast<double>(*a)) / static_cast<double>(*a);
    return static_cast<std::uint64_t>(
        static_cast<std::int64_t>(std::min(change * hundredths, max)));
}

/// The column whose change is shown: that by which the table is sorted, or, of a table in an order
/// of its own, the first that is compared.
std::size_t measured_column(const Table& table) {
    if (is_compared(table.columns[table.sort_column])) {
        return table.sort_column;
    }
    const auto first = std::ranges::find_if(table.columns, is_compared);
    return first == table.columns.end() ? table.sort_column
                                        : static_cast<std::size_t>(first - table.columns.begin());
}

/// The cells of both rows; null: no such row.
std::vector<Cell> cells_of_both(const Table& table, const std::vector<Cell>* before,
                                const std::vector<Cell>* after) {
    std::vector<Cell> cells;
    const std::vector<Cell>& any = before != nullptr ? *before : *after;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (is_joined(table.columns[i])) {
            cells.push_back(any[i]);
        }
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (is_compared(table.columns[i])) {
            cells.push_back(before != nullptr ? (*before)[i] : Cell{});
            cells.push_back(after != nullptr ? (*after)[i] : Cell{});
        }
    }
    const std::size_t measured = measured_column(table);
    cells.push_back(before != nullptr && after != nullptr
                        ? change_of((*before)[measured], (*after)[measured])
                        : Cell{});
    return cells;
}

} // namespace

bool is_compared(const Column& column) noexcept {
    return (column.adding == Adding::sum || column.adding == Adding::maximum ||
            column.adding == Adding::ratio) &&
           column.unit != Unit::histogram && !column.is_hidden;
}

Table joined(Table before, Table after) {
    before = without_ids(std::move(before));
    after = without_ids(std::move(after));
    Table both;
    both.name = before.name;
    set_columns(before, both);
    both.is_ordered = before.is_ordered;
    std::map<std::vector<Cell>, const Row*> rest;
    for (const Row& row : after.rows) {
        rest.emplace(key_of(after, row), &row);
    }
    for (const Row& row : before.rows) {
        const auto other = rest.extract(key_of(before, row));
        both.rows.push_back(
            {.cells = cells_of_both(before, &row.cells, other ? &other.mapped()->cells : nullptr)});
    }
    for (const auto& [key, row] : rest) {
        both.rows.push_back({.cells = cells_of_both(after, nullptr, &row->cells)});
    }
    both.total = cells_of_both(before, &before.total, &after.total);
    both.sort_column =
        both.find(name_with("b_", before.columns[measured_column(before)].name)).value_or(0);
    both.coverage = after.coverage;
    return both;
}

} // namespace etl::analysis
