// Samples of hardware counters. docs/analysis.md#counters
#include "analysis/stacks.hpp"
#include "tests/unit/answers/analysis/analyzed.hpp"

namespace etl::analysis::counters_test {
namespace {

constexpr std::uint64_t lid = 0x7FF600000000, kernel = 0xFFFFF80000000000;

/// PerfInfo/PmcCounterProf, version 2.
KernelRecord counter_sample(std::int64_t time, std::uint64_t address, std::uint32_t thread,
                            std::uint16_t source, std::uint16_t flags = 0) {
    ByteWriter payload;
    payload.u64(address).u32(thread).u16(source).u16(flags);
    return kernel_record(0x0F2F, 2, time, payload);
}

/// SetInterval; 0x0F49: CollectionStart, 0x0F4A: CollectionEnd, with a name.
KernelRecord interval_record(std::int64_t time, std::uint32_t source, std::uint32_t interval,
                             std::uint16_t hook = 0x0F48, std::u16string_view name = {}) {
    ByteWriter payload;
    payload.u32(source).u32(interval).u32(0);
    if (!name.empty()) {
        payload.zero_terminated16(name);
    }
    return kernel_record(hook, name.empty() ? 2 : 3, time, payload);
}

std::vector<KernelRecord> in_kitchen(std::vector<KernelRecord> records) {
    std::vector<KernelRecord> all = tea_kitchen();
    all.push_back(image_record(t0, Life::rundown_at_start, 100, lid, 0x1000, u"\\lid.dll"));
    all.push_back(image_record(t0, Life::rundown_at_start, 0, kernel, 0x1000, u"\\ntoskrnl.exe"));
    all.insert(all.end(), records.begin(), records.end());
    return all;
}

/// Two sources, on two threads; source 10 has an interval that changes, and a name.
std::vector<KernelRecord> misses() {
    return in_kitchen(
        {counter_sample(t0 + 10, lid + 8, 104, 10),
         interval_record(t0 + 20, 10, 1'000, 0x0F49, u"LLCMisses"),
         interval_record(t0 + 20, 0, 5'000), // of the timer
         counter_sample(t0 + 30, lid + 8, 104, 10), interval_record(t0 + 40, 10, 4'000),
         counter_sample(t0 + 50, lid + 16, 104, 10), counter_sample(t0 + 60, lid + 16, 204, 27),
         counter_sample(t0 + 70, lid + 16, 204, 11), counter_sample(t0 + 80, kernel, 0, 10), // idle
         counter_sample(t0 + 90, kernel, 0, 10, 1), sample_in(t0 + 95, lid, 104)});
}

TEST(Counters, EachSourceHasRowsOfItsOwn) {
    const Table table = table_of(misses(), {"counters", "source"});
    EXPECT_EQ(rows_of(table, {"source", "samples", "events"}),
              (Rows{"LLCMisses 4 10000", "11 (BranchMispredictions) 1 null", "27 1 null"}));
    EXPECT_EQ(total_of(table, "samples"), "6");
    EXPECT_EQ(total_of(table, "events"), "null") << "of different units";
    EXPECT_EQ(remainder_of(table, "idle_samples"), 1U);
    EXPECT_EQ(remainder_of(table, "samples_without_interval"), 2U);
    EXPECT_EQ(missing_of(table), (std::vector<std::string_view>{}));
    EXPECT_EQ(table.coverage.used_events, 7U);
}

TEST(Counters, TheyBelongToProcessesThreadsAndProcessors) {
    EXPECT_EQ(
        rows_of(table_of(misses(), {"counters", "process"}),
                {"source", "process", "pid", "samples", "events"}),
        (Rows{"LLCMisses kettle.exe 100 3 6000", "11 (BranchMispredictions) teapot.exe 200 1 null",
              "27 teapot.exe 200 1 null", "LLCMisses DPC null 1 4000"}));
    EXPECT_EQ(rows_of(table_of(misses(), {"counters", "thread"}), {"source", "tid", "samples"}),
              (Rows{"LLCMisses 104 3", "11 (BranchMispredictions) 204 1", "27 204 1",
                    "LLCMisses null 1"}));
    EXPECT_EQ(rows_of(table_of(misses(), {"counters", "processor"}), {"source", "cpu", "samples"}),
              (Rows{"LLCMisses 0 4", "11 (BranchMispredictions) 0 1", "27 0 1"}));
}

TEST(Counters, OneSourceCanBeChosen) {
    for (const char* const name : {"10", "llcmisses", "LLCMisses"}) {
        const Table table =
            table_of(misses(), {.table = "counters", .by = "process", .options = {.source = name}});
        EXPECT_EQ(rows_of(table, {"process", "events"}), (Rows{"kettle.exe 6000", "DPC 4000"}));
        EXPECT_EQ(total_of(table, "events"), "10000");
    }
    const Table usual = table_of(
        misses(),
        {.table = "counters", .by = "process", .options = {.source = "BranchMispredictions"}});
    EXPECT_EQ(rows_of(usual, {"process", "samples"}), (Rows{"teapot.exe 1"}));
    const Table none = table_of(
        misses(), {.table = "counters", .by = "process", .options = {.source = "CacheMisses"}});
    EXPECT_EQ(none.rows.size(), 0U) << "the trace has another name for 10";
    EXPECT_EQ(missing_of(none), (std::vector<std::string_view>{"samples of this source"}));
}

TEST(Counters, StacksAreThoseOfTheirTimeAndThread) {
    const std::vector<KernelRecord> records = in_kitchen(
        {counter_sample(t0 + 10, lid + 8, 104, 10),
         stack_record(t0 + 11, t0 + 10, 100, 104, {lid + 8, lid + 0x20, lid + 0x30, lid + 0x20}),
         stack_record(t0 + 11, t0 + 10, 200, 204, {kernel + 8}), // of another thread
         counter_sample(t0 + 20, lid + 8, 104, 10)});
    const Table table = table_of(records, {"counters", "function"});
    EXPECT_EQ(rows_of(table, {"source", "module", "function", "samples", "inclusive_samples"}),
              (Rows{"10 (CacheMisses) lid.dll lid.dll!0x8 2 2",
                    "10 (CacheMisses) lid.dll lid.dll!0x20 0 1",
                    "10 (CacheMisses) lid.dll lid.dll!0x30 0 1"}));
    EXPECT_EQ(total_of(table, "inclusive_samples"), "2");
    EXPECT_EQ(remainder_of(table, "samples_without_stack"), 1U);
    EXPECT_EQ(rows_of(table_of(records, {"counters", "process-function"}),
                      {"process", "function", "samples"}),
              (Rows{"kettle.exe lid.dll!0x8 2", "kettle.exe lid.dll!0x20 0",
                    "kettle.exe lid.dll!0x30 0"}));
    EXPECT_EQ(rows_of(table_of(records, {"counters", "module"}), {"module", "samples"}),
              (Rows{"lid.dll 2"}));
    EXPECT_EQ(rows_of(table_of(records, {"counters", "call"}), {"caller", "callee", "samples"}),
              (Rows{"lid.dll!0x20 lid.dll!0x30 1", "lid.dll!0x20 lid.dll!0x8 1",
                    "lid.dll!0x30 lid.dll!0x20 1"}));
}

TEST(Counters, TheyAreNoTime) {
    const Table table = table_of(misses(), {"cpu", "process"});
    EXPECT_EQ(rows_of(table, {"process", "samples", "sampled_ns"}), (Rows{"kettle.exe 1 500000"}));
    EXPECT_EQ(remainder_of(table, "counter_samples"), 7U);
}

TEST(Counters, ARangeKeepsTheIntervalBeforeIt) {
    const Table table =
        table_of(misses(), {.table = "counters", .by = "source", .from = t0 + 25, .to = t0 + 55});
    EXPECT_EQ(rows_of(table, {"source", "samples", "events"}), (Rows{"LLCMisses 2 5000"}));
}

TEST(Counters, FlameGraphsAreOfSourcesOrOfOne) {
    const auto image = trace_of(on_processor(0, misses()));
    const Table all = table_of_pass(image, {"flame", "counter"});
    ASSERT_NE(all.stacks, nullptr);
    EXPECT_EQ(all.stacks->weight(), 6U);
    EXPECT_EQ(all.stacks->frames[all.stacks->nodes.front().frame].function, "LLCMisses");
    const Table one = table_of_pass(
        image, {.table = "flame", .by = "counter", .options = {.source = "LLCMisses"}});
    EXPECT_EQ(one.stacks->weight(), 10'000U);
    EXPECT_EQ(one.stacks->frames[one.stacks->nodes.front().frame].function, "kettle.exe (100)");
    const Table uncounted =
        table_of_pass(image, {.table = "flame", .by = "counter", .options = {.source = "27"}});
    EXPECT_EQ(uncounted.stacks->weight(), 1U);
    EXPECT_EQ(total_of(uncounted, "samples"), "1");
}

TEST(Counters, OfThirtyTwoBits) {
    TraceFacts facts;
    facts.pointer_size = 4;
    ByteWriter payload;
    payload.u32(0x401008).u32(104).u16(10).u16(0);
    KernelRecord record = kernel_record(0x0F2F, 2, t0 + 10, payload);
    record.width = format::Width::bits32;
    const Table table =
        table_of(trace_of(on_processor(0, {record}), facts), {"counters", "function"});
    EXPECT_EQ(rows_of(table, {"source", "function", "samples"}),
              (Rows{"10 (CacheMisses) 0x401008 1"}));
}

} // namespace
} // namespace etl::analysis::counters_test
