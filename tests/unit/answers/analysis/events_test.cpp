#include "tests/unit/answers/analysis/analyzed.hpp"

namespace etl::analysis::events_test {
namespace {

constexpr std::uint64_t lid = 0x20000, kernel = 0xFFFFF80000010000;

/// A sample of kettle.exe and a switch to teapot.exe, with stacks, and a switch without.
std::vector<KernelRecord> stacked_events() {
    return in_tea_kitchen(
        {image_record(t0, Life::rundown_at_start, 100, lid, 0x1000, u"C:\\lid.exe"),
         image_record(t0, Life::rundown_at_start, 200, lid, 0x1000, u"C:\\spout.exe"),
         image_record(t0, Life::rundown_at_start, 0, kernel, 0x1000, u"\\SystemRoot\\brew.sys"),
         sample_in(t0 + 10, kernel + 8, 104),
         stack_record(t0 + 11, t0 + 10, 100, 104, {kernel + 8, kernel + 0x20}),
         stack_record(t0 + 12, t0 + 10, 100, 104, {lid + 0x30, lid + 0x40, lid + 0x30}),
         switch_from(t0 + 20, 204, 104),
         stack_record(t0 + 21, t0 + 20, 200, 204, {kernel + 0x20, lid + 0x40}),
         switch_from(t0 + 30, 104, 204)});
}

Regexes regexes(std::string_view pattern) {
    auto compiled = match::Regex::compile(pattern);
    EXPECT_TRUE(compiled);
    return {*std::move(compiled)};
}

Rows functions_of(StackFilter filter) {
    return rows_of(
        table_of(stacked_events(),
                 {.table = "stacks", .by = "function", .options = {.stacks = std::move(filter)}}),
        {"function", "events", "inclusive_events"});
}

const Rows of_sample{"brew.sys!0x8 1 1", "brew.sys!0x20 0 1", "lid.exe!0x30 0 1",
                     "lid.exe!0x40 0 1"};
const Rows of_switch{"brew.sys!0x20 1 1", "spout.exe!0x40 0 1"};

TEST(Stacks, CountFunctionsOncePerEvent) {
    EXPECT_EQ(functions_of({}), (Rows{"brew.sys!0x20 1 2", "brew.sys!0x8 1 1", "lid.exe!0x30 0 1",
                                      "lid.exe!0x40 0 1", "spout.exe!0x40 0 1"}));
    EXPECT_EQ(
        rows_of(table_of(stacked_events(), {"stacks", "call"}), {"caller", "callee", "events"}),
        (Rows{"brew.sys!0x20 brew.sys!0x8 1", "lid.exe!0x30 brew.sys!0x20 1",
              "lid.exe!0x30 lid.exe!0x40 1", "lid.exe!0x40 lid.exe!0x30 1",
              "spout.exe!0x40 brew.sys!0x20 1"}));
    const Table events = table_of(stacked_events(), {"stacks", "event"});
    EXPECT_EQ(
        rows_of(events, {"provider", "event", "events"}),
        (Rows{"MSNT_SystemTrace PerfInfo/SampleProf 1", "MSNT_SystemTrace Thread/CSwitch 1"}));
    EXPECT_EQ(total_of(events, "events"), "2");
}

TEST(Stacks, AreFiltered) {
    EXPECT_EQ(functions_of({.threads = {204}}), of_switch);
    EXPECT_EQ(functions_of({.processes = regexes("^KETTLE")}), of_sample);
    EXPECT_EQ(functions_of({.functions = regexes("spout\\.exe!")}), of_switch);
    EXPECT_EQ(functions_of({.functions = regexes("cup")}), Rows{});
    EXPECT_EQ(functions_of({.events = regexes("SystemTrace/PerfInfo/")}), of_sample);
    EXPECT_EQ(functions_of({.hooks = {0x0524}}), of_switch);
    EXPECT_EQ(functions_of({.processes = regexes("kettle"), .hooks = {0x0524}}), Rows{});
    EXPECT_EQ(rows_of(table_of(stacked_events(),
                               {.table = "stacks", .by = "event", .processes = {.ids = {200}}}),
                      {"event"}),
              (Rows{"Thread/CSwitch"}));
}

TEST(Stacks, OfRecordsBelongToOneEvent) {
    std::vector<KernelRecord> records = stacked_events();
    records.push_back(sample_in(t0 + 10, kernel + 8, 104));
    EXPECT_EQ(total_of(table_of(records, {"stacks", "function"}), "events"), "2");
}

TEST(Stacks, WithoutStacksAreUnknown) {
    const Table table = table_of(tea_kitchen(), {"stacks", "function"});
    EXPECT_EQ(missing_of(table), (std::vector<std::string_view>{"stacks"}));
}

TEST(Marks, HaveTimesAndTexts) {
    std::vector<KernelRecord> records;
    for (const std::string_view text : {"boil", "pour"}) {
        ByteWriter payload;
        payload.zero_terminated8(text);
        records.push_back(kernel_record(0x0F22, 0, t0 + 10 * static_cast<int>(text[0]), payload));
    }
    EXPECT_EQ(rows_of(table_of(in_tea_kitchen(records), {"marks", ""}), {"mark"}),
              (Rows{"boil", "pour"}));
    EXPECT_EQ(missing_of(table_of(tea_kitchen(), {"marks", ""})),
              (std::vector<std::string_view>{"marks"}));
}

} // namespace
} // namespace etl::analysis::events_test
