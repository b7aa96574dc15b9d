#include "tests/unit/answers/analysis/analyzed.hpp"

namespace etl::analysis::gc_test {
namespace {

using namespace etl::literals;

constexpr Guid dotnet = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"_guid;

struct ClrEvent {
    std::int64_t time = 0;
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::vector<std::byte> payload;
    std::uint32_t thread = 104;
};

ClrEvent clr(std::int64_t time, std::uint16_t id, std::uint8_t version, ByteWriter& payload) {
    return {time, id, version, payload.take()};
}

ClrEvent suspension(std::int64_t time, std::uint32_t reason, std::uint32_t thread = 104) {
    ByteWriter payload;
    payload.u32(reason).u32(1).u16(8);
    ClrEvent event = clr(time, 9, 1, payload);
    event.thread = thread;
    return event;
}

/// SuspendEEEnd, RestartEEEnd.
ClrEvent mark(std::int64_t time, std::uint16_t id, std::uint32_t thread = 104) {
    ByteWriter payload;
    payload.u16(8);
    ClrEvent event = clr(time, id, 1, payload);
    event.thread = thread;
    return event;
}

ClrEvent collection(std::int64_t time, std::uint32_t count, std::uint32_t depth,
                    std::uint32_t type) {
    ByteWriter payload;
    payload.u32(count).u32(depth).u32(0).u32(type).u16(8);
    return clr(time, 1, 1, payload);
}

Table gc_of(const std::vector<ClrEvent>& events, const Asked& asked = {"gc", ""}) {
    TraceBuilder trace({.buffer_size = 0x10000});
    BufferBuilder& buffer = trace.buffer();
    for (const KernelRecord& record : tea_kitchen()) {
        record.add_to(buffer);
    }
    for (const ClrEvent& event : events) {
        format::EventRecord record{.time = event.time};
        record.process_id = 100;
        record.thread_id = event.thread;
        record.provider = dotnet;
        record.descriptor.id = event.id;
        record.descriptor.version = event.version;
        record.payload = event.payload;
        buffer.add(record);
    }
    return table_of(trace.build(), asked);
}

TEST(Gc, PausesGoFromSuspensionToRestart) {
    const Table table =
        gc_of({suspension(t0 + 100, 1), mark(t0 + 120, 8), collection(t0 + 130, 7, 0, 0),
               collection(t0 + 131, 7, 0, 0), mark(t0 + 200, 3), suspension(t0 + 300, 2),
               mark(t0 + 350, 3), // not for a collection
               collection(t0 + 400, 8, 2, 1), suspension(t0 + 410, 6), mark(t0 + 420, 8),
               mark(t0 + 440, 3)});
    EXPECT_EQ(rows_of(table, {"process", "pid", "clr_instance", "gcs", "gen0_gcs", "gen1_gcs",
                              "gen2_gcs", "background_gcs"}),
              (Rows{"kettle.exe 100 8 2 1 0 1 1"}));
    EXPECT_EQ(rows_of(table, {"pauses", "pause_ns", "max_pause_ns", "suspend_ns"}),
              (Rows{"2 13000 10000 3000"}));
    EXPECT_EQ(rows_of(table, {"exceptions", "contentions", "jitted_methods"}),
              (Rows{"null null null"}));
}

/// A debugger suspends first; the collector begins to suspend before it restarts.
TEST(Gc, PausesEndOnTheThreadThatSuspended) {
    const std::vector<ClrEvent> events{suspension(t0 + 100, 0, 104), suspension(t0 + 110, 1, 108),
                                       mark(t0 + 120, 8, 104),       mark(t0 + 140, 3, 104),
                                       mark(t0 + 150, 8, 108),       mark(t0 + 280, 3, 108)};
    const Table table = gc_of(events);
    EXPECT_EQ(rows_of(table, {"pauses", "pause_ns", "suspend_ns"}), (Rows{"1 17000 4000"}));
    EXPECT_EQ(rows_of(gc_of(events, {"slowest", ""}), {"kind", "duration_ns", "tid"}),
              (Rows{"gc_pause 17000 108"}));
    EXPECT_EQ(
        total_of(gc_of(events, {.table = "timeline", .by = "process", .slices = 2}), "gc_pause_ns"),
        "17000");
}

TEST(Gc, PausesOfTwoThreadsOverlap) {
    const Table table = gc_of({suspension(t0 + 100, 1, 104), suspension(t0 + 110, 6, 108),
                               mark(t0 + 150, 3, 108), mark(t0 + 200, 3, 104)});
    EXPECT_EQ(rows_of(table, {"pauses", "pause_ns", "max_pause_ns"}), (Rows{"2 14000 10000"}));
}

TEST(Gc, ASuspensionReplacesAnEarlierOneOfItsThread) {
    const Table table =
        gc_of({suspension(t0 + 100, 1), suspension(t0 + 110, 0), mark(t0 + 150, 3), // of the second
               suspension(t0 + 200, 1)});
    EXPECT_EQ(rows_of(table, {"pauses"}), Rows{});
    EXPECT_EQ(remainder_of(table, "open_pauses"), 1U);
}

TEST(Gc, PausesArePartOfTheTimelineAndOfTheSlowest) {
    const std::vector<ClrEvent> events{suspension(t0 + 100, 1), mark(t0 + 120, 8),
                                       mark(t0 + 300, 3), suspension(t0 + 310, 6),
                                       mark(t0 + 330, 3)};
    EXPECT_EQ(rows_of(gc_of(events, {.table = "timeline", .by = "process", .slices = 2}),
                      {"slice", "process", "gc_pause_ns"}),
              (Rows{"0 kettle.exe 6600", "0 teapot.exe 0", "1 kettle.exe 15400"}));
    EXPECT_EQ(rows_of(gc_of(events, {.table = "slowest", .options = {.per_kind = 1}}),
                      {"kind", "duration_ns", "process"}),
              (Rows{"gc_pause 20000 kettle.exe"}));
}

TEST(Gc, CountsMethodsExceptionsAndContention) {
    ByteWriter method, precompiled, tick, thrown, start, stop;
    method.u64(1).u64(2).u64(3).u32(40).u32(6).u32(8).zero_terminated16(u"Tea");
    method.zero_terminated16(u"Brew").zero_terminated16(u"void ()").u16(8);
    precompiled.u64(1).u64(2).u64(3).u32(40).u32(6).u32(0).u16(8);
    tick.u32(1000).u32(0).u16(8).u64(5'000'000'000);
    thrown.zero_terminated16(u"TooHot").zero_terminated16(u"m").u64(1).u32(2).u16(0).u16(8);
    start.u8(0).u16(8);
    stop.u8(0).u16(8);
    const Table table = gc_of({clr(t0 + 10, 143, 1, method), clr(t0 + 20, 141, 1, precompiled),
                               clr(t0 + 30, 10, 2, tick), clr(t0 + 40, 80, 1, thrown),
                               clr(t0 + 50, 81, 1, start), clr(t0 + 80, 91, 0, stop)});
    EXPECT_EQ(rows_of(table, {"clr_instance", "jitted_methods", "allocated_bytes", "exceptions",
                              "contentions", "contention_ns", "gcs"}),
              (Rows{"8 1 5000000000 1 1 3000 null"}));
}

/// GCHeapStats with these sizes of generations 0 to 2, of large objects, and of pinned ones.
ClrEvent heap(std::int64_t time, std::uint8_t version, std::array<std::uint64_t, 5> sizes) {
    constexpr std::uint64_t promoted = 1'000'000'000;
    ByteWriter payload;
    for (std::size_t i = 0; i < 4; ++i) {
        payload.u64(sizes[i]).u64(promoted);
    }
    payload.u64(promoted).u64(1).u32(2).u32(3).u32(4).u16(8);
    if (version >= 2) {
        payload.u64(sizes[4]).u64(promoted);
    }
    return clr(time, 4, version, payload);
}

TEST(Heaps, AreTracksOfTheirMeanSizes) {
    constexpr std::uint64_t too_much = std::uint64_t{1} << 60U;
    Asked asked{"tracks", ""};
    asked.options.tracks.kinds = {TrackKind::heap};
    asked.options.tracks.shift = 20;
    ClrEvent truncated = heap(t0 + 50, 2, {9, 9, 9, 9, 9});
    truncated.payload.resize(100);
    const Table table = gc_of({heap(t0 + 10, 1, {1, 20, 300, 4'000, 50'000}),
                               heap(t0 + 20, 2, {1, 20, 300, 4'000, 50'000}), truncated,
                               heap(t0 + 60, 1, {too_much, 0, 0, 0, 0})},
                              asked);
    EXPECT_EQ(rows_of(table, {"track", "process", "pid", "state", "count", "bytes", "duration_ns"}),
              (Rows{"heap kettle.exe 100 size 2 29321 null"}));
}

} // namespace
} // namespace etl::analysis::gc_test
