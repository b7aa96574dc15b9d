// Time stamps of all clocks in one clock.
#include "format/records.hpp"
#include "tests/unit/storage/merge/made_traces.hpp"
#include "tests/unit/storage/merge/merging.hpp"

#include <gmock/gmock.h>

namespace etl::merge::rewriter_test {

namespace {

using namespace test;

template <typename Record>
Image trace_of(const Record& record, const TraceFacts& facts = {}) {
    TraceBuilder trace(facts);
    trace.buffer().add(numbered(1, reference)).add(record);
    return trace.build();
}

/// Raw time stamps of the events behind the header, by id.
std::map<int, std::int64_t> times_of(const Image& file) {
    std::map<int, std::int64_t> times;
    for (const Seen& event : read(file).events) {
        if (format::is_event(event.kind) && event.id != 0) { // 0: about sources
            times[event.id] = event.time;
        }
    }
    return times;
}

/// The payload of the last record.
Image last_payload(const Image& file, std::size_t header_size) {
    const Image record = content_of(file).streams.at(0).back();
    return {record.begin() + static_cast<std::ptrdiff_t>(header_size), record.end()};
}

std::int64_t number_at(const Image& bytes, std::size_t offset) {
    return load_le<std::int64_t>(bytes.data() + offset);
}

TEST(Restamp, EveryClockBecomesFiletime) {
    const TraceFacts slow{.perf_freq = 1'000'000};
    const TraceFacts cycles{.clock = format::ClockType::cpu_cycles, .cpu_speed_mhz = 2000};
    const TraceFacts system{.clock = format::ClockType::system_time, .reference_time = story_start};
    const Image file = merged_file(
        {trace_with({{1, reference + 30}}), trace_with({{2, reference + 30}}, slow),
         trace_with({{3, reference + 2000}}, cycles), trace_with({{4, story_start + 7}}, system)},
        system_time);
    EXPECT_EQ(times_of(file), (std::map<int, std::int64_t>{{1, story_start + 30},
                                                           {2, story_start + 300},
                                                           {3, story_start + 10},
                                                           {4, story_start + 7}}));
    EXPECT_THAT(read_written(file).checked, testing::IsEmpty());
}

TEST(Restamp, TheHeaderTellsOfSystemTime) {
    const auto info =
        content_of(merged_file({trace_with({{1, reference + 30}})}, system_time)).info;
    EXPECT_EQ(info.header.clock_type(), format::ClockType::system_time);
    EXPECT_EQ(info.header.perf_freq, Filetime::per_second);
    EXPECT_EQ(info.header.start_time, story_start);
    EXPECT_EQ(info.reference_time, story_start);
}

TEST(Restamp, RecordsOfEveryKindGetTheirTime) {
    TraceBuilder trace;
    BufferBuilder& buffer = trace.buffer();
    buffer.add(numbered(1, reference + 1))
        .add(format::SystemRecord{.hook_id = 0x0301, .time = reference + 2})
        .add(format::CompactRecord{.hook_id = 0x0501, .time = reference + 3})
        .add(format::PerfinfoRecord{.hook_id = 0x0F2E, .time = reference + 4})
        .add(format::FullRecord{.time = reference + 5})
        .add(format::InstanceRecord{.time = reference + 6})
        .add(format::MessageRecord{.number = 1, .sequence = 9, .time = reference + 7})
        .add(format::WnodeRecord{.time = reference + 8})
        .add(format::TimedRecord{.time = reference + 9})
        .add(format::Ulong32Record{.time = reference + 10});
    const Reading reading = read(merged_file({trace.build()}, system_time));
    ASSERT_EQ(reading.events.size(), 11U);
    for (std::size_t i = 1; i < reading.events.size(); ++i) {
        EXPECT_EQ(reading.events[i].time, story_start + static_cast<std::int64_t>(i));
        EXPECT_TRUE(reading.events[i].has_time);
    }
}

TEST(Restamp, WhatHasNoTimeStaysByteForByteBehindItsPredecessor) {
    TraceBuilder trace;
    trace.buffer()
        .add(numbered(1, reference + 10))
        .add(format::MessageRecord{.number = 5, .reserves_time = true})
        .add(numbered(2, reference + 20));
    const Image source = trace.build();
    const Content merged = content_of(merged_file({source}, system_time));
    ASSERT_EQ(merged.streams.at(0).size(), 3U);
    EXPECT_EQ(merged.streams.at(0)[1], content_of(source).streams.at(0)[1]);
}

TEST(RestampPayload, AStackStillBelongsToItsEvent) {
    ByteWriter payload;
    payload.value(reference).u32(7).u32(8).u64(0xFFFF'8000'0000'1000U);
    const Image file = merged_file({trace_of(format::PerfinfoRecord{.version = 2,
                                                                    .hook_id = 0x1820,
                                                                    .time = reference,
                                                                    .payload = payload.view()},
                                             {.perf_freq = 3'000'000})},
                                   system_time);
    const Image found = last_payload(file, format::perfinfo_record::size);
    EXPECT_EQ(number_at(found, 0), times_of(file).at(1));
    EXPECT_EQ(number_at(found, 16), static_cast<std::int64_t>(0xFFFF'8000'0000'1000U));
}

/// An event whose stack is not whole: the item tells under which time the rest of it comes.
Image trace_with_matched(format::ItemType type, std::int64_t match) {
    ByteWriter stack;
    stack.value(match).u64(0xABC);
    const std::array items{format::ExtendedItem{.type = type, .data = stack.view()}};
    ByteWriter rest;
    rest.value(match).u32(7).u32(8).u64(0x1000);
    TraceBuilder trace({.perf_freq = 1'000'000});
    trace.buffer()
        .add(format::EventRecord{.time = reference + 1, .descriptor = {.id = 1}, .items = items})
        .add(format::PerfinfoRecord{
            .version = 2, .hook_id = 0x1820, .time = reference + 5, .payload = rest.view()});
    return trace.build();
}

/// What the first item of the first event tells.
std::int64_t match_of(const Image& file) {
    const Image record = content_of(file).streams.at(0).front();
    return number_at(record, format::event_record::size + 8);
}

TEST(RestampItems, TheRestOfAStackStillBelongsToItsEvent) {
    using format::ItemType;
    for (const ItemType type : {ItemType::stack_trace32, ItemType::stack_trace64,
                                ItemType::stack_key32, ItemType::stack_key64}) {
        const Image file = merged_file({trace_with_matched(type, reference + 3)}, system_time);
        EXPECT_EQ(match_of(file), story_start + 30);
        EXPECT_EQ(number_at(last_payload(file, format::perfinfo_record::size), 0),
                  story_start + 30);
        const Image record = content_of(file).streams.at(0).front();
        EXPECT_EQ(number_at(record, format::event_record::size + 16), 0xABC);
    }
}

TEST(RestampItems, NoTimeStaysNone) {
    const Image file =
        merged_file({trace_with_matched(format::ItemType::stack_trace64, 0)}, system_time);
    EXPECT_EQ(match_of(file), 0);
    EXPECT_EQ(number_at(last_payload(file, format::perfinfo_record::size), 0), 0);
}

TEST(RestampPayload, ClassesUnderFullHeadersAreTheSame) {
    using namespace literals;
    const auto first_number = [](const Guid& event_class, std::uint8_t type) {
        ByteWriter payload;
        payload.value(reference + 20).u32(7).u32(8).u64(0x1000);
        const Image file = merged_file({trace_of(format::FullRecord{.opcode = type,
                                                                    .version = 2,
                                                                    .time = reference + 50,
                                                                    .event_class = event_class,
                                                                    .payload = payload.view()})},
                                       system_time);
        return number_at(last_payload(file, format::full_record::size), 0);
    };
    const Guid stack_walk = "def2fe46-7bd6-4b80-bd94-f57fe20d0ce3"_guid;
    const Guid registry = "ae53722e-c863-11d2-8659-00c04fa321a1"_guid;
    EXPECT_EQ(first_number(stack_walk, 0x20), story_start + 20);
    EXPECT_EQ(first_number(registry, 0x0A), story_start + 20);
    EXPECT_EQ(first_number(registry, 0x09), reference + 20);
    EXPECT_EQ(first_number(Guid{{std::byte{7}}}, 0x20), reference + 20);
}

TEST(RestampPayload, ADpcKeepsItsDuration) {
    ByteWriter payload;
    payload.value(reference + 20).u64(0x1234);
    const Image file = merged_file({trace_of(format::PerfinfoRecord{.version = 2,
                                                                    .hook_id = 0x0F44,
                                                                    .time = reference + 50,
                                                                    .payload = payload.view()},
                                             {.perf_freq = 1'000'000})},
                                   system_time);
    EXPECT_EQ(number_at(last_payload(file, format::perfinfo_record::size), 0), story_start + 200);
}

TEST(RestampPayload, BehindCountersItIsFoundAsWell) {
    ByteWriter payload;
    payload.value(reference + 20).u64(0x1234);
    const std::array<std::uint64_t, 2> counters{5, 6};
    const Image file =
        merged_file({trace_of(format::PerfinfoRecord{.version = 2,
                                                     .hook_id = 0x0F44,
                                                     .time = reference + 50,
                                                     .counters = {.values = counters},
                                                     .payload = payload.view()})},
                    system_time);
    const Image found = last_payload(file, format::perfinfo_record::size);
    EXPECT_EQ(number_at(found, 0), 5);
    EXPECT_EQ(number_at(found, 16), story_start + 20);
}

TEST(RestampPayload, ResponseTimesOfDisksAreCountedIn100ns) {
    for (const auto width : {format::Width::bits32, format::Width::bits64}) {
        const std::size_t pointer = width == format::Width::bits32 ? 4 : 8;
        ByteWriter payload;
        payload.u32(0).u32(0).u32(4096).u32(0).u64(512).fill(2 * pointer).u64(5).u32(77);
        const Image file = merged_file({trace_of(format::CompactRecord{.width = width,
                                                                       .version = 3,
                                                                       .hook_id = 0x010A,
                                                                       .time = reference + 50,
                                                                       .payload = payload.view()},
                                                 {.perf_freq = 1'000'000})},
                                       system_time);
        const Image found = last_payload(file, format::system_record::compact_size);
        EXPECT_EQ(number_at(found, 24 + 2 * pointer), 50);
        EXPECT_EQ(number_at(found, 16), 512);
    }
}

TEST(RestampPayload, OldVersionsAndShortPayloadsStayAsTheyAre) {
    ByteWriter payload;
    payload.value(reference + 20);
    const auto first_number = [&](std::uint8_t version, Bytes bytes) {
        const Image file = merged_file(
            {trace_of(format::CompactRecord{
                .version = version, .hook_id = 0x090A, .time = reference + 50, .payload = bytes})},
            system_time);
        return last_payload(file, format::system_record::compact_size);
    };
    EXPECT_EQ(number_at(first_number(1, payload.view()), 0), reference + 20);
    EXPECT_EQ(number_at(first_number(2, payload.view()), 0), story_start + 20);
    const Bytes cut = payload.view().first(7);
    EXPECT_TRUE(std::ranges::equal(first_number(2, cut), cut));
}

TEST(Align, OffsetsMoveSingleTraces) {
    Options options = system_time;
    options.offsets = {0, -25};
    const Image file = merged_file(
        {trace_with({{1, reference + 30}}), trace_with({{2, reference + 40}})}, options);
    EXPECT_EQ(times_of(file),
              (std::map<int, std::int64_t>{{1, story_start + 30}, {2, story_start + 15}}));
    EXPECT_EQ(content_of(file).info.header.start_time, story_start - 25);
}

TEST(Align, AtTheStartAllBeginWithTheFirstOneGiven) {
    TraceFacts earlier;
    earlier.start_time -= 5'000'000'000;
    earlier.boot_time -= 5'000'000'000;
    Options options = system_time;
    options.align = Align::start;
    const Image file = merged_file(
        {trace_with({{1, reference + 30}}), trace_with({{2, reference + 40}}, earlier)}, options);
    EXPECT_EQ(times_of(file),
              (std::map<int, std::int64_t>{{1, story_start + 30}, {2, story_start + 40}}));
}

TEST(Align, FirstEventsMeetWhereTheBeginningsAreKnown) {
    TraceFacts other;
    other.start_time += 700'000'000;
    Options options = system_time;
    options.align = Align::first_event;
    auto inputs = inputs_of({trace_with({{1, reference + 30}, {2, reference + 35}}),
                             trace_with({{3, reference + 4000}}, other)});
    inputs[1].beginning = *beginning_of(**inputs[1].open());
    EXPECT_EQ(MergedSource::create(inputs, options).error().code, ErrorCode::invalid_option);
    inputs[0].beginning = *beginning_of(**inputs[0].open());
    const Image file = file_of(*must_merge(std::move(inputs), options));
    EXPECT_EQ(times_of(file),
              (std::map<int, std::int64_t>{
                  {1, story_start + 30}, {2, story_start + 35}, {3, story_start + 30}}));
}

TEST(Restamp, ATraceWithoutHeaderIsRefused) {
    auto inputs = inputs_of({trace_with({{1, reference}})});
    auto bare = std::make_shared<flow::TraceInfo>(*inputs[0].trace);
    bare->has_header = false;
    inputs[0].trace = bare;
    EXPECT_EQ(MergedSource::create(std::move(inputs), system_time).error().code,
              ErrorCode::unsupported);
}

} // namespace

} // namespace etl::merge::rewriter_test
