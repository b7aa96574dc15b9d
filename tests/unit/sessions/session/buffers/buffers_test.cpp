// Records, their buffers, and who has them.
#include "base/layout.hpp"
#include "host/process.hpp"
#include "session/buffers/buffers.hpp"
#include "tests/unit/sessions/session/buffers/open_buffers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

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

// Who waits for whom: writers for buffers, the logger and the end of a session for records.

namespace {

using testing::ElementsAre;

TEST(Buffers, ClosingWaitsForRecordsThatWereBegun) {
    Open session(two_stripes);
    const Place place = session.reserve();
    std::atomic<bool> is_closed{false};
    std::thread closer([&] {
        session.buffers.close();
        is_closed.store(true);
    });
    for (;;) { // until it has begun
        const auto other = session.buffers.reserve_at(session.ticket, 1, quarter);
        if (other) {
            session.buffers.abandon(*other);
        } else if (other.error() == Refusal::closed) {
            break;
        }
    }
    EXPECT_FALSE(is_closed.load());
    session.finish(place, 1);
    closer.join();
    bool is_found = false;
    while (const auto view = session.buffers.next_closed()) {
        is_found = is_found || names(view) == std::vector<std::uint32_t>{1};
    }
    EXPECT_TRUE(is_found);
}

TEST(Buffers, WritersWaitForAFreeBuffer) {
    Open session(
        {.buffer_size = buffer_size, .minimum = 2, .maximum = 2, .stripes = 1, .may_wait = true});
    session.fill_buffer(1);
    session.fill_buffer(11);
    std::thread writer([&] { session.write(21); });
    std::thread other([&] { session.write(21); });
    std::optional<ClosedBuffer> view;
    while (!(view = session.buffers.next_closed())) { // the writers wake it, if it waits
        session.buffers.wait(1000, std::nullopt);
    }
    EXPECT_THAT(names(view), ElementsAre(1, 2, 3, 4));
    session.buffers.give_back(*view);
    writer.join();
    other.join();
    EXPECT_EQ(session.buffers.events_lost(), 0U);
}

TEST(Buffers, WritersThatWaitAreSentAwayAtTheEnd) {
    Open session(
        {.buffer_size = buffer_size, .minimum = 2, .maximum = 2, .stripes = 1, .may_wait = true});
    session.fill_buffer(1);
    session.fill_buffer(11);
    std::thread writer([&] { EXPECT_EQ(session.refusal(quarter), Refusal::closed); });
    session.buffers.wait(1000, std::nullopt); // for the writer that finds none
    session.buffers.close();
    writer.join();
    EXPECT_EQ(session.buffers.events_lost(), 0U);
}

TEST(Buffers, TheLoggersThreadNeverWaitsForItself) {
    Open session(
        {.buffer_size = buffer_size, .minimum = 2, .maximum = 2, .stripes = 1, .may_wait = true});
    session.buffers.set_logger_thread(host::thread_id());
    session.fill_buffer(1);
    session.fill_buffer(11);
    EXPECT_EQ(session.refusal(quarter), Refusal::no_buffer);
    EXPECT_EQ(session.buffers.events_lost(), 1U);
}

const BufferPlan impatient{.buffer_size = buffer_size,
                           .minimum = 3,
                           .maximum = 3,
                           .stripes = 1,
                           .patience = std::chrono::milliseconds(1)};

TEST(Buffers, ARecordThatIsNeverFinishedIsSteppedOver) {
    Open session(impatient);
    session.write(1);
    const Place begun = session.reserve();
    session.write(3);
    session.write(4);
    session.fill_buffer(11);
    const auto view = session.buffers.next_closed();
    EXPECT_THAT(names(view), ElementsAre(1, 0, 3, 4));
    EXPECT_EQ(session.buffers.events_lost(), 1U);
    session.finish(begun, 2); // after all: not where somebody reads
    EXPECT_THAT(names(view), ElementsAre(1, 0, 3, 4));
    session.buffers.give_back(*view);
    session.fill_buffer(21); // of three buffers one is gone
    EXPECT_EQ(session.refusal(quarter), Refusal::no_buffer);
    session.buffers.close();
    EXPECT_THAT(names(session.buffers.next_closed()), ElementsAre(11, 12, 13, 14));
}

TEST(Buffers, OutliveAWriterThatComesAfterTheEnd) {
    Open session(impatient);
    const Place begun = session.reserve();
    session.buffers.close();
    const auto view = session.buffers.next_closed();
    EXPECT_THAT(names(view), ElementsAre(0));
    session.buffers.give_back(*view);
    session.buffers.release();
    session.ticket = session.buffers.open(impatient).value_or(0);
    session.fill_buffer(1);
    session.finish(begun, 2);
    session.buffers.close();
    EXPECT_THAT(names(session.buffers.next_closed()), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(session.buffers.events_lost(), 0U);
}

TEST(Buffers, WaitingEnds) {
    Open session(two_stripes);
    session.buffers.wait(1, 0); // by time
    session.buffers.wake();
    session.buffers.wake();
    session.buffers.wait(1, std::nullopt); // by a call, also if it came before
    session.fill_buffer(1);
    session.write(5);
    session.buffers.wait(1, std::nullopt); // one is full
    std::thread waiting([&] { session.buffers.wait(2, std::nullopt); });
    session.fill_buffer(6);
    session.write(10);
    waiting.join();
}

} // namespace

// Buffers of a ring.

namespace {

using testing::ElementsAre;

std::vector<std::vector<std::uint32_t>> in_ring(Buffers& buffers) {
    std::vector<std::vector<std::uint32_t>> result;
    buffers.for_each_in_ring(
        [&](const ClosedBuffer& view) { result.push_back(names(view.memory, view.used)); });
    return result;
}

const BufferPlan ring{
    .buffer_size = buffer_size, .minimum = 3, .maximum = 90, .stripes = 1, .is_ring = true};

TEST(Ring, OverwritesWhatIsOldest) {
    Open session(ring);
    for (std::uint32_t i = 0; i < 5; ++i) {
        session.fill_buffer(10 * i + 1);
    }
    EXPECT_THAT(in_ring(session.buffers),
                ElementsAre(ElementsAre(21, 22, 23, 24), ElementsAre(31, 32, 33, 34),
                            ElementsAre(41, 42, 43, 44)));
    EXPECT_EQ(session.buffers.number_of_buffers(), 3U);
    EXPECT_EQ(session.buffers.events_lost(), 0U);
}

TEST(Ring, IsAsItWasWhenItWasCopied) {
    Open session(ring);
    session.fill_buffer(1);
    session.write(11);
    const auto once = in_ring(session.buffers);
    EXPECT_THAT(once, ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(11)));
    EXPECT_EQ(in_ring(session.buffers), once);
    session.write(12); // into the same buffer
    EXPECT_THAT(in_ring(session.buffers),
                ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(11, 12)));
}

