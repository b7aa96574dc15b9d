// Records, their buffers, and who has them.
#include "base/layout.hpp"
#include "session/buffers/buffers.hpp"
#include "tests/unit/sessions/session/buffers/open_buffers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace etl::session::buffers_test {
namespace {

using testing::ElementsAre;

TEST(Buffers, RefuseEveryTicketBeforeASession) {
    Buffers buffers;
    EXPECT_EQ(buffers.reserve(0, 100).error(), Refusal::closed);
    EXPECT_EQ(buffers.reserve(1, 100).error(), Refusal::closed);
    EXPECT_EQ(buffers.next_closed(), std::nullopt);
    EXPECT_EQ(buffers.events_lost(), 0U);
    EXPECT_EQ(buffers.number_of_buffers(), 0U);
}

TEST(Buffers, GiveAFullBufferWithItsRecords) {
    Open session(two_stripes);
    session.fill_buffer(1);
    EXPECT_EQ(session.buffers.next_closed(), std::nullopt);
    const Place fifth = session.write(5); // finds no room
    const auto view = session.buffers.next_closed();
    ASSERT_TRUE(view);
    EXPECT_THAT(names(view), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(view->used, header + 4 * quarter);
    EXPECT_EQ(view->processor, 0);
    EXPECT_LE(view->closed_at, fifth.time);
    EXPECT_EQ(session.buffers.next_closed(), std::nullopt);
}

TEST(Buffers, KeepProcessorsApartAndFoldThoseBeyondTheirStripes) {
    Open session(two_stripes);
    session.write(1, 0);
    session.write(2, 1);
    session.write(3, 7);
    session.buffers.close_open();
    const auto first = session.buffers.next_closed();
    EXPECT_THAT(names(first), ElementsAre(1));
    const auto second = session.buffers.next_closed();
    EXPECT_THAT(names(second), ElementsAre(2, 3));
    EXPECT_EQ(second->processor, 1);
}

TEST(Buffers, PadRecordsWithZeros) {
    Open session(two_stripes);
    Place place = session.reserve(61);
    EXPECT_EQ(place.size, 64U);
    std::fill(place.at, place.at + 61, std::byte{0xFF});
    session.buffers.commit(place, 0xC0130000 | 61);
    EXPECT_EQ(load_le<std::uint32_t>(place.at + 60), 0xFFU);
}

TEST(Buffers, TakeARecordAsLargeAsABufferAndLoseLargerOnes) {
    Open session(two_stripes);
    session.write(1, 0, capacity);
    EXPECT_EQ(session.refusal(capacity + 1), Refusal::too_large);
    EXPECT_EQ(session.refusal(0xFFFFFFFF), Refusal::too_large);
    EXPECT_EQ(session.buffers.events_lost(), 2U);
}

TEST(Buffers, GrowToTheirMaximumAndThenLoseEvents) {
    Open session(two_stripes);
    EXPECT_EQ(session.buffers.number_of_buffers(), 4U);
    EXPECT_EQ(session.buffers.free_buffers(), 4U);
    for (std::uint32_t i = 0; i < 6; ++i) {
        session.fill_buffer(10 * i);
    }
    EXPECT_EQ(session.buffers.number_of_buffers(), 6U);
    EXPECT_EQ(session.buffers.free_buffers(), 0U);
    EXPECT_EQ(session.refusal(quarter), Refusal::no_buffer);
    EXPECT_EQ(session.refusal(8, 1), Refusal::no_buffer);
    EXPECT_EQ(session.buffers.events_lost(), 2U);

    const auto view = session.buffers.next_closed();
    EXPECT_THAT(names(view), ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(session.refusal(quarter), Refusal::no_buffer); // it is still looked at
    session.buffers.give_back(*view);
    session.write(77);
    EXPECT_EQ(session.buffers.events_lost(), 3U);

    session.buffers.set_maximum(7);
    session.write(78, 1);
    EXPECT_EQ(session.buffers.number_of_buffers(), 7U);
    session.buffers.set_maximum(1); // there are seven
    EXPECT_EQ(session.buffers.number_of_buffers(), 7U);
}

TEST(Buffers, GiveTheBuffersOfAStripeInTheirOrder) {
    Open session(two_stripes);
    for (std::uint32_t i = 0; i < 5; ++i) {
        session.fill_buffer(10 * i + 1);
    }
    session.buffers.close_open();
    for (std::uint32_t i = 0; i < 5; ++i) {
        const auto view = session.buffers.next_closed();
        EXPECT_THAT(names(view), ElementsAre(10 * i + 1, 10 * i + 2, 10 * i + 3, 10 * i + 4));
        session.buffers.give_back(*view);
    }
}

TEST(Buffers, StampsAscendAndAreOfTheSessionsClock) {
    for (const auto clock :
         {format::ClockType::qpc, format::ClockType::system_time, format::ClockType::cpu_cycles}) {
        BufferPlan plan = two_stripes;
        plan.clock = clock;
        Open session(plan);
        std::int64_t before = session.buffers.now();
        for (std::uint32_t i = 0; i < 12; ++i) {
            const Place place = session.write(i);
            EXPECT_GE(place.time, before);
            before = place.time;
        }
        EXPECT_GE(session.buffers.now(), before);
    }
}

TEST(Buffers, ClosingOpenOnesTellsAMomentThatParts) {
    Open session(two_stripes);
    const Place before = session.write(1);
    const std::int64_t moment = session.buffers.close_open();
    EXPECT_LE(before.time, session.buffers.now());
    EXPECT_THAT(names(session.buffers.next_closed()), ElementsAre(1));
    EXPECT_GE(session.write(2).time, moment);
    EXPECT_GE(session.write(3, 1).time, moment);
    EXPECT_GE(session.buffers.close_open(), moment);
}

TEST(Buffers, ClosingOpenOnesLeavesEmptyOnes) {
    Open session(two_stripes);
    session.buffers.close_open();
    EXPECT_EQ(session.buffers.next_closed(), std::nullopt);
    session.write(1);
    session.buffers.close_open();
    session.buffers.close_open();
    EXPECT_THAT(names(session.buffers.next_closed()), ElementsAre(1));
    EXPECT_EQ(session.buffers.next_closed(), std::nullopt);
}

TEST(Buffers, RefuseWhileTheBacklogIsFull) {
    Open session(two_stripes);
    session.buffers.admit(0);
    EXPECT_EQ(session.refusal(quarter), Refusal::backlog_full);
    session.buffers.admit(Buffers::no_limit);
    session.write(1);
    EXPECT_EQ(session.buffers.events_lost(), 1U);
}

TEST(Buffers, HaveNoMoreInUseThanAreAdmitted) {
    Open session(two_stripes);
    session.buffers.admit(2);
    session.write(1, 0);
    session.fill_buffer(11, 1);
    EXPECT_EQ(session.refusal(quarter, 1), Refusal::backlog_full) << "it needs a third one";
    session.write(2, 0); // there is space in the first
    const auto closed = session.buffers.next_closed();
    EXPECT_THAT(names(closed), ElementsAre(11, 12, 13, 14));
    EXPECT_EQ(session.refusal(quarter, 1), Refusal::backlog_full) << "the logger has it";
    session.buffers.give_back(*closed);
    session.write(15, 1);
    session.buffers.admit(1);
    session.write(3, 0); // beyond the limit, but in use
    session.buffers.close_open();
    EXPECT_EQ(session.refusal(quarter, 0), Refusal::backlog_full);
    for (auto rest = session.buffers.next_closed(); rest; rest = session.buffers.next_closed()) {
        session.buffers.give_back(*rest);
    }
    session.write(4, 0);
    EXPECT_EQ(session.buffers.events_lost(), 3U);
}

TEST(Buffers, CountLostEventsOfTheirOwnSessionOnly) {
    Open session(two_stripes);
    session.buffers.count_lost(session.ticket);
    session.buffers.count_lost(static_cast<std::uint16_t>(session.ticket + 1));
    session.buffers.count_lost(0);
    EXPECT_EQ(session.buffers.events_lost(), 1U);
}

TEST(Buffers, AnAbandonedPlaceIsARecordToStepOver) {
    Open session(two_stripes);
    session.write(1);
    session.buffers.abandon(session.reserve());
    session.write(3);
    session.buffers.close_open();
    EXPECT_THAT(names(session.buffers.next_closed()), ElementsAre(1, 0, 3));
}

TEST(Buffers, AnOldTicketReachesNoLaterSession) {
    Open session(two_stripes);
    session.write(1);
    const std::uint16_t old = session.ticket;
    session.buffers.close();
    EXPECT_EQ(session.refusal(quarter), Refusal::closed);
    EXPECT_THAT(names(session.buffers.next_closed()), ElementsAre(1));
    session.buffers.release();

    BufferPlan wide = two_stripes;
    wide.stripes = 9; // other words
    const auto next = session.buffers.open(wide);
    ASSERT_TRUE(next);
    EXPECT_NE(*next, old);
    EXPECT_EQ(session.refusal(quarter), Refusal::closed);
    EXPECT_EQ(session.refusal(quarter, 8), Refusal::closed);
    EXPECT_EQ(session.buffers.events_lost(), 0U);
    EXPECT_TRUE(session.buffers.reserve(*next, quarter));
}

TEST(Buffers, RefuseSizesThatCannotBe) {
    Buffers buffers;
    for (const std::uint32_t size : {0U, 72U, 1023U, (16U << 20U) + 8}) {
        EXPECT_EQ(buffers.open({.buffer_size = size}).error().status, Status::invalid_parameter);
    }
    EXPECT_TRUE(buffers.open({.buffer_size = 16U << 20U, .stripes = 300}));
    EXPECT_EQ(buffers.number_of_buffers(), 301U);
    EXPECT_EQ(buffers.buffer_size(), 16U << 20U);
    EXPECT_EQ(buffers.stripes(), 300);
    EXPECT_TRUE(buffers.reserve_at(2, 299, 0xFFFF) || buffers.reserve_at(1, 299, 0xFFFF));
}

} // namespace
} // namespace etl::session::buffers_test
