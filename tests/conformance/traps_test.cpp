// The traps of docs/format/damage.md#traps: what a naive parser of .etl files gets wrong, one test
// each.
#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace etl::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TraceFacts from_zero(std::uint32_t processors = 1) {
    TraceFacts facts;
    facts.reference_time = 0;
    facts.processors = processors;
    return facts;
}

format::EventRecord event(std::int64_t time, std::uint16_t id) {
    return {.time = time, .descriptor = {.id = id}};
}

TEST(Trap01, SavedOffsetOfTheHeaderBufferIsZeroOnWindows7) {
    TraceFacts facts = from_zero();
    facts.lineage = trace::Lineage::windows7;
    TraceBuilder trace(facts);
    trace.header_buffer().add(format::SystemRecord{.hook_id = 0x0005, .time = 1});
    const Image file = trace.build();
    ASSERT_EQ(format::BufferHeaderView::at(file, {})->saved_offset(), 0U);
    EXPECT_EQ(read(file).events.size(), 2U);
}

TEST(Trap01, SavedOffsetOfARelogsHeaderBufferIsTooSmall) {
    TraceFacts facts = from_zero();
    facts.lineage = trace::Lineage::relogger;
    TraceBuilder trace(facts);
    trace.header_buffer()
        .add(format::PerfinfoRecord{.hook_id = 0x0050, .time = 1})
        .add(format::PerfinfoRecord{.hook_id = 0x0052, .time = 2});
    const Image file = trace.build();
    const auto head = format::BufferHeaderView::at(file, {});
    ASSERT_LT(head->saved_offset(), head->offset());
    EXPECT_EQ(read(file).events.size(), 3U);
}

TEST(Trap02, BuffersWrittenIsZeroInAnUnfinishedFile) {
    TraceFacts facts = from_zero();
    facts.end_time = std::nullopt;
    TraceBuilder trace(facts);
    trace.buffer().add(event(1, 1));
    trace.buffer().add(event(2, 2));
    const Reading reading = read(trace.build());
    EXPECT_EQ(reading.info.header.buffers_written, 0U);
    EXPECT_TRUE(reading.info.is_unfinalized);
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2));
}

TEST(Trap03, SequenceNumbersHaveGapsAndExceedBuffersWritten) {
    TraceBuilder trace(from_zero()); // new-file mode counts on across files
    trace.buffer({.sequence = 908}).add(event(1, 1));
    trace.buffer({.sequence = 910}).add(event(2, 2));
    trace.buffer({.sequence = 913}).add(event(3, 3));
    const Reading reading = read(trace.build());
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2, 3));
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(Trap03, FileOrderIsNotTimeOrder) {
    TraceBuilder trace(from_zero(2));
    trace.buffer({.processor = 1}).add(event(20, 2)).add(event(40, 4));
    trace.buffer({.processor = 0}).add(event(10, 1)).add(event(30, 3));
    EXPECT_THAT(read(trace.build()).ids(), ElementsAre(1, 2, 3, 4));
}

TEST(Trap04, PointerWidthIsThatOfTheRecordNotOfTheTrace) {
    TraceFacts facts = from_zero();
    facts.pointer_size = 4; // a 32-bit controller on a 64-bit system
    TraceBuilder trace(facts);
    trace.buffer()
        .add(format::EventRecord{.width = format::Width::bits64, .time = 1})
        .add(format::EventRecord{.width = format::Width::bits32, .time = 2});
    auto reader = trace::Reader::open(in_memory(trace.build()));
    ASSERT_TRUE(reader);
    std::vector<int> widths;
    flow::EventCursor events(**reader);
    while (const flow::Event* e = events.next()) {
        widths.push_back(flow::read_header(*e).pointer_size);
    }
    EXPECT_THAT(widths, ElementsAre(4, 8, 4));
}

TEST(Trap05, TheProcessorOfWindows7IsOneByteWithAnAlignmentBehindIt) {
    TraceFacts facts = from_zero(4);
    facts.lineage = trace::Lineage::windows7;
    TraceBuilder trace(facts);
    trace.buffer({.processor = 3}).add(event(1, 1));
    const Reading reading = read(trace.build());
    EXPECT_EQ(reading.events[0].processor, 0U);
    EXPECT_EQ(reading.events[1].processor, 3U);
}

TEST(Trap05, TheProcessorSinceWindows8IsWiderThanAByte) {
    TraceBuilder trace(from_zero(300));
    trace.buffer({.processor = 299}).add(event(1, 1));
    EXPECT_EQ(read(trace.build()).events[1].processor, 299U);
}

