// Activity over time by provider and process, and what took longest.
#include "tests/unit/answers/analysis/analyzed.hpp"

namespace etl::analysis::times_test {
namespace {

using namespace etl::literals;

constexpr Guid kitchen = "11111111-2222-3333-4444-555555555555"_guid;

/// DiskIo/Read, version 3.
KernelRecord disk_read(std::int64_t time, std::uint32_t size, std::uint64_t elapsed,
                       std::uint32_t thread) {
    ByteWriter payload;
    payload.u32(0).u32(0).u32(size).u32(0).u64(0).u64(0x1234).u64(0x77).u64(elapsed);
    payload.u32(thread);
    return kernel_record(0x010A, 3, time, payload);
}

std::vector<KernelRecord> story() {
    return in_tea_kitchen({switch_from(t0 + 100, 104, 0), switch_from(t0 + 300, 204, 104),
                           disk_read(t0 + 350, 4096, 50, 204), switch_from(t0 + 500, 0, 204),
                           disk_read(t0 + 999, 512, 200, 104)});
}

TEST(Series, AddUpToTheTablesWithoutTime) {
    const Table table = table_of(story(), {.table = "timeline", .by = "process", .slices = 4});
    EXPECT_EQ(rows_of(table, {"slice", "process", "pid", "running_ns", "disk_bytes"}),
              (Rows{"0 kettle.exe 100 15000 0", "0 teapot.exe 200 0 0", "1 kettle.exe 100 5000 0",
                    "1 teapot.exe 200 20000 4096", "2 Idle 0 0 0", "3 kettle.exe 100 0 512"}));
    EXPECT_EQ(total_of(table, "running_ns"), "40000");
    EXPECT_EQ(total_of(table, "disk_bytes"), "4608");
    EXPECT_EQ(total_of(table, "events"),
              total_of(table_of(story(), {"stats", "process"}), "events"));
    EXPECT_EQ(missing_of(table), (std::vector<std::string_view>{"samples", "suspensions"}));
}

TEST(Series, CountOnlySelectedProcesses) {
    const Table table = table_of(story(), {.table = "timeline",
                                           .by = "process",
                                           .processes = {.ids = {}, .names = {"teapot*"}},
                                           .slices = 1});
    EXPECT_EQ(rows_of(table, {"process", "running_ns", "disk_bytes"}),
              (Rows{"teapot.exe 20000 4096"}));
}

TEST(Series, AddProvidersBeyondTheMostFrequent) {
    TraceBuilder trace({.buffer_size = 0x10000});
    BufferBuilder& buffer = trace.buffer();
    constexpr std::size_t providers = 30;
    for (std::size_t i = 0; i < providers; ++i) {
        for (std::size_t count = 0; count <= i; ++count) {
            format::EventRecord record{.time = t0 + static_cast<std::int64_t>(count)};
            record.provider = kitchen;
            record.provider.bytes[0] = static_cast<std::byte>(i);
            buffer.add(record);
        }
    }
    const Table table =
        table_of(trace.build(), {.table = "timeline", .by = "provider", .slices = 1});
    ASSERT_EQ(table.rows.size(), analysis::limits::analysis_series + 1);
    EXPECT_EQ(rows_of(table, {"provider", "events"}).front(),
              "1111111d-2222-3333-4444-555555555555 30");
    EXPECT_EQ(rows_of(table, {"provider", "events"}).back(), "(other) 55");
    EXPECT_EQ(total_of(table, "events"), "465");
}

/// An event with an opcode: 1 start, 2 stop.
void add_step(BufferBuilder& buffer, std::int64_t time, std::uint8_t opcode, std::uint32_t thread,
              Guid activity = {}) {
    format::EventRecord record{.time = time};
    record.process_id = 100;
    record.thread_id = thread;
    record.provider = kitchen;
    record.activity = activity;
    record.descriptor.id = opcode;
    record.descriptor.opcode = opcode;
    record.descriptor.task = 7;
    buffer.add(record);
}

TEST(Slowest, PairsStartAndStopByActivityOrThread) {
    TraceBuilder trace({.buffer_size = 0x10000});
    BufferBuilder& buffer = trace.buffer();
    for (const KernelRecord& record : tea_kitchen()) {
        record.add_to(buffer);
    }
    add_step(buffer, t0 + 10, 1, 104);
    add_step(buffer, t0 + 20, 1, 108);
    add_step(buffer, t0 + 30, 1, 104, kitchen); // ends on another thread
    add_step(buffer, t0 + 60, 2, 104);
    add_step(buffer, t0 + 90, 2, 108, kitchen);
    add_step(buffer, t0 + 99, 2, 204); // began before the trace
    const Table table = table_of(trace.build(), {"slowest", ""});
    EXPECT_EQ(
        rows_of(table, {"kind", "duration_ns", "process", "pid", "tid", "what", "paired_by"}),
        (Rows{"activity 6000 kettle.exe 100 104 11111111-2222-3333-4444-555555555555/2 activity",
              "activity 5000 kettle.exe 100 104 11111111-2222-3333-4444-555555555555/2 guessed"}));
    EXPECT_EQ(remainder_of(table, "guessed_pairs"), 1U);
    EXPECT_EQ(remainder_of(table, "unpaired_starts"), 1U);
    EXPECT_EQ(remainder_of(table, "unpaired_stops"), 1U);
}

TEST(Slowest, NamesFileOperations) {
    ByteWriter create, end;
    create.u64(0x77).u64(0x1234).u32(104).u32(0).u32(0).u32(0);
    create.zero_terminated16(u"C:\\cups.txt");
    end.u64(0x77).u64(0).u32(0);
    const Table table = table_of(in_tea_kitchen({kernel_record(0x0440, 3, t0 + 100, create),
                                                 kernel_record(0x044C, 3, t0 + 130, end)}),
                                 {"slowest", ""});
    EXPECT_EQ(rows_of(table, {"kind", "duration_ns", "process", "tid", "what"}),
              (Rows{"file 3000 kettle.exe 104 Create C:\\cups.txt"}));
}

TEST(Slowest, NamesTheEventThatEndsTheInterval) {
    const auto reader = reader_of(trace_of(on_processor(0, story())));
    const Table table = table_of(trace_of(on_processor(0, story())), {"slowest", ""});
    EXPECT_EQ(rows_of(table, {"kind", "duration_ns", "process", "tid"}),
              (Rows{"disk 20000 kettle.exe 104", "disk 5000 teapot.exe 204"}));
    const std::string place = rows_of(table, {"buffer", "offset", "buffer_at"}).front();
    std::string found;
    reader->for_each_buffer(1, [&](unsigned, const trace::BufferEntry&, flow::Run events) {
        for (const flow::Event& event : events) {
            if (event.raw_time == t0 + 999) {
                found = std::to_string(event.buffer->number) + ' ' +
                        std::to_string(event.offset()) + ' ' +
                        std::to_string(event.buffer->where.value);
            }
        }
    });
    EXPECT_EQ(place, found);
}

} // namespace
} // namespace etl::analysis::times_test
