#include "analysis/stack_tree.hpp"
#include "analysis/stacks.hpp"
#include "tests/unit/answers/analysis/analyzed.hpp"

#include <random>

namespace etl::analysis::stacks_test {
namespace {

constexpr std::uint64_t lid = 0x20000, nt = 0x40000, kernel = 0xFFFFF80000000000;

KernelRecord loaded(std::uint32_t process, std::uint64_t base, std::u16string_view path) {
    return image_record(t0, Life::rundown_at_start, process, base, 0x1000, path);
}

/// StackWalk/Stack: frames of an event.
KernelRecord stack_at(std::int64_t time, std::int64_t of, std::uint32_t process,
                      std::uint32_t thread, const std::vector<std::uint64_t>& frames) {
    ByteWriter payload;
    payload.u64(static_cast<std::uint64_t>(of)).u32(process).u32(thread);
    for (const std::uint64_t frame : frames) {
        payload.u64(frame);
    }
    return kernel_record(0x1820, 2, time, payload);
}

std::vector<KernelRecord> in_kitchen_with_images(std::vector<KernelRecord> records) {
    std::vector<KernelRecord> all =
        in_tea_kitchen({loaded(100, lid, u"C:\\lid.exe"), loaded(100, nt, u"C:\\ntdll.dll"),
                        loaded(0, kernel, u"\\nt\\kernel.exe")});
    all.insert(all.end(), records.begin(), records.end());
    return all;
}

/// Each node with a weight, as `outermost;...;innermost weight count`, in the order of the tree.
Rows lines_of(const StackTree& tree) {
    Rows lines;
    std::vector<std::string> paths;
    for (const StackNode& node : tree.nodes) {
        const std::string& name = tree.frames[node.frame].function;
        paths.push_back(node.parent == StackNode::none ? name : paths[node.parent] + ";" + name);
        if (node.weight != 0 || node.count != 0) {
            lines.push_back(paths.back() + " " + std::to_string(node.weight) + " " +
                            std::to_string(node.count));
        }
    }
    return lines;
}

Rows stacks_of(const std::vector<KernelRecord>& records, std::string_view by) {
    const Table table = table_of(records, {"flame", by});
    EXPECT_NE(table.stacks, nullptr);
    EXPECT_EQ(total_of(table, table.columns[table.sort_column].name),
              std::to_string(table.stacks->weight()));
    return lines_of(*table.stacks);
}

TEST(FlameStacks, OfSamplesBeginWithTheProcess) {
    EXPECT_EQ(stacks_of(in_kitchen_with_images(
                            {sample_in(t0 + 10, lid + 8, 104),
                             stack_at(t0 + 11, t0 + 10, 100, 104, {lid + 8, lid + 16, nt + 4}),
                             sample_in(t0 + 20, lid + 8, 108),
                             stack_at(t0 + 21, t0 + 20, 100, 108, {lid + 8, lid + 16, nt + 4}),
                             sample_in(t0 + 30, kernel + 8, 104),
                             stack_at(t0 + 31, t0 + 30, 100, 104, {kernel + 8}),
                             stack_at(t0 + 32, t0 + 30, 100, 104, {lid + 16, nt + 4})}),
                        "cpu"),
              (Rows{"kettle.exe (100);ntdll.dll!0x4;lid.exe!0x10;lid.exe!0x8 2000000 2",
                    "kettle.exe (100);ntdll.dll!0x4;lid.exe!0x10;kernel.exe!0x8 1000000 1"}));
}

TEST(FlameStacks, SayWhatTheyLack) {
    const std::vector<std::uint64_t> full(analysis::limits::analysis_full_stack, lid + 8);
    EXPECT_EQ(
        stacks_of(in_kitchen_with_images(
                      {sample_in(t0 + 10, lid + 1, 104), sample_in(t0 + 20, kernel + 2, 108),
                       stack_at(t0 + 21, t0 + 20, 100, 108, {kernel + 2}),
                       sample_in(t0 + 30, lid + 3, 104),
                       stack_at(t0 + 31, t0 + 30, 100, 104, {lid + 3, lid + 16}),
                       sample_in(t0 + 40, lid + 4, 104, 1, 1), sample_in(t0 + 50, lid + 5, 4444)}),
                  "cpu"),
        (Rows{"kettle.exe (100);(incomplete);lid.exe!0x10;lid.exe!0x3 1000000 1",
              "kettle.exe (100);(no stack);lid.exe!0x1 1000000 1",
              "kettle.exe (100);(no user stack);kernel.exe!0x2 1000000 1",
              "(unknown process);(no stack);0x20005 1000000 1",
              "DPC;(no stack);lid.exe!0x4 1000000 1"}));
    const Table table =
        table_of(in_kitchen_with_images({sample_in(t0 + 10, lid + 8, 104),
                                         stack_at(t0 + 11, t0 + 10, 100, 104, full)}),
                 {"flame", "cpu"});
    EXPECT_EQ(table.stacks->frames[table.stacks->nodes[1].frame],
              (StackFrame{{}, "(truncated)", FrameKind::mark}));
}

TEST(FlameStacks, HaveThePathsOfImagesIfAsked) {
    const auto records = in_tea_kitchen(
        {loaded(100, lid, u"C:\\tea\\lid.exe"), loaded(200, lid, u"C:\\old\\lid.exe"),
         sample_in(t0 + 10, lid + 8, 104), sample_in(t0 + 20, lid + 8, 204)});
    const auto paths = [&](bool has_paths) {
        const Table table = table_of(
            records, {.table = "flame", .by = "cpu", .options = {.has_image_paths = has_paths}});
        std::vector<std::string> found;
        for (const StackFrame& frame : table.stacks->frames) {
            if (frame.module == "lid.exe") {
                found.push_back(frame.path);
            }
        }
        std::ranges::sort(found);
        return found;
    };
    EXPECT_EQ(paths(false), std::vector<std::string>{""});
    EXPECT_EQ(paths(true), (std::vector<std::string>{"C:\\old\\lid.exe", "C:\\tea\\lid.exe"}));
}

TEST(FlameStacks, OfProcessesThatAreSelected) {
    const auto records = in_kitchen_with_images(
        {sample_in(t0 + 10, lid + 1, 104), sample_in(t0 + 20, lid + 1, 204)});
    const Table table =
        table_of(records, {.table = "flame", .by = "cpu", .processes = {.ids = {100}}});
    EXPECT_EQ(table.stacks->count(), 1U);
    EXPECT_EQ(rows_of(table, {"process", "pid", "samples", "sampled_ns"}),
              (Rows{"kettle.exe 100 1 1000000"}));
}

TEST(FlameStacks, OfWaitsAreThoseOfTheSwitchThatEndsThem) {
    EXPECT_EQ(
        stacks_of(in_kitchen_with_images({switch_from(t0 + 100, 204, 104),
                                          stack_at(t0 + 101, t0 + 100, 200, 204, {nt + 1}),
                                          switch_from(t0 + 300, 104, 204),
                                          stack_at(t0 + 301, t0 + 300, 100, 104, {kernel + 8}),
                                          stack_at(t0 + 302, t0 + 300, 100, 104, {nt + 4})}),
                  "wait"),
        (Rows{"kettle.exe (100);ntdll.dll!0x4;kernel.exe!0x8 20000 1"}));
}

TEST(FlameStacks, OfDiskOperationsAreThoseOfTheirBeginning) {
    ByteWriter init, completion;
    init.u64(0x77);
    completion.u32(0).u32(0).u32(512).u32(0).u64(0).u64(1).u64(0x77).u64(50).u32(104);
    EXPECT_EQ(
        stacks_of(in_kitchen_with_images({kernel_record(0x010C, 2, t0 + 60, init).by(100, 104),
                                          stack_at(t0 + 61, t0 + 60, 100, 104, {nt + 4}),
                                          kernel_record(0x010A, 3, t0 + 100, completion),
                                          stack_at(t0 + 101, t0 + 100, 200, 204, {lid + 4})}),
                  "disk"),
        (Rows{"kettle.exe (100);ntdll.dll!0x4 5000 1"}));
}

TEST(FlameStacks, OfNothingSayWhatToRecord) {
    for (const std::string_view by : {"cpu", "wait", "disk", "alloc"}) {
        const Table table = table_of(in_tea_kitchen({}), {"flame", by});
        EXPECT_TRUE(table.stacks->nodes.empty());
        EXPECT_EQ(table.coverage.not_recorded.size(), 1U) << by;
    }
}

/// A tree of random stacks.
StackTree random_tree(unsigned seed, std::size_t stacks, unsigned names) {
    std::mt19937 random(seed);
    StackTreeBuilder builder;
    for (std::size_t i = 0; i < stacks; ++i) {
        std::uint32_t node = StackNode::none;
        const auto depth = 1 + random() % 12;
        for (unsigned level = 0; level < depth; ++level) {
            const std::string name = "f" + std::to_string(random() % names);
            node = builder.child(node, builder.frame("tea.dll", name, FrameKind::user));
        }
        builder.node(node).weight += random() % 1000;
        ++builder.node(node).count;
        builder.make_space();
    }
    return builder.take();
}

std::uint64_t merged_in(const StackTree& tree) {
    std::uint64_t sum = 0;
    for (const StackNode& node : tree.nodes) {
        sum += node.merged;
    }
    return sum;
}

TEST(StackTree, KeepsItsSumsWhenSmallNodesAreMerged) {
    const StackTree whole = random_tree(1, 5'000, 20);
    for (const std::size_t most : {2U, 3U, 10U, 999U, 10'000U}) {
        StackTree tree = whole;
        tree.merge_smallest(most);
        EXPECT_LE(tree.nodes.size(), most);
        EXPECT_EQ(tree.weight(), whole.weight());
        EXPECT_EQ(tree.count(), whole.count());
        std::size_t named = 0;
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const StackNode& node = tree.nodes[i];
            named += node.merged == 0 ? 1 : 0;
            EXPECT_TRUE(node.parent == StackNode::none || node.parent < i);
            EXPECT_EQ(node.merged != 0, tree.frames[node.frame].kind == FrameKind::mark);
        }
        EXPECT_EQ(named + merged_in(tree), whole.nodes.size());
        const StackTree once = tree;
        tree.merge_smallest(most / 2);
        EXPECT_EQ(tree.weight(), whole.weight());
        EXPECT_LE(tree.nodes.size(), once.nodes.size());
    }
}

TEST(StackTree, MergesWhatIsBelowAWeightOrADepth) {
    const StackTree whole = random_tree(1, 5'000, 20);
    for (const auto& [least, depth] : {std::pair(std::uint64_t{0}, std::size_t{3}),
                                       std::pair(whole.weight() / 10, std::size_t{0}),
                                       std::pair(whole.weight() / 50, std::size_t{5}),
                                       std::pair(whole.weight() + 1, std::size_t{1})}) {
        StackTree tree = whole;
        tree.merge_below(least, depth);
        EXPECT_EQ(tree.weight(), whole.weight());
        EXPECT_EQ(tree.count(), whole.count());
        std::vector<std::uint64_t> weights(tree.nodes.size()), depths(tree.nodes.size());
        std::size_t named = 0;
        for (std::size_t i = tree.nodes.size(); i-- > 0;) {
            weights[i] += tree.nodes[i].weight;
            if (tree.nodes[i].parent != StackNode::none) {
                weights[tree.nodes[i].parent] += weights[i];
            }
        }
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const StackNode& node = tree.nodes[i];
            depths[i] = node.parent == StackNode::none ? 0 : depths[node.parent] + 1;
            named += node.merged == 0 ? 1 : 0;
            EXPECT_TRUE(node.merged != 0 ||
                        (weights[i] >= least && (depth == 0 || depths[i] < depth)));
        }
        EXPECT_EQ(named + merged_in(tree), whole.nodes.size());
    }
    StackTree same = whole;
    same.merge_below(0, 0);
    EXPECT_EQ(same.nodes.size(), whole.nodes.size());
}

TEST(StackTree, AddsTreesOfOtherTraces) {
    StackTree one = random_tree(1, 500, 10);
    const StackTree other = random_tree(2, 500, 10);
    const std::uint64_t weight = one.weight() + other.weight();
    one.add(other);
    EXPECT_EQ(one.weight(), weight);
    EXPECT_EQ(one.count(), 1'000U);
}

TEST(StackTree, ComparesWithAnotherTree) {
    StackTree one = random_tree(1, 500, 10);
    const StackTree same = one;
    one.compare_with(same);
    for (const StackNode& node : one.nodes) {
        EXPECT_EQ(node.weight, node.before);
    }
    const StackTree other = random_tree(2, 500, 10);
    StackTree changed = same;
    changed.compare_with(other);
    EXPECT_EQ(changed.weight(), same.weight());
    EXPECT_EQ(changed.weight_before(), other.weight());
    changed.merge_smallest(50);
    EXPECT_EQ(changed.weight_before(), other.weight());
}

TEST(StackTree, StaysBoundedWithAnyNames) {
    StackTreeBuilder builder;
    const std::string rest(1'000, 'x');
    constexpr std::uint64_t stacks = 200'000;
    std::size_t most = 0;
    for (std::uint64_t i = 0; i < stacks; ++i) {
        const std::uint32_t frame = builder.frame({}, std::to_string(i) + rest, FrameKind::user);
        ++builder.node(builder.child(StackNode::none, frame)).weight;
        builder.make_space();
    }
    const StackTree tree = builder.take();
    std::size_t bytes = 0;
    for (const StackFrame& frame : tree.frames) {
        most = std::max(most, frame.function.size());
        bytes += frame.function.size();
    }
    EXPECT_LE(bytes, analysis::limits::analysis_stack_text_bytes + most);
    EXPECT_EQ(tree.weight(), stacks);
    EXPECT_EQ(merged_in(tree) + tree.nodes.size() - 1, stacks);
}

TEST(StackTree, CutsNamesThatAreTooLong) {
    StackTreeBuilder builder;
    const std::string long_name(1'000'000, 'x');
    builder.child(StackNode::none, builder.frame({}, long_name, FrameKind::user));
    EXPECT_LE(builder.take().frames.front().function.size(),
              analysis::limits::analysis_frame_bytes + 3);
}

TEST(StackTree, ConvertsItsSumExactly) {
    StackTree tree = random_tree(3, 1'000, 10);
    const std::uint64_t ticks = tree.weight();
    convert_ticks(tree, 3'579'545);
    EXPECT_EQ(tree.weight(), nanoseconds_of(ticks, 3'579'545));
}

} // namespace
} // namespace etl::analysis::stacks_test
