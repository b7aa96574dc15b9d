// Questions that tables answer have the answers of analysis::table_of().
#include "analysis/dataset_table.hpp"
#include "analysis/stack_patterns.hpp"
#include "analysis/tracks.hpp"
#include "gather/trace_index.hpp"
#include "tests/unit/faces/explore/explored.hpp"

#include <gmock/gmock.h>

namespace etl::explore::tables_test {
namespace {

using testing::HasSubstr;

class ExploredTables : public ExploredTraces {
protected:
    static std::expected<analysis::Table, TraceError>
    expected(const std::string& path, const analysis::TableForm& form, const Selection& selection) {
        auto traces = dataset::Dataset::open(
            {path}, {.where = selection.where, .from = selection.from, .to = selection.to});
        return analysis::table_of(traces, form, {.table = {}, .processes = selection.processes});
    }

    static std::vector<std::vector<analysis::Cell>> cells(const analysis::Table& table) {
        std::vector<std::vector<analysis::Cell>> cells;
        for (const analysis::Row& row : table.rows) {
            cells.push_back(row.cells);
        }
        cells.push_back(table.total);
        return cells;
    }
};

TEST_F(ExploredTables, AreThoseOfTheVerbs) {
    const std::vector<Selection> selections{{}, {.from = "+1s", .to = "+1.2s"}, {.from = "+3s"}};
    const Explorer without = explore(plain()), with = explore(indexed());
    EXPECT_FALSE(without.is_indexed());
    EXPECT_TRUE(with.is_indexed());
    for (const analysis::TableForm* const form : analysis::table_forms()) {
        for (const Selection& selection : selections) {
            const TableQuestion question{.name = std::string(form->kind->name),
                                         .by = std::string(form->by),
                                         .selection = selection,
                                         .rows = {.count = max_rows}};
            const auto table = expected(plain(), *form, selection);
            ASSERT_TRUE(table) << question.name;
            for (const Explorer* const explorer : {&without, &with}) {
                const auto answer = explorer->table(question);
                ASSERT_TRUE(answer) << question.name << " by " << question.by;
                EXPECT_EQ(cells(answer->table), cells(*table))
                    << question.name << " by " << question.by << " " << selection.from;
                EXPECT_EQ(answer->rows, table->rows.size());
            }
        }
    }
}

TEST_F(ExploredTables, OfOpenedFilesUseTheIndexThatTheyBring) {
    dataset::Inputs inputs = dataset::open_inputs({indexed()});
    const auto without = Explorer::open_inputs(inputs, {.ignores_indexes = true});
    ASSERT_TRUE(without);
    EXPECT_FALSE(without->is_indexed());
    dataset::Input& input = inputs.files.front();
    input.index = gather::index_of_state(*input.file);
    ASSERT_TRUE(input.index);
    const auto with = Explorer::open_inputs(inputs, {.ignores_indexes = true});
    ASSERT_TRUE(with);
    EXPECT_TRUE(with->is_indexed());
    EXPECT_TRUE(with->overview(1).events);
    const TableQuestion question{.name = "cpu", .by = "thread", .selection = {.from = "+1s"}};
    EXPECT_EQ(cells(with->table(question)->table), cells(without->table(question)->table));
    EXPECT_EQ(Explorer::open_inputs({}).error().code, ErrorCode::not_found);
}

TEST_F(ExploredTables, SelectProcessesAndEvents) {
    const Explorer explorer = explore(indexed());
    const analysis::TableForm& form = *analysis::find_table("cpu", "thread");
    const auto all = explorer.table({.name = "cpu", .by = "process"});
    ASSERT_TRUE(all);
    const std::string process = std::get<std::string>(all->table.rows.at(1).cells.at(0));
    const Selection selection{.from = "+1s", .to = "+4s", .processes = {process}};
    const auto answer = explorer.table({.name = "cpu", .by = "thread", .selection = selection});
    ASSERT_TRUE(answer);
    EXPECT_EQ(cells(answer->table), cells(*expected(plain(), form, selection)));
    const Selection where{.from = "+1s", .to = "+4s", .where = "cpu == 1"};
    const auto of_one = explorer.table({.name = "cpu", .by = "thread", .selection = where});
    ASSERT_TRUE(of_one);
    EXPECT_EQ(cells(of_one->table), cells(*expected(plain(), form, where)));
    EXPECT_NE(cells(of_one->table), cells(answer->table));
}

TEST_F(ExploredTables, ReturnPagesInTheirOrder) {
    const Explorer explorer = explore(indexed());
    TableQuestion question{.name = "stats", .by = "event", .sort = "events", .is_reversed = true};
    const auto all = explorer.table(question);
    ASSERT_TRUE(all);
    ASSERT_GT(all->table.rows.size(), 6U);
    question.rows = {.first = 2, .count = 3};
    const auto page = explorer.table(question);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->rows, all->rows);
    EXPECT_EQ(page->first_row, 2U);
    ASSERT_EQ(page->table.rows.size(), 3U);
    EXPECT_EQ(page->table.rows.front().cells, all->table.rows[2].cells);
    const auto events = *page->table.find("events");
    EXPECT_LE(std::get<std::uint64_t>(page->table.rows[0].cells[events]),
              std::get<std::uint64_t>(page->table.rows[1].cells[events]));
    question.rows.first = std::uint64_t{1} << 63U;
    EXPECT_TRUE(explorer.table(question)->table.rows.empty());
}

TEST_F(ExploredTables, NameWhatIsWrong) {
    const Explorer explorer = explore(indexed());
    const auto about = [&](const TableQuestion& question) {
        const auto answer = explorer.table(question);
        return answer ? std::string("an answer") : answer.error().about;
    };
    EXPECT_EQ(about({.name = "teapots"}), "name");
    EXPECT_EQ(about({.name = "cpu", .by = "teapot"}), "by");
    EXPECT_EQ(about({.name = "cpu", .sort = "teapots"}), "sort");
    EXPECT_EQ(about({.name = "stats", .slices = 0}), "slices");
    EXPECT_EQ(about({.name = "slowest", .per_kind = 0}), "per_kind");
    EXPECT_EQ(about({.name = "cpu", .rows = {.count = max_rows + 1}}), "count");
    EXPECT_EQ(about({.name = "cpu", .selection = {.from = "tea time"}}), "from");
    const auto where =
        explorer.table({.name = "cpu", .selection = {.where = "cpu ==", .processes = {"tea"}}});
    ASSERT_FALSE(where);
    EXPECT_THAT(where.error().detail, HasSubstr("cpu ==\n"));
}

TEST_F(ExploredTables, HaveTheTreesOfFlame) {
    const analysis::TableForm& form = *analysis::find_table("flame", "cpu");
    const Selection selection{.from = "+1s", .to = "+3s"};
    const auto table = expected(plain(), form, selection);
    ASSERT_TRUE(table);
    const analysis::StackTree& tree = *table->stacks;
    ASSERT_GT(tree.nodes.size(), 10U);
    const auto shape = [](const analysis::StackTree& of) {
        std::vector<std::tuple<std::uint32_t, std::string, std::uint64_t, std::uint64_t>> nodes;
        for (const analysis::StackNode& node : of.nodes) {
            nodes.emplace_back(node.parent, of.frames[node.frame].function, node.weight,
                               node.count);
        }
        return nodes;
    };
    for (const std::string& path : {plain(), indexed()}) {
        const auto answer = explore(path).flame({.kind = "cpu", .selection = selection});
        ASSERT_TRUE(answer);
        EXPECT_EQ(shape(*answer->table.stacks), shape(tree));
    }
    const Explorer explorer = explore(indexed());
    const auto small = explorer.flame(
        {.kind = "cpu", .selection = selection, .smallest_share = 0.05, .largest_depth = 4});
    ASSERT_TRUE(small);
    EXPECT_LT(small->table.stacks->nodes.size(), tree.nodes.size());
    EXPECT_EQ(small->table.stacks->weight(), tree.weight());
    EXPECT_EQ(small->table.stacks->count(), tree.count());
    const analysis::Table nodes = nodes_of(*small->table.stacks);
    for (const analysis::Row& row : nodes.rows) {
        const std::uint64_t depth = std::get<std::uint64_t>(row.cells[0]);
        const std::uint64_t weight = std::get<std::uint64_t>(row.cells[4]);
        const bool is_mark = std::get<std::uint64_t>(row.cells[7]) != 0;
        EXPECT_LE(depth, 4U);
        EXPECT_TRUE(is_mark || (depth < 4 && weight * 20 >= tree.weight()));
    }
    EXPECT_EQ(explorer.flame({.smallest_share = 1.5}).error().about, "smallest_share");
}

/// Each frame with its depth and its own weight.
std::vector<std::string> lines_of(const analysis::StackTree& tree) {
    std::vector<std::string> lines;
    std::vector<std::size_t> depths;
    for (const analysis::StackNode& node : tree.nodes) {
        const bool is_root = node.parent == analysis::StackNode::none;
        depths.push_back(is_root ? 0 : depths[node.parent] + 1);
        lines.push_back(std::string(depths.back(), ' ') +
                        analysis::display_name_of(tree.frames[node.frame]) + " " +
                        std::to_string(node.weight));
    }
    return lines;
}

TEST_F(ExploredTables, GroupTheFramesOfFlame) {
    const Explorer explorer = explore(indexed());
    const Selection selection{.from = "+1s", .to = "+3s"};
    auto traces = dataset::Dataset::open({plain()}, {.from = "+1s", .to = "+3s"});
    const auto table = analysis::table_of(traces, *analysis::find_table("flame", "cpu"),
                                          {.table = {.has_image_paths = true}, .processes = {}});
    ASSERT_TRUE(table);
    FlameQuestion question{.selection = selection,
                           .grouping = "^Process% {%}->$1;{%}!=>module $1",
                           .folding = "(incomplete)",
                           .exclude = "Idle",
                           .fold_percent = 2};
    const auto patterns = analysis::StackPatterns::parse({.grouping = question.grouping,
                                                          .folding = question.folding,
                                                          .exclude = question.exclude,
                                                          .fold_percent = 2});
    const analysis::StackTree expected = patterns->apply(*table->stacks);
    const auto answer = explorer.flame(question);
    ASSERT_TRUE(answer);
    const analysis::StackTree& tree = *answer->table.stacks;
    EXPECT_EQ(lines_of(tree), lines_of(expected));
    EXPECT_GT(
        std::ranges::count(tree.frames, analysis::FrameKind::group, &analysis::StackFrame::kind),
        3);
    question.is_inverted = true;
    EXPECT_EQ(lines_of(*explorer.flame(question)->table.stacks),
              lines_of(analysis::inverted(expected)));
    question.focus = analysis::display_name_of(tree.frames[tree.nodes.back().frame]);
    EXPECT_EQ(lines_of(*explorer.flame(question)->table.stacks),
              lines_of(analysis::callers_of(expected, question.focus)));
    question.is_inverted = false;
    EXPECT_EQ(lines_of(*explorer.flame(question)->table.stacks),
              lines_of(analysis::callees_of(expected, question.focus)));
}

TEST_F(ExploredTables, FindTheOwnCodeOfPrograms) {
    const Explorer explorer = explore(indexed());
    const auto own = explorer.flame({.grouping = "my-code"});
    ASSERT_TRUE(own);
    EXPECT_EQ(own->table.stacks->weight(), explorer.flame({})->table.stacks->weight());
    EXPECT_TRUE(std::ranges::any_of(own->table.stacks->frames, [](const auto& frame) {
        return frame.function.starts_with("OTHER <<");
    }));
    const auto none = explorer.flame({.grouping = "my-code", .focus = "spoon!stir"});
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->table.stacks->nodes.empty());
    EXPECT_THAT(none->remarks, testing::Contains(HasSubstr("spoon!stir")));
}