TEST(Ring, ClosesABufferThatIsNeverQuietToCopyIt) {
    Open session(ring);
    session.write(1);
    const Place begun = session.reserve();
    std::vector<std::vector<std::uint32_t>> copy;
    std::thread copier([&] { copy = in_ring(session.buffers); });
    for (;;) { // until the copier has closed it, or it is full
        const Place other = session.reserve(8);
        session.buffers.abandon(other);
        if (other.in_place != begun.in_place) {
            break;
        }
    }
    session.finish(begun, 2);
    copier.join();
    ASSERT_FALSE(copy.empty());
    ASSERT_GE(copy[0].size(), 2U);
    EXPECT_EQ(copy[0][0], 1U);
    EXPECT_EQ(copy[0][1], 2U); // it was waited for
}

TEST(Ring, LeavesABufferWithAnUnfinishedRecordAlone) {
    Open session(ring);
    session.write(1);
    const Place begun = session.reserve();
    session.write(3);
    session.write(4);
    for (std::uint32_t i = 1; i < 6; ++i) {
        session.fill_buffer(10 * i + 1);
    }
    session.finish(begun, 2);
    EXPECT_THAT(in_ring(session.buffers),
                ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(41, 42, 43, 44),
                            ElementsAre(51, 52, 53, 54)));
}

TEST(Ring, LosesAnEventOnlyWhenAllBuffersAreUnfinished) {
    Open session(ring);
    std::vector<Place> begun;
    for (int i = 0; i < 3; ++i) {
        begun.push_back(session.reserve(capacity));
    }
    EXPECT_EQ(session.refusal(8), Refusal::no_buffer);
    session.finish(begun[1], 5, capacity);
    session.write(6);
    EXPECT_EQ(session.buffers.events_lost(), 1U);
    session.finish(begun[0], 1, capacity);
    session.finish(begun[2], 2, capacity);
    session.buffers.close();
    EXPECT_THAT(in_ring(session.buffers),
                ElementsAre(ElementsAre(1), ElementsAre(2), ElementsAre(6)));
}

} // namespace

} // namespace etl::session::buffers_test
