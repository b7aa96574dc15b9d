// What the record of an event is.
#include <etl/byte_writer.hpp>
#include <etl/session.hpp>

#include "format/encode.hpp"
#include "format/limits.hpp"
#include "host/process.hpp"
#include "tests/unit/sessions/session/bare_session.hpp"
#include "tests/unit/sessions/session/writing/written_event.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <thread>
#include <vector>

namespace etl::session::event_writer_test {
namespace {

using format::event_record::activity_id;
using format::event_record::flags;
using format::event_record::time_stamp;
using testing::ElementsAre;
using testing::SizeIs;

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
    EXPECT_FALSE(found.is_malformed());
}

TEST(EventWriter, StampOfTheCallersOwnReplacesThatOfTheClock) {
    BareProvider provider(tea);
    BareSession session;
    provider.enable(session);
    const std::int64_t then = 42;
    provider.write(steeped, {}, {.time = &then});
    EXPECT_EQ(field_of<time_stamp>(session.records().at(0)), 42);
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
    EXPECT_EQ(format::record_at(session.records().at(0)).kind,
              format::narrow(format::RecordFamily::event));
}

TEST(EventWriter, MoreItemsThanReadersFollowAreRefused) {
    BareProvider provider(tea);
    BareSession session;
    provider.enable(session);
    const std::vector<format::ExtendedItem> items(format::ExtendedItems::max);
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
} // namespace etl::session::event_writer_test

namespace etl::session::activity_test {
namespace {

using namespace literals;

constexpr Guid order = "7f3b9d10-66aa-4c8e-8f21-0d9c5be1a442"_guid;

TEST(Activity, ThreadsBeginWithoutOne) { // V264
    set_activity(order);
    Guid seen = order;
    std::thread([&] { seen = current_activity(); }).join();
    EXPECT_EQ(seen, Guid{});
    EXPECT_EQ(set_activity({}), order);
}

TEST(Activity, SettingOneReturnsTheOneOfBefore) {
    EXPECT_EQ(set_activity(order), Guid{});
    EXPECT_EQ(current_activity(), order);
    EXPECT_EQ(set_activity({}), order);
    EXPECT_EQ(current_activity(), Guid{});
}

TEST(Activity, ScopesNest) {
    {
        const ActivityScope outer(order);
        {
            const ActivityScope inner;
            EXPECT_NE(current_activity(), order);
            EXPECT_NE(current_activity(), Guid{});
        }
        EXPECT_EQ(current_activity(), order);
    }
    EXPECT_EQ(current_activity(), Guid{});
}

TEST(Activity, NewOnesAreAllDifferentInAllThreads) {
    constexpr std::size_t each = 3000; // more than a thread takes at once
    std::vector<std::vector<Guid>> made(4);
    std::vector<std::thread> threads;
    for (auto& own : made) {
        threads.emplace_back([&own] {
            for (std::size_t i = 0; i < each; ++i) {
                own.push_back(new_activity());
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    std::set<Guid> all;
    for (const auto& own : made) {
        all.insert(own.begin(), own.end());
    }
    EXPECT_EQ(all.size(), made.size() * each);
    EXPECT_FALSE(all.contains(Guid{}));
}

} // namespace
} // namespace etl::session::activity_test