TEST_F(ExploredTables, NameThePatternsThatAreWrong) {
    const Explorer explorer = explore(indexed());
    const auto error = explorer.flame({.folding = "ntdll!;{lid"});
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().about, "folding");
    EXPECT_EQ(error.error().code, ErrorCode::invalid_option);
    EXPECT_THAT(error.error().detail, HasSubstr("'{' without '}'"));
    EXPECT_THAT(error.error().detail, HasSubstr("ntdll!;{lid\n         ^"));
    EXPECT_EQ(explorer.flame({.grouping = "{"}).error().about, "grouping");
    EXPECT_EQ(explorer.flame({.grouping = "my-code", .include = "{"}).error().about, "include");
    EXPECT_EQ(explorer.flame({.exclude = "@("}).error().about, "exclude");
    EXPECT_EQ(explorer.flame({.fold_percent = 101}).error().about, "fold_percent");
}

TEST_F(ExploredTables, HaveThePicturesOfTracks) {
    const analysis::TableForm& form = *analysis::find_table("tracks", "");
    const std::vector<Selection> selections{
        {}, {.from = "+1s", .to = "+1.2s"}, {.from = "+3s"}, {.from = "+1s", .where = "cpu == 1"}};
    for (const Selection& selection : selections) {
        auto traces = dataset::Dataset::open(
            {plain()}, {.where = selection.where, .from = selection.from, .to = selection.to});
        const auto table = analysis::table_of(
            traces, form, {.table = {.slices = 500}, .processes = selection.processes});
        ASSERT_TRUE(table);
        ASSERT_GT(table->rows.size(), 100U);
        for (const std::string& path : {plain(), indexed()}) {
            const auto answer = explore(path).lod({.selection = selection, .columns = 500});
            ASSERT_TRUE(answer);
            EXPECT_EQ(answer->rows, table->rows.size());
            auto expected = cells(*table), found = cells(answer->table);
            expected.pop_back(); // without a total
            found.pop_back();
            EXPECT_EQ(found, expected) << path << ' ' << selection.from;
            const auto numbers = explore(path).tracks({.selection = selection, .columns = 500});
            ASSERT_TRUE(numbers);
            ASSERT_EQ(numbers->traces.size(), 1U);
            EXPECT_EQ(cells(analysis::table_of(numbers->traces)), cells(answer->table));
            EXPECT_EQ(numbers->remarks, answer->remarks);
        }
    }
}

