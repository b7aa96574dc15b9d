// What becomes of an event in the buffers of the sessions that want it.
#include <etl/base/byte_writer.hpp>
#include <etl/format/encode.hpp>
#include <etl/format/limits.hpp>
#include <etl/host/clock.hpp>
#include <etl/host/process.hpp>
#include <etl/session/activity.hpp>

#include "tests/unit/session/bare_session.hpp"

#include <gmock/gmock.h>

#include <array>

namespace etl::session {
namespace {

using namespace literals;
using format::event_record::activity_id;
using format::event_record::flags;
using format::event_record::time_stamp;
using testing::ElementsAre;
using testing::SizeIs;

constexpr Guid tea = "4a1d7b6e-3c52-4f0e-9b1d-52a6c3f7e801"_guid;
constexpr Guid order = "7f3b9d10-66aa-4c8e-8f21-0d9c5be1a442"_guid;
constexpr format::EventDescriptor steeped{.id = 7,
                                          .version = 2,
                                          .channel = 16,
                                          .level = 4,
                                          .opcode = 3,
                                          .task = 21,
                                          .keyword = 0x8000000000000001};

std::vector<std::byte> bytes_of(std::string_view text) {
    const Bytes bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// The record that `written` must be, by the encoder that traces are made with. Time is taken over.
test::Image expected(const test::Image& written, format::EventRecord record,
                     const format::EventDescriptor& descriptor, const Guid& provider = tea) {
    record.process_id = host::process_id();
    record.thread_id = host::thread_id();
    record.time = field_of<time_stamp>(written);
    record.provider = provider;
    record.descriptor = descriptor;
    ByteWriter bytes;
    EXPECT_TRUE(format::encode(record, bytes));
    return bytes.take();
}

const std::vector<std::byte> eleven = bytes_of("hot water??");

TEST(EventWriter, RecordIsWhatTheEncoderMakesOfTheSameFacts) {
    BareProvider provider(tea);
    BareSession session;
    provider.enable(session);
    const std::int64_t before = session.buffers().now();
    const WriteResult result = provider.write(steeped, eleven, {.property = 9});
    EXPECT_EQ(result.status, Status::success);
    EXPECT_EQ(result.written, 1);
    ASSERT_THAT(session.records(), SizeIs(1));
    const test::Image& record = session.records().front();
    EXPECT_EQ(record,
              expected(record,
                       {.flags = format::event_flag::no_cpu_time, .property = 9, .payload = eleven},
                       steeped));
    EXPECT_GE(field_of<time_stamp>(record), before);
}

TEST(EventWriter, PartsLieOneBehindTheOther) {
    BareProvider provider(tea);
    BareSession session;
    provider.enable(session);
    const auto one = bytes_of("a");
    const auto two = bytes_of("bc");
    const std::array<Bytes, 4> parts{one, Bytes{}, two, one};
    EXPECT_EQ(write_event(*provider.node, {.descriptor = &steeped, .parts = parts}, {}).written, 1);
    const auto& record = session.records().at(0);
    EXPECT_EQ(std::vector(record.begin() + format::event_record::size, record.end()),
              bytes_of("abca"));
}

TEST(EventWriter, ThreadsActivityIsTheEventsUnlessItSaysAnother) {
    BareProvider provider(tea);
    BareSession session;
    provider.enable(session);
    {
        const ActivityScope scope(order);
        provider.write(steeped);
        provider.write(steeped, {}, {.activity = &tea});
    }
    provider.write(steeped);
    ASSERT_THAT(session.records(), SizeIs(3));
    EXPECT_EQ(field_of<activity_id>(session.records()[0]), order);
    EXPECT_EQ(field_of<activity_id>(session.records()[1]), tea);
    EXPECT_EQ(field_of<activity_id>(session.records()[2]), Guid{});
}

TEST(EventWriter, ItemsComeInTheOrderOfWindows) {
    using enum format::ItemType;
    BareProvider provider(tea);
    const auto traits = [] {
        ByteWriter bytes;
        bytes.u16(6).zero_terminated8("Tea");
        return bytes.take();
    }();
    ASSERT_TRUE(provider.registrations.set_traits(*provider.node, traits));
    BareSession session;
    provider.enable(session,
                    {.property = enable_property::sid | enable_property::terminal_session |
                                 enable_property::process_start_key | enable_property::event_key});
    const auto schema = bytes_of("an odd 17 bytes..");
    const format::ExtendedItem metadata{event_schema_tl, schema};
    const std::array<Bytes, 1> parts{eleven};
    const EventInput event{
        .descriptor = &steeped, .parts = parts, .items = std::span(&metadata, 1)};
    EXPECT_EQ(write_event(*provider.node, event, {.related = &order}).written, 1);

    const auto& record = session.records().at(0);
    format::ExtendedItems found(Bytes(record).subspan(format::event_record::size));
    std::vector<format::ExtendedItem> items;
    for (format::ExtendedItem item; found.next(item);) {
        items.push_back(item);
    }
    const auto types = [&] {
        std::vector<format::ItemType> all;
        for (const auto& item : items) {
            all.push_back(item.type);
        }
        return all;
    }();
    ASSERT_THAT(types, ElementsAre(related_activity_id, sid, terminal_session_id, process_start_key,
                                   event_key, provider_traits, event_schema_tl));
    const host::UserSid user = host::user_sid();
    const auto key = host::process_start_key();
    const auto terminal = host::terminal_session();
    items[0].data = std::as_bytes(std::span(order.bytes));
    items[1].data = Bytes(user.bytes).first(user.size);
    ByteWriter numbers;
    numbers.u32(terminal).u64(key);
    items[2].data = numbers.view().first(4);
    items[3].data = numbers.view().subspan(4);
    items[5].data = traits;
    items[6].data = schema;
    EXPECT_EQ(load_le<std::uint64_t>(items[4].data.data()) >> 40U != 0, true);
    EXPECT_EQ(
        record,
        expected(record,
                 {.flags = format::event_flag::no_cpu_time, .items = items, .payload = eleven},
                 steeped));
}

TEST(EventWriter, TraitsThatComeWithAnEventReplaceThoseOfItsRegistration) {
    BareProvider provider(tea);
    ByteWriter own;
    own.u16(6).zero_terminated8("Tea");
    ASSERT_TRUE(provider.registrations.set_traits(*provider.node, own.view()));
    BareSession session;
    provider.enable(session);
    const auto brought = bytes_of("\x07\0Chai\0");
    const format::ExtendedItem item{format::ItemType::provider_traits, brought};
    write_event(*provider.node, {.descriptor = &steeped, .items = std::span(&item, 1)}, {});
    const auto& record = session.records().at(0);
    EXPECT_EQ(record,
              expected(record,
                       {.flags = format::event_flag::no_cpu_time, .items = std::span(&item, 1)},
                       steeped));
}

TEST(EventWriter, StackHasTheCallersAddressesAndEndsBefore192) {
    BareProvider provider(tea);
    BareSession session;
    provider.enable(session, {.property = enable_property::stack_trace});
    EXPECT_EQ(provider.write(steeped, eleven).written, 1);
    const auto& record = session.records().at(0);
    std::array<std::uint64_t, 4> here{};
    if (host::walk_stack(here.data(), here.size()) == 0) {
        GTEST_SKIP() << "built without libunwind";
    }
    format::ExtendedItems found(Bytes(record).subspan(format::event_record::size));
    format::ExtendedItem item;
    ASSERT_TRUE(found.next(item));
    EXPECT_EQ(item.type, format::ItemType::stack_trace64);
    EXPECT_EQ(load_le<std::uint64_t>(item.data.data()), 0U); // MatchId
    EXPECT_GT(item.data.size(), 16U);
    EXPECT_LE(item.data.size(), 8U + 192 * 8);
    EXPECT_NE(load_le<std::uint64_t>(item.data.data() + 8), 0U);
    EXPECT_FALSE(found.next(item));
    EXPECT_FALSE(found.broken());
}

TEST(EventWriter, SessionsOfOneEventAgreeOnItsKey) {
    BareProvider provider(tea);
    BareSession one({.id = 1});
    BareSession two({.id = 2});
    provider.enable(one, {.property = enable_property::event_key});
    provider.enable(two, {.property = enable_property::event_key});
    EXPECT_EQ(provider.write(steeped).written, 2);
    EXPECT_EQ(provider.write(steeped).written, 2);
    const auto key = [](const test::Image& record) {
        return load_le<std::uint64_t>(record.data() + format::event_record::size + 8);
    };
    ASSERT_THAT(one.records(), SizeIs(2));
    ASSERT_THAT(two.records(), SizeIs(2));
    EXPECT_EQ(key(one.records()[0]), key(two.records()[0]));
    EXPECT_EQ(key(one.records()[1]), key(two.records()[1]));
    EXPECT_NE(key(one.records()[0]), key(one.records()[1]));
}

TEST(EventWriter, SessionsOfOneEventHaveTheirOwnClocksAndItems) {
    BareProvider provider(tea);
    BareSession qpc({.id = 1, .clock = format::ClockType::qpc});
    BareSession wall({.id = 2, .clock = format::ClockType::system_time});
    provider.enable(qpc, {.property = enable_property::terminal_session});
    provider.enable(wall);
    const std::int64_t wall_before = host::system_time().ticks;
    const std::int64_t qpc_before = host::monotonic_ticks();
    EXPECT_EQ(provider.write(steeped, eleven).written, 2);
    const std::int64_t wall_time = field_of<time_stamp>(wall.records().at(0));
    const std::int64_t qpc_time = field_of<time_stamp>(qpc.records().at(0));
    EXPECT_GE(qpc_time, qpc_before);
    EXPECT_LE(qpc_time, host::monotonic_ticks());
    EXPECT_GE(wall_time, wall_before);
    EXPECT_EQ(qpc.records()[0].size(), wall.records()[0].size() + 16);
}

TEST(EventWriter, StampOfTheCallersOwnReplacesThatOfTheClock) {
    BareProvider provider(tea);
    BareSession session;
    provider.enable(session);
    const std::int64_t then = 42;
    provider.write(steeped, {}, {.time = &then});
    EXPECT_EQ(field_of<time_stamp>(session.records().at(0)), 42);
}

TEST(EventWriter, EventsOfPrivateSessionsAreMarkedAndTellNoProcessorTime) {
    BareProvider provider(tea);
    BareSession session({.mode = mode::private_logger | mode::private_in_proc});
    provider.enable(session);
    provider.write(steeped, eleven);
    EXPECT_EQ(field_of<flags>(session.records().at(0)),
              format::event_flag::private_session | format::event_flag::no_cpu_time);
    EXPECT_EQ(field_of<format::event_record::kernel_time>(session.records()[0]), 0U);
    EXPECT_EQ(field_of<format::event_record::user_time>(session.records()[0]), 0U);
}

TEST(EventWriter, TextIsMarkedAsSuch) {
    BareProvider provider(tea);
    BareSession session;
    provider.enable(session);
    provider.write(steeped, eleven, {.is_string = true});
    EXPECT_EQ(field_of<flags>(session.records().at(0)),
              format::event_flag::no_cpu_time | format::event_flag::string_only);
}

TEST(EventWriter, WidthOfPointersDecidesTheKind) {
    BareProvider provider(tea);
    BareSession session;
    provider.enable(session);
    write_event(*provider.node, {.descriptor = &steeped, .width = format::Width::bits32}, {});
    EXPECT_EQ(format::record_at(session.records().at(0)).kind, format::RecordKind::event32);
}

TEST(EventWriter, ExcludedSessionsDoNotGetIt) {
    BareProvider provider(tea);
    BareSession one({.id = 1});
    BareSession two({.id = 2});
    provider.enable(one);
    provider.enable(two);
    EXPECT_EQ(provider.write(steeped, {}, {.excluded_sessions = 0b01}).written, 1);
    EXPECT_THAT(one.records(), SizeIs(0));
    EXPECT_THAT(two.records(), SizeIs(1));
}

TEST(EventWriter, SessionsCanKeepOutWhatIsInPrivate) {
    BareProvider provider(tea);
    BareSession one({.id = 1});
    BareSession two({.id = 2});
    provider.enable(one, {.property = enable_property::exclude_in_private});
    provider.enable(two);
    EXPECT_EQ(provider.write(steeped, {}, {.is_in_private = true}).written, 1);
    EXPECT_EQ(provider.write(steeped, {}, {}).written, 2);
    EXPECT_THAT(one.records(), SizeIs(1));
    EXPECT_THAT(two.records(), SizeIs(2));
}

TEST(EventWriter, FiltersDecideForTheirSessionOnly) {
    BareProvider provider(tea);
    BareSession some({.id = 1});
    BareSession all({.id = 2});
    provider.enable(some, {.filters = {only_events({8, 9})}});
    provider.enable(all);
    EXPECT_EQ(provider.write({.id = 7, .level = 4}).written, 1);
    EXPECT_EQ(provider.write({.id = 8, .level = 4}).written, 2);
    EXPECT_THAT(some.records(), SizeIs(1));
    EXPECT_THAT(all.records(), SizeIs(2));
}

TEST(EventWriter, SessionThatReachesAProviderByItsGroupTooGetsOneEvent) {
    BareProvider provider(tea);
    ByteWriter traits;
    traits.u16(2 + 4 + 19).zero_terminated8("Tea").u16(19).u8(1).guid(order);
    ASSERT_TRUE(provider.registrations.set_traits(*provider.node, traits.view()));
    BareSession session;
    provider.enable(session, {.level = 4, .property = enable_property::terminal_session});
    const Enable group{.level = 5, .property = enable_property::provider_group};
    ASSERT_TRUE(provider.registrations.control(session.ref(), order, Control::enable, group));
    EXPECT_EQ(provider.write({.id = 1, .level = 4}).written, 1);
    EXPECT_EQ(provider.write({.id = 2, .level = 5}).written, 1); // the group alone wants it
    EXPECT_THAT(session.records(), SizeIs(2));
}

TEST(EventWriter, NoneOfTheSessionsGetsWhatOneCannotTake) {
    BareProvider provider(tea);
    BareSession large({.id = 1});
    BareSession small({.id = 2, .buffer_size = 0x1000});
    provider.enable(large);
    provider.enable(small);
    const std::vector<std::byte> payload(5000);
    const WriteResult result = provider.write(steeped, payload);
    EXPECT_EQ(result.status, Status::more_data);
    EXPECT_EQ(result.written, 0);
    EXPECT_EQ(result.lost, 1);
    EXPECT_EQ(provider.write(steeped, eleven).written, 2);
    EXPECT_EQ(large.buffers().events_lost(), 0U);
    EXPECT_EQ(small.buffers().events_lost(), 1U);
    EXPECT_THAT(large.records(), SizeIs(1));
    EXPECT_THAT(small.records(), SizeIs(1));
    EXPECT_EQ(large.abandoned(), 1U);
}

TEST(EventWriter, IndependentSessionsLoseAndGetEventsOnTheirOwn) {
    BareProvider provider(tea);
    BareSession large({.id = 1});
    BareSession small({.id = 2, .mode = mode::independent_session, .buffer_size = 0x1000});
    provider.enable(large);
    provider.enable(small);
    const std::vector<std::byte> payload(5000);
    const WriteResult result = provider.write(steeped, payload);
    EXPECT_EQ(result.status, Status::success);
    EXPECT_EQ(result.written, 1);
    EXPECT_EQ(result.lost, 1);
    provider.disable(large);
    const WriteResult alone = provider.write(steeped, payload);
    EXPECT_EQ(alone.status, Status::success);
    EXPECT_EQ(alone.lost, 1);
    EXPECT_EQ(small.buffers().events_lost(), 2U);
    EXPECT_THAT(large.records(), SizeIs(1));
}

TEST(EventWriter, IndependentSessionGetsWhatTheOthersCannotTake) {
    BareProvider provider(tea);
    BareSession large({.id = 1, .mode = mode::independent_session});
    BareSession small({.id = 2, .buffer_size = 0x1000});
    provider.enable(large);
    provider.enable(small);
    const WriteResult result = provider.write(steeped, std::vector<std::byte>(5000));
    EXPECT_EQ(result.status, Status::more_data);
    EXPECT_EQ(result.written, 1);
    EXPECT_EQ(result.lost, 1);
    EXPECT_THAT(large.records(), SizeIs(1));
}

TEST(EventWriter, SessionThatHasEndedIsNoTarget) {
    BareProvider provider(tea);
    BareSession ended({.id = 1});
    BareSession other({.id = 2});
    provider.enable(ended);
    provider.enable(other);
    EXPECT_THAT(ended.records(), SizeIs(0)); // closes it, and its provider stays enabled
    const WriteResult result = provider.write(steeped);
    EXPECT_EQ(result.status, Status::success);
    EXPECT_EQ(result.written, 1);
    EXPECT_EQ(result.lost, 0);
}

TEST(EventWriter, WhatASessionAskedForCanMakeAnEventTooLargeForIt) {
    BareProvider provider(tea);
    BareSession session({.buffer_size = 1U << 20U});
    provider.enable(session, {.property = enable_property::terminal_session});
    const std::vector<std::byte> payload(65455); // 65535 without the item
    const WriteResult result = provider.write(steeped, payload);
    EXPECT_EQ(result.status, Status::arithmetic_overflow);
    EXPECT_EQ(result.lost, 1);
    EXPECT_EQ(session.buffers().events_lost(), 1U);
}

TEST(EventWriter, MoreItemsThanReadersFollowAreRefused) {
    BareProvider provider(tea);
    BareSession session;
    provider.enable(session);
    const std::vector<format::ExtendedItem> items(limits::extended_items);
    EXPECT_EQ(write_event(*provider.node, {.descriptor = &steeped, .items = items}, {}).status,
              Status::invalid_parameter);
}

TEST(RecordWriter, RecordIsTakenAsItIsButForItsStamp) {
    BareSession session({.stripes = 4});
    ByteWriter bytes;
    ASSERT_TRUE(format::encode(format::FullRecord{.opcode = 5,
                                                  .process_id = 1,
                                                  .thread_id = 2,
                                                  .time = -1,
                                                  .event_class = tea,
                                                  .payload = eleven},
                               bytes));
    const auto record = bytes.take();
    const auto& [core, ticket] = session.ref();
    const auto stamp_at = static_cast<std::uint32_t>(format::full_record::time_stamp.offset);
    EXPECT_EQ(write_record(*core, ticket, record, {}, std::uint16_t{3}).written, 1);
    EXPECT_EQ(write_record(*core, ticket, record, stamp_at, std::uint16_t{3}).written, 1);
    ASSERT_THAT(session.records(), SizeIs(2));
    EXPECT_EQ(session.records()[0], record);
    test::Image stamped = session.records()[1];
    EXPECT_GT(load_le<std::int64_t>(stamped.data() + stamp_at), 0);
    store_le<std::int64_t>(stamped.data() + stamp_at, -1);
    EXPECT_EQ(stamped, record);
}

TEST(RecordWriter, RecordThatFitsNoBufferIsLost) {
    BareSession session({.buffer_size = 0x1000});
    const auto& [core, ticket] = session.ref();
    const WriteResult result = write_record(*core, ticket, std::vector<std::byte>(0x1000), {}, {});
    EXPECT_EQ(result.status, Status::more_data);
    EXPECT_EQ(result.lost, 1);
    EXPECT_EQ(session.buffers().events_lost(), 1U);
}

} // namespace
} // namespace etl::session
