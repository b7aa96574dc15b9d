#include "analysis/compared_tables.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace etl::analysis::compared_tables_test {
namespace {

Table table_with(std::uint64_t bytes) {
    Table table;
    table.columns = {{.name = "process", .unit = Unit::text, .adding = Adding::key},
                     {.name = "bytes", .unit = Unit::bytes}};
    table.sort_column = 1;
    table.rows.push_back({.cells = {std::string("kettle.exe"), bytes}});
    table.add_up();
    return table;
}

std::int64_t change_between(std::uint64_t before, std::uint64_t after) {
    const Table both = joined(table_with(before), table_with(after));
    return static_cast<std::int64_t>(std::get<std::uint64_t>(both.rows.at(0).cells.back()));
}

TEST(ComparedTables, HaveChangesInHundredthsOfPercent) {
    EXPECT_EQ(change_between(200, 250), 2500);
    EXPECT_EQ(change_between(200, 100), -5000);
}

TEST(ComparedTables, InAnOrderOfTheirOwnHaveTheChangeOfTheirFirstNumber) {
    const auto slices = [](std::uint64_t events) {
        Table table;
        table.columns = {{.name = "slice", .unit = Unit::id, .adding = Adding::key},
                         {.name = "last", .unit = Unit::time, .adding = Adding::none},
                         {.name = "events"}};
        table.is_ordered = true;
        table.rows.push_back({.cells = {std::uint64_t{0}, std::uint64_t{9}, events}});
        table.add_up();
        return table;
    };
    const Table both = joined(slices(4), slices(5));
    EXPECT_EQ(both.rows.at(0).cells.back(), Cell(std::uint64_t{2500}));
    EXPECT_EQ(both.columns[both.sort_column].name, "b_events");
}

TEST(ComparedTables, HaveTheLargestChangeThatFits) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(change_between(1, most), 9'000'000'000'000'000'000);
}

} // namespace
} // namespace etl::analysis::compared_tables_test
