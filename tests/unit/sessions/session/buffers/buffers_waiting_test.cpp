// Who waits for whom: writers for buffers, the logger and the end of a session for records.
#include "base/layout.hpp"
#include "host/process.hpp"
#include "session/buffers/buffers.hpp"
#include "tests/unit/sessions/session/buffers/open_buffers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace etl::session::buffers_waiting_test {
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
} // namespace etl::session::buffers_waiting_test
