#include "analysis/groups.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

void add_key_columns(std::vector<Column>& columns, const KeyColumn& key) {
    switch (key.part) {
    case KeyPart::owner:
        columns.push_back(key_column("process", Unit::text));
        columns.push_back(key_column("pid", Unit::id));
        break;
    case KeyPart::waker:
        columns.push_back(key_column("waker", Unit::text));
        columns.push_back(key_column("waker_pid", Unit::id));
        break;
    case KeyPart::number:
        columns.push_back(key_column(key.name, Unit::id));
        break;
    case KeyPart::text:
        columns.push_back(key_column(key.name, Unit::text));
        break;
    case KeyPart::everything:
        break;
    }
}

void add_key_cells(std::vector<Cell>& cells, const KeyColumn& key, std::uint64_t part,
                   const Owners& owners, const Texts& texts) {
    switch (key.part) {
    case KeyPart::owner:
    case KeyPart::waker: {
        const Owner& owner =
            owners[part == no_part ? Owners::unknown : static_cast<OwnerRef>(part)];
        cells.push_back(name_cell(owner));
        cells.push_back(pid_cell(owner));
        break;
    }
    case KeyPart::number:
        cells.push_back(number_cell(part));
        break;
    case KeyPart::text:
        cells.push_back(texts.cell(part));
        break;
    case KeyPart::everything:
        break;
    }
}

} // namespace

Table table_of(std::string_view name, const Groups& groups, const Owners& owners,
               const Texts& texts, std::span<const KeyColumn> keys,
               std::span<const Column> columns) {
    Table table;
    table.name = name;
    for (const KeyColumn& key : keys) {
        add_key_columns(table.columns, key);
    }
    const auto key_count = table.columns.size();
    table.columns.insert(table.columns.end(), columns.begin(), columns.end());
    for (std::size_t row = 0; row < groups.size(); ++row) {
        const std::span values(groups.values(row), columns.size());
        if (std::ranges::all_of(values, [](std::uint64_t value) { return value == 0; })) {
            continue;
        }
        Row& made = table.rows.emplace_back();
        for (std::size_t i = 0; i < keys.size(); ++i) {
            add_key_cells(made.cells, keys[i], groups.key(row)[i], owners, texts);
            made.in_total = made.in_total &&
                            !(keys[i].part == KeyPart::owner && groups.key(row)[i] == Owners::idle);
        }
        if (groups.is_other(row)) {
            std::fill_n(made.cells.begin(), key_count, Cell{});
            made.cells.front() = "(other)";
        }
        made.cells.insert(made.cells.end(), values.begin(), values.end());
    }
    table.coverage.remainders.push_back({"dropped_rows", groups.dropped()});
    return table;
}

void add_percent(Table& table, std::string_view of) {
    constexpr std::uint64_t percent_scale = 10'000;
    table.sort_column = *table.find(of);
    table.columns.push_back(
        {.name = "cpu_percent",
         .unit = Unit::hundredths,
         .adding = Adding::ratio,
         .ratio = {.numerator = table.sort_column, .denominator = {}, .scale = percent_scale}});
    std::ranges::for_each(table.rows, [](Row& row) { row.cells.emplace_back(); });
}

void set_missing(Table& table, std::string_view source, std::vector<std::string_view> columns,
                 std::string_view record) {
    table.coverage.not_recorded.push_back({source, std::move(columns), record});
}

} // namespace etl::analysis
