#include "analysis/origin_keys.hpp"

#include <etl/time.hpp>

#include "analysis/stacks.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace etl::analysis {

namespace {

using facts::Origin;

constexpr Column machine_column{.name = "machine", .unit = Unit::text, .adding = Adding::key};
constexpr Column boot_column{.name = "boot", .unit = Unit::time, .adding = Adding::key};
constexpr Column trace_column{.name = "trace", .unit = Unit::id, .adding = Adding::key};

bool is_recorded(const Origin& origin) noexcept {
    return !origin.machine.empty() && origin.boot;
}

bool is_same(const Origin& a, const Origin& b) noexcept {
    return is_recorded(a) && is_recorded(b) && a.machine == b.machine && a.boot == b.boot;
}

auto machine_and_boot(const Origin& origin) {
    return std::tie(origin.machine, origin.boot);
}

/// Whether no two of them are equal.
template <typename Key>
bool are_distinct(const std::vector<Origin>& origins, Key key) {
    std::vector<const Origin*> sorted;
    std::ranges::transform(origins, std::back_inserter(sorted),
                           [](const Origin& one) { return &one; });
    const auto key_of = [&](const Origin* one) { return key(*one); };
    std::ranges::sort(sorted, {}, key_of);
    return std::ranges::adjacent_find(sorted, {}, key_of) == sorted.end();
}

/// Each machine and boot once.
std::vector<Origin> different_ones(std::vector<Origin> origins) {
    std::ranges::stable_sort(origins, {}, machine_and_boot);
    const auto rest = std::ranges::unique(origins, is_same);
    origins.erase(rest.begin(), rest.end());
    return origins;
}

void move_columns(std::vector<Column>& columns, std::uint32_t by) {
    for (Column& column : columns) {
        column.ratio.numerator += by;
        if (column.ratio.denominator) {
            *column.ratio.denominator += by;
        }
        if (column.total_of) {
            *column.total_of += by;
        }
        if (column.unit_of) {
            *column.unit_of += by;
        }
    }
}

} // namespace

OriginKeys::OriginKeys(std::vector<Origin> origins) : origins_(std::move(origins)) {
    const std::vector<Origin> different = different_ones(origins_);
    if (different.size() < 2) {
        return;
    }
    columns_.push_back(machine_column);
    if (are_distinct(different, [](const Origin& one) { return std::tie(one.machine); })) {
        return;
    }
    columns_.push_back(boot_column);
    if (!are_distinct(different, machine_and_boot)) {
        columns_.push_back(trace_column);
    }
}

std::vector<Cell> OriginKeys::cells_of(const Origin& origin) const {
    const Cell all[] = {origin.machine.empty() ? Cell() : origin.machine,
                        origin.boot ? Cell(static_cast<std::uint64_t>(origin.boot->ticks)) : Cell(),
                        origin.trace == 0 ? Cell() : Cell(std::uint64_t{origin.trace})};
    return {all, all + columns_.size()};
}

std::string OriginKeys::label_of(const Origin& origin) const {
    std::string label = origin.machine.empty() ? "(unknown machine)" : origin.machine;
    if (columns_.size() > 1 && origin.boot) {
        label += ", boot ";
        append_rfc3339(label, *origin.boot);
    }
    if (columns_.size() > 2 && origin.trace != 0) {
        label += ", trace " + std::to_string(origin.trace);
    }
    return label;
}

void OriginKeys::add_to(Table& table, std::size_t scope) const {
    if (columns_.empty()) {
        return;
    }
    static const Origin unknown;
    const Origin& origin = scope < origins_.size() ? origins_[scope] : unknown;
    const std::vector<Cell> cells = cells_of(origin);
    const auto added = static_cast<std::uint32_t>(columns_.size());
    move_columns(table.columns, added);
    table.columns.insert(table.columns.begin(), columns_.begin(), columns_.end());
    for (Row& row : table.rows) {
        row.cells.insert(row.cells.begin(), cells.begin(), cells.end());
    }
    if (!table.total.empty()) {
        table.total.insert(table.total.begin(), added, Cell());
    }
    table.sort_column += added;
    if (table.second_sort_column) {
        *table.second_sort_column += added;
    }
    if (table.stacks) {
        table.stacks->put_under(
            {.module = {}, .function = label_of(origin), .kind = FrameKind::process});
    }
}

} // namespace etl::analysis
