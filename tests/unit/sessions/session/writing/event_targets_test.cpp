// Which sessions get an event, and what each of them makes of it.
#include <etl/byte_writer.hpp>

#include "host/clock.hpp"
#include "host/process.hpp"
#include "tests/unit/sessions/session/bare_session.hpp"
#include "tests/unit/sessions/session/writing/written_event.hpp"

#include <gmock/gmock.h>

namespace etl::session::event_targets_test {
namespace {

using format::event_record::flags;
using format::event_record::time_stamp;
using testing::SizeIs;

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
    provider.enable(some, {.filters = {make_event_filter({8, 9})}});
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
    const EnableOptions group{.level = 5, .property = enable_property::provider_group};
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
    const std::vector<std::byte> payload(format::max_record_size - 0x50); // without the item
    const WriteResult result = provider.write(steeped, payload);
    EXPECT_EQ(result.status, Status::arithmetic_overflow);
    EXPECT_EQ(result.lost, 1);
    EXPECT_EQ(session.buffers().events_lost(), 1U);
}

} // namespace
} // namespace etl::session::event_targets_test
