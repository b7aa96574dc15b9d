#include "tests/unit/answers/analysis/analyzed.hpp"

namespace etl::analysis::cpu_test {
namespace {

/// SetInterval; hook 0x0F49: CollectionStart, 0x0F4A: CollectionEnd.
KernelRecord interval_record(std::int64_t time, std::uint32_t source, std::uint32_t interval,
                             std::uint32_t old = 10'000, std::uint16_t hook = 0x0F48) {
    ByteWriter payload;
    payload.u32(source).u32(interval).u32(old);
    return kernel_record(hook, 2, time, payload);
}

KernelRecord image_at(std::uint32_t process, std::uint64_t base, std::u16string_view path) {
    return image_record(t0, Life::rundown_at_start, process, base, 0x1000, path);
}

TEST(Cpu, SamplesWeighTheirInterval) {
    const Table table = table_of(
        in_tea_kitchen({sample_in(t0 + 10, 0x1000, 104), interval_record(t0 + 20, 0, 2'500),
                        interval_record(t0 + 21, 1, 7), sample_in(t0 + 30, 0x1000, 108, 3),
                        sample_in(t0 + 40, 0x1000, 204), sample_in(t0 + 50, 0x1000, 0),
                        sample_in(t0 + 60, 0x1000, 104, 1, 1), sample_in(t0 + 70, 0x1000, 0, 1, 3),
                        sample_in(t0 + 80, 0x1000, 4444)}),
        {"cpu", "process"});
    EXPECT_EQ(
        rows_of(table, {"process", "pid", "samples", "sampled_ns", "running_ns"}),
        (Rows{"kettle.exe 100 2 1750000 null", "DPC null 1 250000 null", "ISR null 1 250000 null",
              "Idle 0 1 250000 null", "teapot.exe 200 1 250000 null", "null null 1 250000 null"}));
    EXPECT_EQ(total_of(table, "samples"), "6"); // without Idle
    EXPECT_EQ(total_of(table, "running_ns"), "null");
    EXPECT_EQ(missing_of(table),
              (std::vector<std::string_view>{"context switches", "ReadyThread"}));
}

/// The sums of `cpu` in all its forms, in microseconds.
void expect_sampled(const std::vector<KernelRecord>& records, std::uint64_t sampled,
                    std::uint64_t assumed) {
    for (const std::string_view by : {"process", "thread", "processor", "module", "function"}) {
        const Table table = table_of(in_tea_kitchen(records), {.table = "cpu", .by = by});
        EXPECT_EQ(total_of(table, "sampled_ns"), std::to_string(sampled * 1000)) << by;
        EXPECT_EQ(remainder_of(table, "samples_of_assumed_interval"), assumed) << by;
    }
    const Table flame =
        table_of_pass(trace_of(on_processor(0, in_tea_kitchen(records))), {"flame", "cpu"});
    EXPECT_EQ(total_of(flame, "sampled_ns"), std::to_string(sampled * 1000));
}

TEST(Cpu, AnIntervalThatTheEndStatesHoldsForAll) {
    expect_sampled({sample_in(t0 + 10, 0x1000, 104), sample_in(t0 + 20, 0x1000, 204, 2),
                    interval_record(t0 + 90, 1, 77, 77, 0x0F4A), // of another source
                    interval_record(t0 + 90, 0, 1'250, 1'250, 0x0F4A)},
                   375, 0);
}

TEST(Cpu, BeforeAnIntervalIsSetTheOldOneHolds) {
    expect_sampled({sample_in(t0 + 10, 0x1000, 104), interval_record(t0 + 20, 0, 2'500, 5'000),
                    sample_in(t0 + 30, 0x1000, 104), interval_record(t0 + 40, 0, 1'250, 2'500),
                    sample_in(t0 + 50, 0x1000, 104),
                    interval_record(t0 + 90, 0, 1'250, 1'250, 0x0F4A)},
                   500 + 250 + 125, 0);
}

TEST(Cpu, WithoutAnIntervalAMillisecondIsAssumed) {
    expect_sampled({sample_in(t0 + 10, 0x1000, 104), sample_in(t0 + 20, 0x1000, 204, 2),
                    sample_in(t0 + 30, 0x1000, 0)},
                   3'000, 2);
}

/// `xperf -on PROFILE` with two events after the window.
TEST(Cpu, AnIntervalAfterTheWindowHoldsToo) {
    const std::vector<KernelRecord> records =
        in_tea_kitchen({sample_in(t0 + 10, 0x1000, 104), sample_in(t0 + 50, 0x1000, 104),
                        interval_record(t0 + 90, 0, 5'000, 5'000, 0x0F4A)});
    const Table table = table_of(records, {.table = "cpu", .by = "process", .to = t0 + 40});
    EXPECT_EQ(total_of(table, "sampled_ns"), "500000");
}

TEST(Cpu, SamplesOfCountersAreCounted) {
    ByteWriter payload;
    payload.u64(0x1000).u32(104).u16(27).u16(0);
    const Table table =
        table_of(in_tea_kitchen({kernel_record(0x0F2F, 2, t0 + 10, payload)}), {"cpu", "function"});
    EXPECT_EQ(remainder_of(table, "counter_samples"), 1U);
    EXPECT_EQ(missing_of(table), (std::vector<std::string_view>{"samples"}));
}

TEST(Cpu, ThreadsRunFromSwitchToSwitch) {
    const Table table =
        table_of(in_tea_kitchen({switch_from(t0 + 100, 104, 0), switch_from(t0 + 150, 204, 104),
                                 switch_from(t0 + 170, 0, 204), switch_from(t0 + 200, 108, 0, 2),
                                 ready_record(t0 + 300, 4444)}),
                 {"cpu", "thread"});
    EXPECT_EQ(rows_of(table, {"process", "tid", "running_ns", "switches", "cpu_percent"}),
              (Rows{"kettle.exe 108 10000 1 3333", "kettle.exe 104 5000 1 1666",
                    "Idle null 3000 1 1000", "teapot.exe 204 2000 1 666"}));
    EXPECT_EQ(total_of(table, "running_ns"), "17000");
    EXPECT_EQ(remainder_of(table, "unknown_ns"), 10'000U); // before the first switch
    EXPECT_EQ(table.coverage.duration_ns, 30'000U);
}

TEST(Cpu, AMissingSwitchLeavesAGap) {
    const Table table =
        table_of(in_tea_kitchen({switch_from(t0, 104, 0), switch_from(t0 + 50, 0, 204),
                                 switch_from(t0 + 100, 104, 0)}),
                 {"cpu", "process"});
    EXPECT_EQ(rows_of(table, {"process", "running_ns"}), (Rows{"Idle 5000", "kettle.exe 0"}));
    EXPECT_EQ(remainder_of(table, "unknown_ns"), 5'000U);
}

/// Thread/CSwitch of a version that no schema describes, with fields after those of version 4.
KernelRecord newer_switch(std::int64_t time, std::uint32_t to, std::uint32_t from) {
    KernelRecord record = switch_from(time, to, from);
    record.version = 5;
    record.payload.resize(record.payload.size() + 8, std::byte{7});
    return record;
}

std::vector<std::string> other_versions_of(const Table& table) {
    std::vector<std::string> texts;
    for (const OtherVersion& one : table.coverage.other_versions) {
        texts.push_back(describe(one));
    }
    return texts;
}

TEST(Cpu, NewerVersionsAreReadWithTheNewestLayout) {
    const Table table =
        table_of(in_tea_kitchen({newer_switch(t0, 104, 0), newer_switch(t0 + 100, 0, 104)}),
                 {"cpu", "process"});
    EXPECT_EQ(rows_of(table, {"process", "running_ns"}), (Rows{"kettle.exe 10000", "Idle 0"}));
    EXPECT_EQ(other_versions_of(table),
              (Rows{"2 events of Thread version 5 are read with the layout of version 4"}));
    EXPECT_EQ(table.coverage.used_events, 2U);
    EXPECT_EQ(table.coverage.unknown_events(), 0U);
}

TEST(Cpu, UnknownVersionsAreCountedAndNotUsed) {
    KernelRecord other = switch_from(t0 + 100, 204, 104);
    other.version = 7;
    other.payload.resize(5);
    const Table table =
        table_of(in_tea_kitchen({switch_from(t0, 104, 0), other, switch_from(t0 + 200, 0, 104)}),
                 {"cpu", "process"});
    EXPECT_EQ(rows_of(table, {"process", "running_ns"}), (Rows{"kettle.exe 20000", "Idle 0"}));
    EXPECT_EQ(other_versions_of(table), (Rows{"1 event of Thread version 7 is unknown"}));
    EXPECT_EQ(table.coverage.used_events, 2U);
    EXPECT_EQ(table.coverage.unknown_events(), 1U);
}

/// The fields that it lacks would be 0: the thread that leaves the processor would be Idle.
TEST(Cpu, ShortEventsAreCountedAndNotUsed) {
    KernelRecord cut = switch_from(t0 + 100, 204, 104);
    cut.payload.resize(4);
    const Table table =
        table_of(in_tea_kitchen({switch_from(t0, 104, 0), cut, switch_from(t0 + 200, 0, 104)}),
                 {"cpu", "process"});
    EXPECT_EQ(rows_of(table, {"process", "running_ns"}), (Rows{"kettle.exe 20000", "Idle 0"}));
    EXPECT_EQ(other_versions_of(table), (Rows{"1 event of Thread version 4 is too short"}));
    EXPECT_EQ(table.coverage.used_events, 2U);
    EXPECT_EQ(table.coverage.unknown_events(), 1U);
}

TEST(Cpu, IntervalsAreCutToTheRange) {
    const std::vector<KernelRecord> records =
        in_tea_kitchen({switch_from(t0 + 100, 104, 0), sample_in(t0 + 120, 0x1000, 104),
                        sample_in(t0 + 160, 0x1000, 104), switch_from(t0 + 200, 204, 104),
                        switch_from(t0 + 400, 0, 204)});
    const Table table =
        table_of(records, {.table = "cpu", .by = "process", .from = t0 + 150, .to = t0 + 300});
    EXPECT_EQ(rows_of(table, {"process", "running_ns", "samples", "switches"}),
              (Rows{"teapot.exe 10000 0 1", "kettle.exe 5000 1 0"}));
    EXPECT_EQ(table.coverage.duration_ns, 15'000U);
    EXPECT_EQ(table.coverage.events, 2U);
    EXPECT_EQ(table.coverage.used_events, 2U);
}

TEST(Cpu, AThreadIdIsUsedAgain) {
    const auto records = in_tea_kitchen(
        {sample_in(t0 + 10, 0x1000, 104), thread_record(t0 + 20, Life::end, 100, 104),
         thread_record(t0 + 30, Life::start, 200, 104), sample_in(t0 + 40, 0x1000, 104)});
    const Table table = table_of(records, {.table = "cpu", .by = "process"});
    EXPECT_EQ(rows_of(table, {"process", "samples"}), (Rows{"kettle.exe 1", "teapot.exe 1"}));
}

TEST(Cpu, ProcessesAreSelected) {
    const Table table =
        table_of(in_tea_kitchen({sample_in(t0 + 10, 0x1000, 104), sample_in(t0 + 20, 0x1000, 204),
                                 sample_in(t0 + 30, 0x1000, 204, 1, 1)}),
                 {.table = "cpu", .by = "process", .processes = {.ids = {}, .names = {"tea*"}}});
    EXPECT_EQ(rows_of(table, {"process", "samples"}), (Rows{"teapot.exe 1"}));
    EXPECT_EQ(total_of(table, "samples"), "1");
}

TEST(Cpu, ProcessorsHaveIdleTime) {
    std::vector<Placed> records = on_processor(0, tea_kitchen());
    for (const KernelRecord& record :
         {switch_from(t0, 104, 0), switch_from(t0 + 60, 0, 104), sample_in(t0 + 70, 1, 0),
          sample_in(t0 + 80, 1, 0, 1, 1), switch_from(t0 + 100, 108, 0)}) {
        records.push_back({1, record});
    }
    const Table table = table_of(trace_of(records), {"cpu", "processor"});
    EXPECT_EQ(rows_of(table, {"cpu", "samples", "idle_samples", "dpc_samples", "running_ns",
                              "idle_ns", "switches"}),
              (Rows{"1 1 1 1 6000 4000 3"}));
    EXPECT_EQ(table.coverage.processors, 2U);
}

TEST(Cpu, ReadyThreadsWaitForAProcessor) {
    const Table table = table_of(
        in_tea_kitchen({switch_from(t0, 104, 0), switch_from(t0 + 100, 0, 104),
                        ready_record(t0 + 150, 104), switch_from(t0 + 170, 104, 0),
                        switch_from(t0 + 200, 204, 104, 1), switch_from(t0 + 230, 104, 204)}),
        {"cpu", "process"});
    EXPECT_EQ(rows_of(table, {"process", "ready_ns"}),
              (Rows{"kettle.exe 5000", "Idle 0", "teapot.exe 0"}));
}

constexpr std::uint16_t isr_hook = 0x0F43, dpc_hook = 0x0F44;

/// An ISR inside of a DPC of thread 104, a DPC of thread 204, and one that began before its switch.
std::vector<KernelRecord> interrupted_threads() {
    return in_tea_kitchen(
        {switch_from(t0 + 100, 104, 0), interrupt(t0 + 130, isr_hook, t0 + 120, 1),
         interrupt(t0 + 150, dpc_hook, t0 + 110, 1), switch_from(t0 + 200, 204, 104),
         interrupt(t0 + 205, dpc_hook, t0 + 190, 1), interrupt(t0 + 230, dpc_hook, t0 + 220, 1),
         switch_from(t0 + 300, 0, 204)});
}

TEST(Cpu, InterruptsAreNoRunningTimeIfExcluded) {
    const Table with = table_of(interrupted_threads(), {"cpu", "process"});
    EXPECT_EQ(rows_of(with, {"process", "running_ns"}),
              (Rows{"kettle.exe 10000", "teapot.exe 10000", "Idle 0"}));
    const Table without =
        table_of(interrupted_threads(),
                 {.table = "cpu", .by = "process", .options = {.excludes_interrupts = true}});
    EXPECT_EQ(rows_of(without, {"process", "running_ns"}),
              (Rows{"teapot.exe 8500", "kettle.exe 6000", "Idle 0"}));
    EXPECT_EQ(remainder_of(without, "excluded_ns"), 5'500U);
    EXPECT_EQ(remainder_of(without, "unknown_ns"), remainder_of(with, "unknown_ns"));
}

TEST(Cpu, ManyInterruptsAreExcludedAsWell) {
    std::vector<KernelRecord> records{switch_from(t0, 104, 0)};
    for (std::int64_t i = 1; i <= 1000; ++i) {
        records.push_back(interrupt(t0 + 10 * i, dpc_hook, t0 + 10 * i - 4, 1));
    }
    records.push_back(switch_from(t0 + 10'010, 0, 104));
    const Table table =
        table_of(in_tea_kitchen(records),
                 {.table = "cpu", .by = "thread", .options = {.excludes_interrupts = true}});
    EXPECT_EQ(rows_of(table, {"tid", "running_ns"}), (Rows{"104 601000", "null 0"}));
}

TEST(Cpu, SaysThatInterruptsWereNotRecorded) {
    const auto records = in_tea_kitchen({switch_from(t0, 104, 0), switch_from(t0 + 10, 0, 104)});
    const Table table = table_of(
        records,
        {.table = "timeline", .by = "", .slices = 1, .options = {.excludes_interrupts = true}});
    EXPECT_EQ(rows_of(table, {"running_ns"}), (Rows{"1000"}));
    const auto missing = missing_of(table);
    EXPECT_NE(std::ranges::find(missing, "DPCs and ISRs"), missing.end());
}

TEST(CpuFrames, AFunctionCountsOncePerSample) {
    constexpr std::uint64_t spout = 0x10000, lid = 0x20000, kernel = 0xFFFFF80000010000;
    const auto records = in_tea_kitchen(
        {image_at(100, spout, u"C:\\spout.dll"), image_at(100, lid, u"C:\\lid.exe"),
         image_at(0, kernel, u"\\SystemRoot\\brew.sys"), sample_in(t0 + 10, kernel + 8, 104),
         stack_record(t0 + 11, t0 + 10, 100, 104, {kernel + 8, kernel + 0x20}),
         stack_record(t0 + 12, t0 + 10, 100, 104, {spout + 0x30, lid + 0x40, spout + 0x30}),
         sample_in(t0 + 20, lid + 0x40, 104), sample_in(t0 + 30, 0x99, 104)});
    const Table modules = table_of(records, {"cpu", "module"});
    EXPECT_EQ(rows_of(modules, {"module", "samples", "inclusive_samples", "inclusive_ns"}),
              (Rows{"brew.sys 1 1 1000000", "lid.exe 1 2 2000000", "null 1 1 1000000",
                    "spout.dll 0 1 1000000"}));
    EXPECT_EQ(total_of(modules, "inclusive_samples"), "3");
    EXPECT_EQ(remainder_of(modules, "samples_without_stack"), 2U);
    const Table functions = table_of(records, {"cpu", "function"});
    EXPECT_EQ(rows_of(functions, {"function", "samples", "inclusive_samples"}),
              (Rows{"brew.sys!0x8 1 1", "lid.exe!0x40 1 2", "0x99 1 1", "brew.sys!0x20 0 1",
                    "spout.dll!0x30 0 1"}));
}

TEST(CpuFrames, FunctionsByProcess) {
    constexpr std::uint64_t lid = 0x20000;
    const auto records =
        in_tea_kitchen({image_at(100, lid, u"C:\\lid.exe"), image_at(200, lid, u"C:\\pot.exe"),
                        sample_in(t0 + 10, lid + 8, 104), sample_in(t0 + 20, lid + 8, 204),
                        sample_in(t0 + 30, lid + 8, 104), sample_in(t0 + 40, lid + 16, 204),
                        stack_record(t0 + 41, t0 + 40, 200, 204, {lid + 16, lid + 8, lid + 8})});
    EXPECT_EQ(rows_of(table_of(records, {"cpu", "process-function"}),
                      {"process", "pid", "function", "samples", "inclusive_samples"}),
              (Rows{"kettle.exe 100 lid.exe!0x8 2 2", "teapot.exe 200 pot.exe!0x10 1 1",
                    "teapot.exe 200 pot.exe!0x8 1 2"}));
    EXPECT_EQ(rows_of(table_of(records, {"cpu", "process-module"}),
                      {"process", "module", "samples", "inclusive_samples"}),
              (Rows{"kettle.exe lid.exe 2 2", "teapot.exe pot.exe 2 2"}));
}

TEST(CpuFrames, ACallCountsOncePerSample) {
    constexpr std::uint64_t lid = 0x20000;
    const auto records =
        in_tea_kitchen({image_at(100, lid, u"C:\\lid.exe"), sample_in(t0 + 10, lid + 8, 104),
                        stack_record(t0 + 11, t0 + 10, 100, 104,
                                     {lid + 8, lid + 0x20, lid + 0x20, lid + 0x20, lid + 0x30}),
                        sample_in(t0 + 20, lid + 8, 104),
                        stack_record(t0 + 21, t0 + 20, 100, 104, {lid + 8, lid + 0x20}),
                        sample_in(t0 + 30, lid + 8, 104)});
    EXPECT_EQ(rows_of(table_of(records, {"cpu", "call"}), {"caller", "callee", "samples"}),
              (Rows{"lid.exe!0x20 lid.exe!0x8 2", "lid.exe!0x20 lid.exe!0x20 1",
                    "lid.exe!0x30 lid.exe!0x20 1"}));
}

} // namespace
} // namespace etl::analysis::cpu_test