TEST(Trap06, CompressedBuffersBeginAtOddOffsets) {
    TraceFacts facts = from_zero();
    facts.lineage = trace::Lineage::relogger;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 1; i <= 8; ++i) {
        const Image payload = noise(20U + i, i);
        trace.buffer({.compression = codec::Format::xpress})
            .add(format::EventRecord{.time = i, .descriptor = {.id = i}, .payload = payload});
    }
    const Reading reading = read(trace.build());
    EXPECT_TRUE(
        std::ranges::any_of(reading.buffers, [](const auto& b) { return b.where.value % 2 != 0; }));
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(Trap07, ACompressedStreamMayHaveBytesLeft) {
    TraceFacts facts = from_zero();
    facts.lineage = trace::Lineage::relogger;
    TraceBuilder trace(facts);
    trace.buffer({.compression = codec::Format::xpress}).add(event(1, 1));
    trace.buffer({.compression = codec::Format::xpress}).add(event(2, 2));
    Image file = trace.build();
    const Place first = buffers_of(file)[1];
    const Image indicators(4, std::byte{0xFF});
    file = grow_size(std::move(file), 1, 4);
    file.insert(file.begin() + static_cast<std::ptrdiff_t>(first.offset + first.size),
                indicators.begin(), indicators.end());
    const Reading reading = read(file);
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2));
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(Trap08, EndTimeIsNoLimit) {
    TraceFacts facts = from_zero();
    facts.end_time = facts.start_time + 5;
    TraceBuilder trace(facts);
    trace.buffer().add(event(1, 1)).add(event(1'000'000, 2));
    EXPECT_THAT(read(trace.build()).ids(), ElementsAre(1, 2));
}

TEST(Trap08, BootTimeIsNotTheOriginOfTheClock) {
    TraceFacts facts;
    facts.reference_time = 5'000;
    facts.boot_time = 1;
    const Reading reading = read(TraceBuilder(facts).build());
    EXPECT_EQ(reading.info.clock.to_filetime(5'000).ticks, facts.start_time);
}

TEST(Trap09, ImageLoadIsLoggedUnderTheProcessGroup) {
    const auto load = event_of(format::SystemRecord{.hook_id = 0x030A});
    const auto unload = event_of(format::SystemRecord{.hook_id = 0x1402});
    EXPECT_EQ(flow::read_header(load->event).provider, flow::read_header(unload->event).provider);
}

TEST(Trap09, PerfinfoRecordsHaveNoProcessAndThread) {
    const auto one = event_of(format::PerfinfoRecord{.hook_id = 0x0F2E});
    EXPECT_EQ(flow::read_header(one->event).process_id, 0xFFFFFFFFU);
    EXPECT_EQ(flow::read_header(one->event).thread_id, 0xFFFFFFFFU);
}

TEST(Trap10, APayloadThatLooksLikeAnItemIsAPayload) {
    const std::array<std::byte, 16> lookalike{std::byte{16}, {}, std::byte{1}, {}, {}, {},
                                              std::byte{8}};
    const std::array<format::ExtendedItem, 1> items{{{format::ItemType::event_key, lookalike}}};
    const auto bare = event_of(format::EventRecord{.payload = lookalike});
    EXPECT_EQ(flow::read_header(bare->event).payload.size(), 16U);
    const auto with = event_of(format::EventRecord{.items = items, .payload = lookalike});
    EXPECT_EQ(flow::read_header(with->event).payload.size(), 16U);
}

TEST(Trap11, PaddingIsNotZero) {
    TraceBuilder trace(from_zero());
    const Image five = noise(5);
    trace.buffer()
        .add(format::EventRecord{.time = 1, .descriptor = {.id = 1}, .payload = five})
        .add(event(2, 2));
    const Image padding(3, std::byte{0xFF});
    const Image file = overwrite(trace.build(), 0x1000 + 0x48 + 0x55, padding);
    const Reading reading = read(file);
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2));
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(Trap11, ARecordMayEndWithoutItsPadding) {
    TraceBuilder trace(from_zero()); // the used bytes of the buffer are no multiple of 8
    const Image five = noise(5);
    trace.buffer().add(format::EventRecord{.time = 1, .descriptor = {.id = 1}, .payload = five});
    const Reading reading = read(trace.build());
    EXPECT_EQ(reading.buffers[1].used % 8, 5U);
    EXPECT_THAT(reading.ids(), ElementsAre(1));
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(Trap12, TheVersionOfKernelRecordsIsOneByte) {
    const std::array<std::uint64_t, 2> counters{7, 8};
    const auto one = event_of(
        format::PerfinfoRecord{.version = 2, .counters = {.pebs_index = 1, .values = counters}});
    ASSERT_EQ(load_le<std::uint16_t>(one->bytes.data()), 0x8202U);
    EXPECT_EQ(flow::read_header(one->event).version, 2U);
    EXPECT_TRUE(flow::read_header(one->event).payload.empty());
}

TEST(Trap13, FilesNamedEtlThatAreNone) {
    const std::string_view text = "Nov 11 08:00:00 box7 kernel: Linux version 6.1\n"
                                  "Nov 11 08:00:01 box7 kernel: Command line: quiet splash\n";
    const auto bytes = std::as_bytes(std::span(text));
    EXPECT_EQ(read(Image(bytes.begin(), bytes.end())).error->code, ErrorCode::not_a_trace);
    EXPECT_EQ(read({}).error->code, ErrorCode::empty_file);
    EXPECT_EQ(read(Image(4096)).error->code, ErrorCode::not_a_trace);
}

} // namespace
} // namespace etl::test
