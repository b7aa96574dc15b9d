// Which stop ends which start. docs/analysis.md#start-stop
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/answers/analysis/analyzed.hpp"

namespace etl::analysis::start_stop_test {
namespace {

using namespace etl::literals;

constexpr Guid kitchen = "11111111-2222-3333-4444-555555555555"_guid;
constexpr Guid cellar = "21111111-2222-3333-4444-555555555555"_guid;
constexpr Guid graphics = "802ec45a-1e99-4b83-9920-87c98277ba9d"_guid; // Microsoft-Windows-DxgKrnl
constexpr Guid one_activity = "12000000-0000-4000-8000-000000000012"_guid;
constexpr Guid another_activity = "13000000-0000-4000-8000-000000000013"_guid;
constexpr std::uint8_t start = 1, stop = 2;

struct Step {
    std::int64_t time = 0;
    std::uint8_t opcode = 0;
    std::uint32_t thread = 104;
    std::uint16_t id = 1;
    std::uint8_t version = 0;
    std::uint16_t task = 7;
    Guid provider = kitchen;
    Guid activity{};
    std::uint32_t process = 100;
    std::string name{}; // TraceLogging
    std::vector<std::byte> payload{}, metadata{};
};

Step packet(std::int64_t time, std::uint8_t opcode, std::uint32_t thread, std::uint64_t context,
            std::uint32_t sequence) {
    ByteWriter payload;
    payload.u64(context).u32(0).u32(sequence);
    if (opcode == start) {
        payload.u64(0).u32(0).u32(0).u32(0).u64(0).u64(0).u64(0);
    } else {
        payload.u32(0).u32(0).u64(0);
    }
    return {.time = time,
            .opcode = opcode,
            .thread = thread,
            .id = static_cast<std::uint16_t>(opcode == start ? 178 : 180),
            .version = 1,
            .task = 9,
            .provider = graphics,
            .payload = payload.take()};
}

Step dma_packet(std::int64_t time, std::uint8_t opcode, std::uint32_t thread,
                std::uint64_t number) {
    ByteWriter payload;
    payload.u64(0xFFFF840589FD0810);
    if (opcode == start) {
        payload.u64(0).u32(1).u64(number).u32(0).u64(0).u32(0);
    } else {
        payload.u32(1).u64(number).u32(0).u32(0);
    }
    return {.time = time,
            .opcode = opcode,
            .thread = thread,
            .id = static_cast<std::uint16_t>(opcode == start ? 175 : 176),
            .version = static_cast<std::uint8_t>(opcode == start ? 1 : 0),
            .task = 8,
            .provider = graphics,
            .payload = payload.take()};
}

/// VidMmDereferenceObjectAsync: both layouts begin with the pointer Object.
Step object_step(std::int64_t time, std::uint8_t opcode, std::uint32_t thread, std::uint64_t object,
                 std::uint32_t process = 100) {
    ByteWriter payload;
    payload.u64(object);
    return {.time = time,
            .opcode = opcode,
            .thread = thread,
            .id = static_cast<std::uint16_t>(opcode == start ? 277 : 278),
            .task = 163,
            .provider = graphics,
            .process = process,
            .payload = payload.take()};
}

test::Image trace_of(const std::vector<Step>& steps) {
    TraceBuilder trace({.buffer_size = 0x10000});
    BufferBuilder& buffer = trace.buffer();
    for (const KernelRecord& record : tea_kitchen()) {
        record.add_to(buffer);
    }
    for (const Step& step : steps) {
        format::EventRecord record{.process_id = step.process,
                                   .thread_id = step.thread,
                                   .time = step.time,
                                   .provider = step.provider,
                                   .descriptor = {.id = step.id,
                                                  .version = step.version,
                                                  .opcode = step.opcode,
                                                  .task = step.task},
                                   .activity = step.activity,
                                   .payload = step.payload};
        const std::vector<std::byte> metadata =
            step.name.empty() ? step.metadata : TraceLoggingEvent(step.name).metadata();
        const format::ExtendedItem item{format::ItemType::event_schema_tl, metadata};
        if (!metadata.empty()) {
            record.items = {&item, 1};
        }
        buffer.add(record);
    }
    return trace.build();
}

Table table_of(const std::vector<Step>& steps, Asked asked = {"slowest", ""}) {
    return analysis::table_of(trace_of(steps), asked);
}

/// By begin: length in microseconds, thread, and how it was paired.
Rows pairs_of(const Table& table) {
    Rows rows = rows_of(table, {"begin", "duration_ns", "tid", "paired_by"});
    std::ranges::sort(rows);
    for (std::string& row : rows) {
        row.erase(0, row.find(' ') + 1);
    }
    return rows;
}

std::string unpaired_of(const Table& table) {
    return std::to_string(remainder_of(table, "unpaired_starts")) + " starts " +
           std::to_string(remainder_of(table, "unpaired_stops")) + " stops";
}

TEST(StartStop, PacketsEndOnOtherThreads) {
    const Table table =
        table_of({packet(t0 + 10, start, 104, 0x10, 1), packet(t0 + 20, start, 104, 0x10, 2),
                  packet(t0 + 30, start, 108, 0x20, 1), packet(t0 + 40, stop, 204, 0x10, 1),
                  packet(t0 + 50, stop, 204, 0x20, 1), packet(t0 + 60, stop, 204, 0x10, 2),
                  packet(t0 + 70, stop, 104, 0x10, 3)});
    EXPECT_EQ(pairs_of(table), (Rows{"3000 104 fields", "4000 104 fields", "2000 108 fields"}));
    EXPECT_EQ(unpaired_of(table), "0 starts 1 stops");
}

TEST(StartStop, FieldsOfEqualValuesCanHaveDifferentNames) {
    const Table table =
        table_of({dma_packet(t0 + 10, start, 104, 5), dma_packet(t0 + 20, start, 104, 6),
                  dma_packet(t0 + 30, stop, 108, 5), dma_packet(t0 + 50, stop, 204, 6)});
    EXPECT_EQ(pairs_of(table), (Rows{"2000 104 fields", "3000 104 fields"}));
}

TEST(StartStop, AStartWithTheKeyOfAnotherLeavesThatUnpaired) {
    const Table table =
        table_of({packet(t0 + 10, start, 104, 0x10, 1), packet(t0 + 20, start, 104, 0x10, 1),
                  packet(t0 + 40, stop, 204, 0x10, 1), packet(t0 + 50, stop, 204, 0x10, 1)});
    EXPECT_EQ(pairs_of(table), (Rows{"2000 104 fields"}));
    EXPECT_EQ(unpaired_of(table), "1 starts 1 stops");
}

TEST(StartStop, WithoutTheFieldsOfItsRuleNothingIsPaired) {
    std::vector<Step> steps{packet(t0 + 10, start, 104, 0x10, 1),
                            packet(t0 + 40, stop, 104, 0x10, 1)};
    for (Step& step : steps) {
        step.payload.resize(4);
    }
    const Table table = table_of(steps);
    EXPECT_EQ(pairs_of(table), Rows{});
    EXPECT_EQ(unpaired_of(table), "1 starts 1 stops");
}

/// A self-describing event with the IDs of a manifest event, whose identifiers are of `type`.
Step range_step(std::int64_t time, std::uint8_t opcode, std::uint8_t type, std::size_t size) {
    TraceLoggingEvent event("Range");
    event.field({"pVaAllocator", type}).field({"StartAddress", type}).field({"EndAddress", type});
    return {.time = time,
            .opcode = opcode,
            .id = static_cast<std::uint16_t>(opcode == start ? 331 : 332),
            .provider = graphics,
            .payload = std::vector<std::byte>(3 * size, std::byte{7}),
            .metadata = event.metadata()};
}

TEST(StartStop, FieldsOfOtherSizesThanTheRuleExpectsPairNothing) {
    EXPECT_EQ(pairs_of(table_of({range_step(t0 + 10, start, tl_in::hex64, 8),
                                 range_step(t0 + 30, stop, tl_in::hex64, 8)})),
              (Rows{"2000 104 fields"}));
    for (const auto& [type, size] : {std::pair{tl_in::guid, 16U}, std::pair{tl_in::utf16, 4U}}) {
        const Table table = table_of(
            {range_step(t0 + 10, start, type, size), range_step(t0 + 30, stop, type, size)});
        EXPECT_EQ(pairs_of(table), Rows{});
        EXPECT_EQ(unpaired_of(table), "1 starts 1 stops");
    }
}

TEST(StartStop, LeadingIdentifiersPairAcrossThreads) {
    const Table table = table_of(
        {object_step(t0 + 10, start, 104, 0xFFFF840000000010),
         object_step(t0 + 20, start, 104, 0xFFFF840000000020),
         object_step(t0 + 30, stop, 204, 0xFFFF840000000010, 200), // an address of the kernel
         object_step(t0 + 60, stop, 108, 0xFFFF840000000020)});
    EXPECT_EQ(pairs_of(table), (Rows{"2000 104 fields", "4000 104 fields"}));
}

TEST(StartStop, IdentifiersOfAProcessAreItsOwn) {
    const Table table = table_of({object_step(t0 + 10, start, 104, 0x10),
                                  object_step(t0 + 30, stop, 204, 0x10, 200),
                                  object_step(t0 + 60, stop, 108, 0x10)});
    EXPECT_EQ(pairs_of(table), (Rows{"5000 104 fields"}));
    EXPECT_EQ(unpaired_of(table), "0 starts 1 stops");
}

TEST(StartStop, IdentifiersThatOthersShareAreGuesses) {
    const Table table =
        table_of({object_step(t0 + 10, start, 104, 0x10), object_step(t0 + 20, start, 108, 0x10),
                  object_step(t0 + 30, stop, 104, 0x10), object_step(t0 + 60, stop, 108, 0x10),
                  object_step(t0 + 70, start, 108, 0x10), object_step(t0 + 80, stop, 104, 0x10)});
    EXPECT_EQ(pairs_of(table), (Rows{"2000 104 guessed", "4000 108 guessed", "1000 108 guessed"}));
    EXPECT_EQ(remainder_of(table, "guessed_pairs"), 3U);
}

TEST(StartStop, OfManyStartsWithEqualIdentifiersAllAreGuesses) {
    std::vector<Step> steps;
    for (int i = 0; i < 70; ++i) {
        steps.push_back(object_step(t0 + i, start, 1000, 0x10));
        steps.back().activity.bytes[0] = static_cast<std::byte>(i + 1);
    }
    steps.push_back(object_step(t0 + 100, stop, 1000, 0x10));
    steps.back().activity.bytes[0] = std::byte{60};
    const Table table = table_of(steps);
    EXPECT_EQ(pairs_of(table), (Rows{"4100 1000 guessed"}));
}

TEST(StartStop, IdentifiersThatOthersShareLaterAreGuessesFromTheBeginning) {
    const Table table =
        table_of({object_step(t0 + 10, start, 104, 0x20), object_step(t0 + 30, stop, 104, 0x20),
                  object_step(t0 + 40, start, 104, 0x10), object_step(t0 + 50, start, 108, 0x10),
                  object_step(t0 + 60, stop, 104, 0x10), object_step(t0 + 90, stop, 108, 0x10)});
    EXPECT_EQ(pairs_of(table), (Rows{"2000 104 guessed", "2000 104 guessed", "4000 108 guessed"}));
    EXPECT_EQ(remainder_of(table, "guessed_pairs"), 3U);
}

TEST(StartStop, EqualActivitiesAreSureWhateverOthersShare) {
    std::vector<Step> steps{
        object_step(t0 + 10, start, 104, 0x20), object_step(t0 + 30, stop, 204, 0x20),
        object_step(t0 + 40, start, 104, 0x10), object_step(t0 + 50, start, 108, 0x10),
        object_step(t0 + 60, stop, 104, 0x10),  object_step(t0 + 90, stop, 108, 0x10)};
    steps[0].activity = steps[1].activity = one_activity;
    EXPECT_EQ(pairs_of(table_of(steps)),
              (Rows{"2000 104 fields", "2000 104 guessed", "4000 108 guessed"}));
}

TEST(StartStop, OneTaskDoesNotMakeAnotherAGuess) {
    std::vector<Step> steps{
        object_step(t0 + 10, start, 104, 0x10), object_step(t0 + 20, start, 108, 0x10),
        object_step(t0 + 30, stop, 104, 0x10),  object_step(t0 + 60, stop, 108, 0x10),
        dma_packet(t0 + 70, start, 104, 5),     dma_packet(t0 + 90, stop, 204, 5)};
    EXPECT_EQ(pairs_of(table_of(steps)),
              (Rows{"2000 104 guessed", "4000 108 guessed", "2000 104 fields"}));
}

TEST(StartStop, AnActivityEndsOnAnyThread) {
    const Table table =
        table_of({{.time = t0 + 10, .opcode = start, .activity = one_activity},
                  {.time = t0 + 20, .opcode = start, .activity = another_activity},
                  {.time = t0 + 40, .opcode = stop, .thread = 108, .activity = one_activity},
                  {.time = t0 + 80, .opcode = stop, .thread = 204, .activity = another_activity}});
    EXPECT_EQ(pairs_of(table), (Rows{"3000 104 activity", "6000 104 activity"}));
}

TEST(StartStop, NestedStartsOfAnActivityAreKept) {
    const Table table = table_of({{.time = t0 + 10, .opcode = start, .activity = one_activity},
                                  {.time = t0 + 20, .opcode = start, .activity = one_activity},
                                  {.time = t0 + 40, .opcode = stop, .activity = one_activity},
                                  {.time = t0 + 80, .opcode = stop, .activity = one_activity},
                                  {.time = t0 + 90, .opcode = start, .activity = one_activity},
                                  {.time = t0 + 100, .opcode = stop, .activity = one_activity}});
    EXPECT_EQ(pairs_of(table), (Rows{"7000 104 guessed", "2000 104 guessed", "1000 104 activity"}));
}

TEST(StartStop, ThreadsOfAnActivityStopTheirOwn) {
    const Table table =
        table_of({{.time = t0 + 10, .opcode = start, .activity = one_activity},
                  {.time = t0 + 20, .opcode = start, .thread = 108, .activity = one_activity},
                  {.time = t0 + 40, .opcode = stop, .activity = one_activity},
                  {.time = t0 + 80, .opcode = stop, .thread = 108, .activity = one_activity}});
    EXPECT_EQ(pairs_of(table), (Rows{"3000 104 guessed", "6000 108 guessed"}));
}

TEST(StartStop, NestedStartsOfAThreadAreKept) {
    const Table table = table_of({{.time = t0 + 5, .opcode = stop},
                                  {.time = t0 + 10, .opcode = start},
                                  {.time = t0 + 20, .opcode = start},
                                  {.time = t0 + 30, .opcode = stop},
                                  {.time = t0 + 40, .opcode = start, .thread = 108},
                                  {.time = t0 + 70, .opcode = stop},
                                  {.time = t0 + 90, .opcode = stop}});
    EXPECT_EQ(pairs_of(table), (Rows{"6000 104 guessed", "1000 104 guessed"}));
    EXPECT_EQ(unpaired_of(table), "1 starts 2 stops");
}

TEST(StartStop, TasksOfProvidersAreDifferent) {
    const Table table = table_of({{.time = t0 + 10, .opcode = start},
                                  {.time = t0 + 20, .opcode = start, .provider = cellar},
                                  {.time = t0 + 30, .opcode = start, .task = 8},
                                  {.time = t0 + 40, .opcode = stop},
                                  {.time = t0 + 50, .opcode = stop, .task = 8},
                                  {.time = t0 + 60, .opcode = stop, .provider = cellar}});
    EXPECT_EQ(pairs_of(table), (Rows{"3000 104 guessed", "4000 104 guessed", "2000 104 guessed"}));
}

TEST(StartStop, WithoutATaskTheNameRelates) {
    const auto step = [](std::int64_t time, std::uint8_t opcode, std::string name,
                         std::uint32_t thread = 104, const Guid& activity = {}) {
        return Step{.time = time,
                    .opcode = opcode,
                    .thread = thread,
                    .id = 0,
                    .task = 0,
                    .activity = activity,
                    .name = std::move(name)};
    };
    const Table table =
        table_of({step(t0 + 10, start, "BoilStart"), step(t0 + 20, start, "Pour"),
                  step(t0 + 30, start, "Send", 104, one_activity), step(t0 + 40, stop, "BoilStop"),
                  step(t0 + 60, stop, "Pour"), step(t0 + 90, stop, "Send", 108, one_activity),
                  step(t0 + 95, stop, "Serve")});
    EXPECT_EQ(pairs_of(table), (Rows{"3000 104 guessed", "4000 104 guessed", "6000 104 activity"}));
    EXPECT_EQ(unpaired_of(table), "0 starts 1 stops");
}

TEST(StartStop, NamesOfAnActivityCanDiffer) {
    const auto step = [](std::int64_t time, std::uint8_t opcode, std::string name) {
        return Step{.time = time,
                    .opcode = opcode,
                    .id = 0,
                    .task = 0,
                    .activity = one_activity,
                    .name = std::move(name)};
    };
    EXPECT_EQ(pairs_of(table_of(
                  {step(t0 + 10, start, "TrainApproaches"), step(t0 + 40, stop, "TrainPassed")})),
              (Rows{"3000 104 activity"}));
    EXPECT_EQ(pairs_of(table_of({step(t0 + 10, start, "Boil"), step(t0 + 20, start, "Pour"),
                                 step(t0 + 30, stop, "Boil"), step(t0 + 60, stop, "Pour")})),
              (Rows{"2000 104 guessed", "4000 104 guessed"}));
}

TEST(StartStop, CountIfTheStopIsInRange) {
    const std::vector<Step> steps{{.time = t0 + 10, .opcode = start, .activity = one_activity},
                                  {.time = t0 + 20, .opcode = start, .activity = another_activity},
                                  {.time = t0 + 50, .opcode = stop, .activity = one_activity},
                                  {.time = t0 + 90, .opcode = start, .task = 8}};
    const Table table =
        table_of(steps, {.table = "slowest", .by = "", .from = t0 + 30, .to = t0 + 80});
    EXPECT_EQ(pairs_of(table), (Rows{"2000 104 activity"}));
    EXPECT_EQ(unpaired_of(table), "0 starts 0 stops") << "the others are not in range";
}

TEST(StartStop, OfOtherProcessesAreLeftOut) {
    const std::vector<Step> steps{{.time = t0 + 10, .opcode = start},
                                  {.time = t0 + 50, .opcode = stop},
                                  {.time = t0 + 60, .opcode = start}};
    const Table table =
        table_of(steps, {.table = "slowest", .by = "", .processes = {.names = {"teapot.exe"}}});
    EXPECT_EQ(pairs_of(table), Rows{});
    EXPECT_EQ(unpaired_of(table), "0 starts 0 stops");
}

TEST(StartStop, OpenStartsAreBounded) {
    constexpr std::uint32_t more = analysis::limits::analysis_operations + 1;
    TraceBuilder trace({.buffer_size = 0x1000000});
    BufferBuilder& buffer = trace.buffer();
    for (std::uint32_t i = 0; i < more; ++i) {
        buffer.add(format::EventRecord{.process_id = 100,
                                       .thread_id = 1000 + i,
                                       .time = t0 + i,
                                       .provider = kitchen,
                                       .descriptor = {.opcode = start, .task = 7}});
    }
    const Table table = table_of_pass(trace.build(), {"slowest", ""});
    EXPECT_EQ(remainder_of(table, "dropped_operations"), analysis::limits::analysis_operations / 2);
    EXPECT_EQ(remainder_of(table, "unpaired_starts"), more);
}

} // namespace
} // namespace etl::analysis::start_stop_test
