#include "verbs/analyze/diff.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace cli {
namespace {

using etl::analysis::Adding;
using etl::analysis::Table;
using etl::analysis::Unit;

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

TEST(DiffTables, HaveChangesInHundredthsOfPercent) {
    EXPECT_EQ(change_between(200, 250), 2500);
    EXPECT_EQ(change_between(200, 100), -5000);
}

TEST(DiffTables, HaveTheLargestChangeThatFits) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(change_between(1, most), 9'000'000'000'000'000'000);
}

} // namespace
} // namespace cli
