// What is said about a flame graph.
#include "analysis/groups.hpp"
#include "analysis/stacks.hpp"
#include "pages/flame_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::pages::flame_data_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A table of `all` samples, of which its stacks show `shown`.
analysis::Table table_of(std::uint64_t all, std::uint64_t without, std::uint64_t shown) {
    analysis::Table table{.name = "flame"};
    table.columns = {analysis::key_column("process", analysis::Unit::text),
                     analysis::sum_column("samples")};
    table.total = {analysis::Cell(), all};
    table.coverage.remainders.push_back({"events_without_stack", without});
    table.stacks = std::make_shared<analysis::StackTree>();
    table.stacks->frames.push_back({"", "tea.exe (1)", analysis::FrameKind::process, ""});
    table.stacks->nodes.push_back({.frame = 0, .weight = shown, .count = shown});
    return table;
}

TEST(FlameNotes, CountEventsWithoutStacksAmongAll) {
    const FlameKind& cpu = flame_kind("cpu");
    EXPECT_THAT(flame_notes(table_of(5000, 1200, 37), cpu),
                ElementsAre("1200 of 5000 samples have no stack"));
    EXPECT_THAT(flame_notes(table_of(1200, 1200, 37), cpu),
                ElementsAre(HasSubstr("1200 of 1200 samples have no stack; to record stacks: ")));
    EXPECT_THAT(flame_notes(table_of(5000, 0, 37), cpu), IsEmpty());
    EXPECT_TRUE(has_stacks(table_of(5000, 1200, 37)));
    EXPECT_FALSE(has_stacks(table_of(1200, 1200, 1200)));
}

} // namespace
} // namespace etl::pages::flame_data_test
