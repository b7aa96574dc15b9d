// Encode, find, read: what goes into a record comes out of its header, for every kind.

#include "flow/event.hpp"
#include "format/buffer_header.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "tests/support/traces/one_event.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

namespace etl::flow::event_test {

namespace {

using namespace format;
using namespace literals;
using test::event_of;
using test::event_of_bytes;

constexpr std::array<std::byte, 5> payload{std::byte{9}, std::byte{8}, std::byte{7}, std::byte{6},
                                           std::byte{5}};
constexpr Guid guid = "11223344-5566-7788-99aa-bbccddeeff00"_guid;
constexpr Guid other_guid = "a1a2a3a4-a5a6-a7a8-a9aa-abacadaeafb0"_guid;

bool is_payload(Bytes bytes) {
    return std::ranges::equal(bytes, payload);
}

TEST(ReadHeader, OfASystemRecord) {
    const auto one = event_of(SystemRecord{.width = Width::bits32,
                                           .version = 3,
                                           .hook_id = 0x0501,
                                           .process_id = 11,
                                           .thread_id = 22,
                                           .time = 33,
                                           .kernel_time = 44,
                                           .user_time = 55,
                                           .payload = payload});
    const EventHeader h = read_header(one->event);
    EXPECT_EQ(one->event.kind, narrow(RecordFamily::system));
    EXPECT_EQ(h.provider, class_of_hook(0x0501));
    EXPECT_TRUE(h.is_kernel);
    EXPECT_EQ(h.hook_id, 0x0501U);
    EXPECT_EQ(h.opcode, 1U);
    EXPECT_EQ(h.version, 3U);
    EXPECT_EQ(h.process_id, 11U);
    EXPECT_EQ(h.thread_id, 22U);
    EXPECT_EQ(one->event.raw_time, 33);
    EXPECT_TRUE(h.has_cpu_times);
    EXPECT_EQ(h.kernel_time, 44U);
    EXPECT_EQ(h.user_time, 55U);
    EXPECT_EQ(h.pointer_size, 4U);
    EXPECT_EQ(h.flags, event_flag::classic_header | event_flag::header_32_bit);
    EXPECT_TRUE(is_payload(h.payload));
}

TEST(ReadHeader, OfACompactRecordHasNoCpuTimes) {
    const auto one = event_of(CompactRecord{
        .hook_id = 0x0524, .process_id = 11, .thread_id = 22, .time = 33, .payload = payload});
    const EventHeader h = read_header(one->event);
    EXPECT_EQ(one->event.kind, wide(RecordFamily::compact));
    EXPECT_EQ(h.process_id, 11U);
    EXPECT_EQ(h.thread_id, 22U);
    EXPECT_FALSE(h.has_cpu_times);
    EXPECT_EQ(h.flags,
              event_flag::classic_header | event_flag::header_64_bit | event_flag::no_cpu_time);
    EXPECT_TRUE(is_payload(h.payload));
}

TEST(ReadHeader, OfAPerfinfoRecordHasNoProcess) {
    const auto one = event_of(PerfinfoRecord{.version = 2, .hook_id = 0x0F2E, .payload = payload});
    const EventHeader h = read_header(one->event);
    EXPECT_EQ(h.process_id, no_id);
    EXPECT_EQ(h.thread_id, no_id);
    EXPECT_EQ(h.version, 2U);
    EXPECT_TRUE(is_payload(h.payload));
}

TEST(ReadHeader, FindsCountersBetweenHeaderAndPayload) {
    constexpr std::array<std::uint64_t, 3> values{1, 2, 3};
    const auto one = event_of(PerfinfoRecord{.version = 2,
                                             .hook_id = 0x0F2E,
                                             .counters = {.pebs_index = 99, .values = values},
                                             .payload = payload});
    const EventHeader h = read_header(one->event);
    EXPECT_EQ(h.version, 2U); // the flags in the high byte are no part of it
    ASSERT_EQ(h.pebs.size(), 8U);
    EXPECT_EQ(load_le<std::uint64_t>(h.pebs.data()), 99U);
    ASSERT_EQ(h.counters.size(), 24U);
    EXPECT_EQ(load_le<std::uint64_t>(h.counters.data() + 16), 3U);
    EXPECT_TRUE(is_payload(h.payload));
}

TEST(ReadHeader, KeepsThePayloadWhenCountersDoNotFit) {
    auto bytes = event_of(PerfinfoRecord{.payload = payload})->bytes;
    store_le(bytes.data(), std::uint16_t{0x8700}); // a PEBS index and seven counters
    const auto one = event_of_bytes(bytes);
    const EventHeader h = read_header(one->event);
    EXPECT_TRUE(h.has_invalid_items);
    EXPECT_TRUE(h.pebs.empty());
    EXPECT_TRUE(is_payload(h.payload));
}

TEST(ReadHeader, OfAFullRecord) {
    const auto one = event_of(FullRecord{.opcode = 2,
                                         .level = 4,
                                         .version = 1,
                                         .process_id = 11,
                                         .thread_id = 22,
                                         .time = 33,
                                         .event_class = guid,
                                         .kernel_time = 44,
                                         .user_time = 55,
                                         .payload = payload});
    const EventHeader h = read_header(one->event);
    EXPECT_EQ(h.provider, guid);
    EXPECT_EQ(h.opcode, 2U);
    EXPECT_EQ(h.level, 4U);
    EXPECT_EQ(h.version, 1U);
    EXPECT_FALSE(h.is_kernel);
    EXPECT_EQ(h.cpu_time, 44U | std::uint64_t{55} << 32U);
    EXPECT_TRUE(is_payload(h.payload));
}

TEST(ReadHeader, OfAnInstanceRecord) {
    const auto one = event_of(InstanceRecord{.event_class = guid,
                                             .instance_id = 7,
                                             .parent_instance_id = 6,
                                             .parent_class = other_guid,
                                             .payload = payload});
    const EventHeader h = read_header(one->event);
    EXPECT_EQ(h.provider, guid);
    EXPECT_EQ(h.instance_id, 7U);
    EXPECT_EQ(h.parent_instance_id, 6U);
    EXPECT_EQ(h.parent_guid, other_guid);
    EXPECT_TRUE(is_payload(h.payload));
}

TEST(ReadHeader, OfAnInstanceRecordBeforeLayout11) {
    std::vector<std::byte> bytes(0x38 + payload.size());
    store_le(bytes.data(), static_cast<std::uint16_t>(bytes.size())); // Size
    bytes[2] = std::byte{11};                                         // INSTANCE32
    bytes[3] = std::byte{0xC0};
    store_le(bytes.data() + 0x20, std::uint32_t{7});  // InstanceId
    store_le(bytes.data() + 0x24, std::uint32_t{6});  // ParentInstanceId
    store_le(bytes.data() + 0x28, std::uint32_t{44}); // KernelTime
    std::ranges::copy(payload, bytes.begin() + 0x38);
    const auto one = event_of_bytes(bytes);
    one->trace.has_header = true;
    one->trace.header.sub_version = 1;
    const EventHeader h = read_header(one->event);
    EXPECT_TRUE(h.provider.is_zero()); // a handle stands there
    EXPECT_EQ(h.instance_id, 7U);
    EXPECT_EQ(h.parent_instance_id, 6U);
    EXPECT_EQ(h.kernel_time, 44U);
    EXPECT_TRUE(is_payload(h.payload));
}

TEST(ReadHeader, OfAnEventRecord) {
    const std::array<ExtendedItem, 2> items{
        {{ItemType::event_key, payload}, {ItemType::sid, payload}}};
    const auto one = event_of(EventRecord{.width = Width::bits32,
                                          .property = 2,
                                          .process_id = 11,
                                          .thread_id = 22,
                                          .time = 33,
                                          .provider = guid,
                                          .descriptor = {.id = 1000,
                                                         .version = 1,
                                                         .channel = 16,
                                                         .level = 4,
                                                         .opcode = 10,
                                                         .task = 300,
                                                         .keyword = 0x8000'0000'0000'0010},
                                          .kernel_time = 44,
                                          .user_time = 55,
                                          .activity = other_guid,
                                          .items = items,
                                          .payload = payload});
    const EventHeader h = read_header(one->event);
    EXPECT_EQ(h.provider, guid);
    EXPECT_EQ(h.property, 2U);
    EXPECT_EQ(h.id, 1000U);
    EXPECT_EQ(h.version, 1U);
    EXPECT_EQ(h.channel, 16U);
    EXPECT_EQ(h.level, 4U);
    EXPECT_EQ(h.opcode, 10U);
    EXPECT_EQ(h.task, 300U);
    EXPECT_EQ(h.keyword, 0x8000'0000'0000'0010U);
    EXPECT_EQ(h.activity, other_guid);
    EXPECT_EQ(h.process_id, 11U);
    EXPECT_EQ(h.thread_id, 22U);
    EXPECT_TRUE(h.has_cpu_times);
    EXPECT_EQ(h.pointer_size, 4U);
    EXPECT_EQ(h.flags, event_flag::extended_info | event_flag::header_32_bit);
    EXPECT_TRUE(is_payload(h.payload));
    EXPECT_TRUE(is_payload(find_item(h, ItemType::sid).data));
    EXPECT_EQ(find_item(h, ItemType::event_schema_tl).type, ItemType{});
}

TEST(ReadHeader, OfAPrivateSessionHasOneCpuTime) {
    const auto one = event_of(
        EventRecord{.flags = event_flag::private_session, .kernel_time = 1, .user_time = 2});
    const EventHeader h = read_header(one->event);
    EXPECT_FALSE(h.has_cpu_times);
    EXPECT_EQ(h.cpu_time, 0x0000'0002'0000'0001U);
}

TEST(ReadHeader, TakesTheWidthFromTheRecordKindAlone) {
    const auto one =
        event_of(EventRecord{.flags = event_flag::header_32_bit | event_flag::classic_header |
                                      event_flag::trace_message});
    EXPECT_EQ(read_header(one->event).flags, event_flag::header_64_bit);
}

TEST(ReadHeader, LooksForItemsOnlyWhereTheFlagSaysSo) {
    const std::array<ExtendedItem, 1> items{{{ItemType::sid, payload}}};
    auto bytes = event_of(EventRecord{.items = items, .payload = payload})->bytes;
    store_le(bytes.data() + 4, std::uint16_t{0});
    const auto one = event_of_bytes(bytes);
    const EventHeader h = read_header(one->event);
    EXPECT_TRUE(h.items.empty());
    EXPECT_EQ(h.payload.size(), 16U + payload.size());
}

TEST(ReadHeader, ShowsEverythingBehindTheHeaderWhenItemsAreBroken) {
    const std::array<ExtendedItem, 1> items{{{ItemType::sid, payload}}};
    auto bytes = event_of(EventRecord{.items = items, .payload = payload})->bytes;
    store_le(bytes.data() + 0x50, std::uint16_t{3}); // the item's total size
    const auto one = event_of_bytes(bytes);
    const EventHeader h = read_header(one->event);
    EXPECT_TRUE(h.has_invalid_items);
    EXPECT_EQ(h.payload.size(), 16U + payload.size());
    EXPECT_EQ(find_item(h, ItemType::sid).type, ItemType{});
}

TEST(ReadHeader, OfAMessageWithEveryField) {
    const auto one = event_of(MessageRecord{.number = 12,
                                            .width = Width::bits32,
                                            .sequence = 5,
                                            .guid = guid,
                                            .time = 33,
                                            .system_info = ThreadAndProcess{22, 11},
                                            .payload = payload});
    const EventHeader h = read_header(one->event);
    EXPECT_EQ(h.id, 12U);
    EXPECT_EQ(h.provider, guid);
    EXPECT_TRUE(h.has_sequence);
    EXPECT_EQ(h.sequence, 5U);
    EXPECT_EQ(h.thread_id, 22U);
    EXPECT_EQ(h.process_id, 11U);
    EXPECT_EQ(h.pointer_size, 4U);
    EXPECT_EQ(h.flags, event_flag::trace_message | event_flag::header_32_bit);
    EXPECT_TRUE(is_payload(h.payload));
}

TEST(ReadHeader, OfAMessageFindsThePayloadBehindAnyFields) {
    for (unsigned fields = 0; fields < 64; ++fields) {
        MessageRecord record{.number = 1, .payload = payload};
        record.sequence = (fields & 1U) != 0 ? std::optional(5U) : std::nullopt;
        record.component_id = (fields & 2U) != 0 ? std::optional(6U) : std::nullopt;
        record.guid = (fields & 4U) != 0 ? std::optional(guid) : std::nullopt;
        record.time = (fields & 8U) != 0 ? std::optional<std::int64_t>(33) : std::nullopt;
        record.reserves_time = (fields & 16U) != 0;
        if ((fields & 32U) != 0) {
            record.system_info = ThreadAndProcess{22, 11};
        }
        const auto one = event_of(record);
        const EventHeader h = read_header(one->event);
        EXPECT_TRUE(is_payload(h.payload)) << fields;
        EXPECT_EQ(one->event.has_time, record.time.has_value()) << fields;
        EXPECT_EQ(h.process_id, record.system_info ? 11U : no_id) << fields;
        EXPECT_EQ(h.component_id, record.component_id.value_or(0)) << fields;
        EXPECT_EQ(h.provider == guid, record.guid && !record.component_id) << fields;
    }
}

TEST(ReadHeader, OfAMessageWithoutAWidthTakesTheTraces) {
    const auto one = event_of(MessageRecord{});
    one->trace.header.pointer_size = 4;
    EXPECT_EQ(read_header(one->event).pointer_size, 4U);
    one->trace.header.pointer_size = 8;
    EXPECT_EQ(read_header(one->event).pointer_size, 8U);
}

TEST(ReadHeader, OfPreVistaCuriosities) {
    const auto wnode = event_of(WnodeRecord{.guid = guid, .payload = payload});
    EXPECT_EQ(read_header(wnode->event).provider, guid);
    EXPECT_TRUE(is_payload(read_header(wnode->event).payload));
    const auto marked =
        event_of(WnodeRecord{.form = WnodeRecord::Form::marked, .guid = guid, .payload = payload});
    EXPECT_EQ(read_header(marked->event).provider, guid);
    EXPECT_TRUE(is_payload(read_header(marked->event).payload));
    const auto timed = event_of(TimedRecord{.time = 33, .payload = payload});
    EXPECT_TRUE(is_payload(read_header(timed->event).payload));
    const auto error = event_of(ErrorRecord{.payload = payload});
    EXPECT_TRUE(is_payload(read_header(error->event).payload));
    const auto stamped = event_of(Ulong32Record{.value = 1, .time = 2, .payload = payload});
    EXPECT_TRUE(is_payload(read_header(stamped->event).payload));
    const auto bare = event_of(Ulong32Record{.value = 1, .payload = payload});
    EXPECT_TRUE(is_payload(read_header(bare->event).payload));
}

TEST(ReadHeader, SaysWhenTheProcessorIndexIsWide) {
    const auto one = event_of(EventRecord{});
    one->buffer.flags = buffer_flag::processor_index;
    EXPECT_EQ(read_header(one->event).flags,
              event_flag::header_64_bit | event_flag::processor_index);
}

using format::ClockType;

constexpr std::int64_t start = 133'603'920'000'000'000; // 2024-05-17
constexpr std::int64_t day = 86'400 * Filetime::per_second;
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

struct Facts {
    ClockType type = ClockType::system_time;
    std::int64_t start = event_test::start;
    std::int64_t end = 0;
    std::int64_t reference = event_test::start;
    std::int64_t frequency = 1000;
    std::uint32_t mode = 0;
};

TraceInfo trace_of(const Facts& facts) {
    TraceInfo trace;
    trace.has_header = true;
    trace.header.sub_version = 1;
    trace.header.sub_minor_version = 5;
    trace.header.reserved_flags = static_cast<std::uint32_t>(facts.type);
    trace.header.perf_freq = facts.frequency;
    trace.header.start_time = facts.start;
    trace.header.end_time = facts.end;
    trace.header.log_file_mode = facts.mode;
    trace.reference_time = facts.reference;
    trace.clock = Clock(trace.header, facts.reference);
    return trace;
}

/// Of a buffer whose flush time is not known.
UsableTimes times_of(const TraceInfo& trace) {
    return {trace, 0};
}

TEST(UsableTimes, EndADayBeforeTheStartAndAfterTheEnd) {
    const UsableTimes times = times_of(trace_of({.end = start + day}));
    EXPECT_TRUE(times.contain(start - day));
    EXPECT_FALSE(times.contain(start - day - 1));
    EXPECT_TRUE(times.contain(start + 2 * day));
    EXPECT_FALSE(times.contain(start + 2 * day + 1));
    EXPECT_FALSE(times.contain(0));
    EXPECT_FALSE(times.contain(-1));
}

TEST(UsableTimes, HaveNoEndIfTheTraceIsNotFinalized) {
    const UsableTimes counter =
        times_of(trace_of({.type = ClockType::qpc, .reference = 90'000'000}));
    EXPECT_TRUE(counter.contain(greatest));
    EXPECT_FALSE(counter.contain(90'000'000 - 86'400'001)); // a counter is not set back
}

TEST(UsableTimes, HaveNoStartIfTheTraceIsNotFinalizedAndTheClockMayBeSetBack) {
    const UsableTimes times = times_of(trace_of({}));
    EXPECT_TRUE(times.contain(greatest));
    EXPECT_TRUE(times.contain(start - 2000 * day));
    EXPECT_FALSE(times.contain(Filetime::unix_epoch - 1));
}

TEST(UsableTimes, AreAllOfThoseOfAFileToWhichRunsWereAppended) {
    for (const ClockType type : {ClockType::qpc, ClockType::system_time}) {
        const UsableTimes times = times_of(
            trace_of({.type = type, .end = start + day, .mode = format::log_mode::append}));
        EXPECT_TRUE(times.contain(start - 2000 * day));
        EXPECT_TRUE(times.contain(start + 2000 * day));
    }
}

TEST(UsableTimes, ReachToTheFlushOfTheBuffer) {
    const TraceInfo trace = trace_of({.end = start + day});
    const UsableTimes before(trace, start - 2000 * day);
    EXPECT_TRUE(before.contain(start - 2001 * day));
    EXPECT_FALSE(before.contain(start - 2001 * day - 1));
    EXPECT_TRUE(before.contain(start + 2 * day));
    EXPECT_FALSE(before.contain(start + 2 * day + 1));
    const UsableTimes after(trace, start + 2000 * day);
    EXPECT_TRUE(after.contain(start + 2001 * day));
    EXPECT_FALSE(after.contain(start - day - 1));
    EXPECT_FALSE(UsableTimes(trace, 5).contain(5)); // no flush: before 1970
    EXPECT_TRUE(UsableTimes(trace, greatest).contain(greatest));
    const UsableTimes counted(
        trace_of({.type = ClockType::qpc, .end = start, .reference = 90'000'000}), 990'000'000);
    EXPECT_TRUE(counted.contain(990'000'000 + 86'400'000));
    EXPECT_FALSE(counted.contain(990'000'000 + 86'400'001));
}

TEST(UsableTimes, TakeTheFlushTimeOfARelogAsFiletime) {
    const UsableTimes times(trace_of({.type = ClockType::qpc,
                                      .end = start,
                                      .reference = 90'000'000,
                                      .mode = format::log_mode::relog}),
                            start + 9 * day);
    EXPECT_TRUE(times.contain(90'000'000 + 10 * 86'400'000));
    EXPECT_FALSE(times.contain(90'000'000 + 10 * 86'400'000 + 1));
}

TEST(UsableTimes, AreThoseOfTheClock) {
    const UsableTimes times = times_of(trace_of(
        {.type = ClockType::qpc, .end = start + day, .reference = 90'000'000, .frequency = 1000}));
    EXPECT_TRUE(times.contain(90'000'000 - 86'400'000));
    EXPECT_FALSE(times.contain(90'000'000 - 86'400'001));
    EXPECT_TRUE(times.contain(90'000'000 + 2 * 86'400'000));
    EXPECT_FALSE(times.contain(90'000'000 + 2 * 86'400'000 + 1));
    EXPECT_FALSE(times.contain(0));
}

TEST(UsableTimes, ContainZeroOnlyIfTheHeaderHasIt) {
    EXPECT_FALSE(times_of(trace_of({.type = ClockType::qpc, .reference = 5})).contain(0));
    EXPECT_TRUE(times_of(trace_of({.type = ClockType::qpc, .reference = 0})).contain(0));
    EXPECT_FALSE(UsableTimes().contain(0));
    EXPECT_FALSE(times_of(TraceInfo{}).contain(0));
}

TEST(UsableTimes, OrderEventsWithoutAStart) {
    const UsableTimes relative =
        times_of(trace_of({.type = ClockType::qpc, .start = 0, .reference = 5}));
    EXPECT_TRUE(relative.contain(1));
    EXPECT_TRUE(relative.contain(greatest));
    const UsableTimes absolute = times_of(trace_of({.start = 0, .end = start}));
    EXPECT_FALSE(absolute.contain(Filetime::unix_epoch - 1));
    EXPECT_TRUE(absolute.contain(Filetime::unix_epoch));
    EXPECT_FALSE(absolute.contain(start + day + 1));
}

TEST(UsableTimes, IgnoreHeadersThatContradictThemselves) {
    const UsableTimes ends_first = times_of(trace_of({.end = start - 1}));
    EXPECT_TRUE(ends_first.contain(start + 9 * day));
    EXPECT_TRUE(ends_first.contain(start - 9 * day));
    const UsableTimes far = times_of(trace_of({.start = greatest, .end = greatest}));
    EXPECT_TRUE(far.contain(greatest));
    const UsableTimes unknown = times_of(trace_of({.type = ClockType::unknown}));
    EXPECT_TRUE(unknown.contain(1));
    const UsableTimes no_frequency = times_of(trace_of({.type = ClockType::qpc, .frequency = 0}));
    EXPECT_TRUE(no_frequency.contain(least));
}

TEST(WallTime, IsNoneWithoutAUsableTimeOrBefore1970) {
    const TraceInfo trace = trace_of({});
    const BufferContext buffer{.trace = &trace, .bytes = {}};
    EXPECT_EQ(wall_time({.raw_time = start, .buffer = &buffer}), Filetime{start});
    EXPECT_EQ(wall_time({.raw_time = start, .buffer = &buffer, .has_time = false}), std::nullopt);
    EXPECT_EQ(wall_time({.raw_time = 5, .buffer = &buffer}), std::nullopt);
}

} // namespace

} // namespace etl::flow::event_test