TEST_F(ExploredTables, TellTracksOfSeveralMachinesApart) {
    const std::string other = test::source_dir() + "/corpus/good/process-activity.etl";
    auto explorer = Explorer::open({indexed(), other});
    ASSERT_TRUE(explorer);
    const auto answer = explorer->lod({.columns = 60});
    ASSERT_TRUE(answer);
    auto traces = dataset::Dataset::open({plain(), other});
    const auto table = analysis::table_of(traces, *analysis::find_table("tracks", ""));
    ASSERT_TRUE(table);
    EXPECT_GT(table->columns.size(), analysis::track_columns().size());
    ASSERT_EQ(answer->table.columns.size(), table->columns.size());
    auto expected = cells(*table), found = cells(answer->table);
    expected.pop_back(); // without a total
    found.pop_back();
    EXPECT_EQ(found, expected);
    const auto numbers = explorer->tracks({.columns = 60});
    ASSERT_TRUE(numbers);
    EXPECT_EQ(numbers->traces.size(), 2U);
    EXPECT_EQ(analysis::table_of(numbers->traces).rows.size(), table->rows.size());
}

TEST_F(ExploredTables, SelectTracksByKind) {
    const Explorer explorer = explore(indexed());
    const auto answer = explorer.lod({.columns = 10, .kinds = {"Thread"}});
    ASSERT_TRUE(answer);
    ASSERT_FALSE(answer->table.rows.empty());
    for (const analysis::Row& row : answer->table.rows) {
        EXPECT_EQ(std::get<std::string>(row.cells.front()), "thread");
    }
    EXPECT_EQ(explorer.lod({.columns = 0}).error().about, "columns");
    EXPECT_EQ(explorer.lod({.kinds = {"teapot"}}).error().about, "kinds");
    EXPECT_EQ(explorer.tracks({.kinds = {"teapot"}}).error().about, "kinds");
}

TEST_F(ExploredTables, CountTheStacksOfNamedEvents) {
    const Explorer explorer = explore(indexed());
    const auto named = explorer.flame({.kind = "Thread/CSwitch"});
    const auto all = explorer.flame({.kind = "event"});
    ASSERT_TRUE(named);
    ASSERT_TRUE(all);
    EXPECT_GT(named->table.stacks->count(), 0U);
    EXPECT_LT(named->table.stacks->count(), all->table.stacks->count());
}

} // namespace
} // namespace etl::explore::tables_test
