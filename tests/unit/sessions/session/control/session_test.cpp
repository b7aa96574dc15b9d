// The whole story of a session: started, enabled, written to, stopped.
#include <etl/session.hpp>

#include "format/records.hpp"
#include "tests/unit/sessions/session/control/whole_session.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace etl::session::session_test {
namespace {

using testing::SizeIs;

TEST_F(WholeSession, SequentialFileHasEveryEventInOrder) {
    const Session session = begin(options(mode::sequential));
    EXPECT_EQ(write(0, 500), 500U);
    const auto state = session.stop();
    ASSERT_TRUE(state);
    EXPECT_EQ(state->events_lost, 0U);
    const test::Written written = sound("a.etl");
    EXPECT_EQ(numbers_in(written), from_to(0, 500));
    EXPECT_EQ(written.info.header.buffers_written, state->buffers_written);
    EXPECT_NE(written.info.header.end_time, 0);
}

TEST_F(WholeSession, EventsAreWhatWasWritten) {
    const Session session = begin(options(0));
    write(7, 1);
    ASSERT_TRUE(session.stop());
    const test::Written written = without_enablements(sound("a.etl"));
    ASSERT_THAT(written.streams, SizeIs(1));
    namespace layout = format::event_record;
    const Bytes record = written.streams.begin()->second.front();
    const auto header = record.first<layout::size>();
    EXPECT_EQ(load<layout::provider_id>(header), tea);
    EXPECT_EQ(load<layout::process_id>(header), static_cast<std::uint32_t>(::getpid()));
}

TEST_F(WholeSession, StopAfterTheFileHasEndedNamesNone) {
    const Session session = begin(options(0));
    ASSERT_TRUE(session.switch_to_real_time());
    const auto last = session.stop();
    ASSERT_TRUE(last);
    EXPECT_EQ(last->file, "");
}

TEST_F(WholeSession, RingKeepsTheLastBuffers) {
    SessionOptions ring = options(mode::buffering, "");
    ring.minimum_buffers = 4;
    const Session session = begin(ring);
    EXPECT_EQ(write(0, 100, large), 100U) << "a ring loses nothing that is new";
    ASSERT_TRUE(session.flush(folder_ / "first.etl"));
    const std::vector<std::uint32_t> first = numbers_in(sound("first.etl"));
    ASSERT_THAT(first, SizeIs(testing::Ge(9U)));
    EXPECT_THAT(first, SizeIs(testing::Le(12U)));
    EXPECT_EQ(first, from_to(100 - static_cast<std::uint32_t>(first.size()), 100));

    write(100, 2, large);
    const auto state = session.query();
    EXPECT_EQ(state->number_of_buffers, 4U);
    EXPECT_EQ(state->logger_thread_id, 0U);
    ASSERT_TRUE(session.stop(folder_ / "second.etl"));
    EXPECT_EQ(numbers_in(sound("second.etl")).back(), 101U);
}

TEST_F(WholeSession, RingWithoutAFileIsABadPathname) {
    const Session session = begin(options(mode::buffering, ""));
    EXPECT_EQ(said(session.flush()), "ERROR_BAD_PATHNAME");
    const auto other = runtime_.start({.name = "Other", .file = folder_ / "b.etl"});
    ASSERT_TRUE(other);
    EXPECT_EQ(said(session.flush(folder_ / "b.etl")), "ERROR_BAD_PATHNAME");
    EXPECT_EQ(said(session.stop(folder_ / "b.etl")), "ERROR_BAD_PATHNAME");
    EXPECT_EQ(said(session.stop()), "ERROR_SUCCESS");
}

TEST_F(WholeSession, RealTimeBesideAFileMakesTheFileToo) {
    const Session session = begin(options(mode::real_time));
    write(0, 10);
    ASSERT_TRUE(session.flush());
    EXPECT_EQ(numbers_in(written_to(folder_ / "a.etl")), from_to(0, 10));
    ASSERT_TRUE(session.stop());
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 10));
}

TEST_F(WholeSession, GoesOnInRealTimeWhenItsFileIsEnded) {
    const Session session = begin(options(mode::sequential));
    write(0, 10);
    ASSERT_TRUE(session.flush());
    const auto state = session.switch_to_real_time();
    ASSERT_TRUE(state);
    EXPECT_EQ(state->file, "");
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 10));
    const auto other = runtime_.start({.name = "Other", .file = folder_ / "a.etl"});
    EXPECT_TRUE(other) << "the file is free";
    auto live = LiveSource::listen(session);
    ASSERT_TRUE(live);
    write(10, 3);
    ASSERT_TRUE(session.stop());
    std::size_t events = 0;
    for (flow::Run run = (*live)->next_run(); !run.empty(); run = (*live)->next_run()) {
        for (const flow::Event& event : run) {
            events += format::is_event(event.kind) ? 1U : 0U;
        }
    }
    EXPECT_EQ(events, 3U);
}

TEST_F(WholeSession, TimerWritesABufferThatIsNotFull) {
    SessionOptions timed = options(mode::sequential | mode::use_ms_flush_timer);
    timed.flush_timer = 5;
    const Session session = begin(timed);
    write(0, 3);
    while (session.query()->buffers_written < 2) {
        std::this_thread::yield(); // ends when the timer did its work; the test's timeout is the
                                   // limit
    }
    EXPECT_EQ(numbers_in(written_to(folder_ / "a.etl")), from_to(0, 3));
    ASSERT_TRUE(session.stop());
}

TEST_F(WholeSession, FlushPutsEverythingIntoTheFile) {
    const Session session = begin(options(0));
    write(0, 20);
    write_number(provider_, 20, 8000); // too large: lost
    ASSERT_TRUE(session.flush());
    const test::Written written = written_to(folder_ / "a.etl");
    EXPECT_EQ(numbers_in(written), from_to(0, 20));
    EXPECT_EQ(written.info.header.events_lost, 1U);
    EXPECT_EQ(written.info.header.end_time, 0) << "it is still written";
    ASSERT_TRUE(session.stop());
}

TEST_F(WholeSession, EnabledBeforeItsProviderRegistersItMissesNothing) {
    provider_ = {};
    const Session session = begin(options(0));
    auto late = runtime_.add(tea);
    ASSERT_TRUE(late);
    provider_ = std::move(*late);
    write(0, 5);
    ASSERT_TRUE(session.stop());
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 5));
}

TEST_F(WholeSession, SessionsOfTwoClocksGetTheSameEvent) {
    SessionOptions first = options(0);
    first.clock = 1;
    SessionOptions second = options(0, "b.etl");
    second.name = "Evening";
    second.guid = {};
    second.clock = 2;
    const Session one = begin(first);
    const Session two = begin(second);
    EXPECT_EQ(write(0, 20), 40U);
    ASSERT_TRUE(one.stop());
    ASSERT_TRUE(two.stop());
    const test::Written a = sound("a.etl");
    const test::Written b = sound("b.etl");
    EXPECT_EQ(numbers_in(a), numbers_in(b));
    EXPECT_EQ(a.info.header.clock_type(), format::ClockType::qpc);
    EXPECT_EQ(b.info.header.clock_type(), format::ClockType::system_time);
    constexpr std::int64_t minute = 60 * Filetime::per_second;
    EXPECT_LT(std::abs(a.info.header.end_time - b.info.header.end_time), minute);
}

TEST_F(WholeSession, EventsOfAllThreadsAreInTheFileWhenItIsStoppedInAStorm) {
    constexpr unsigned threads = 4;
    SessionOptions storm = options(0);
    storm.processors = 2;
    storm.maximum_buffers = 1000;
    const Session session = begin(storm);

    struct Tally {
        std::uint64_t accepted = 0, lost = 0;
    };

    std::array<Tally, threads> tallies{};
    std::atomic<bool> is_over{false};
    std::vector<std::thread> writers;
    for (unsigned i = 0; i < threads; ++i) {
        writers.emplace_back([&, i] {
            while (!is_over.load()) {
                const WriteResult result = write_number(provider_, i);
                tallies[i].accepted += result.written;
                tallies[i].lost += result.lost;
            }
        });
    }
    while (session.query()->buffers_written < 20) {
        std::this_thread::yield();
    }
    const auto state = session.stop();
    is_over = true;
    for (std::thread& writer : writers) {
        writer.join();
    }
    ASSERT_TRUE(state);
    Tally all;
    for (const Tally& tally : tallies) {
        all.accepted += tally.accepted;
        all.lost += tally.lost;
    }
    // How many are lost depends on the machine; all that were not are there.
    const test::Written written = written_to(folder_ / "a.etl");
    EXPECT_FALSE(written.error);
    EXPECT_THAT(numbers_in(written), SizeIs(all.accepted));
    EXPECT_EQ(written.info.header.events_lost, state->events_lost);
    EXPECT_EQ(state->events_lost, all.lost);
}

TEST_F(WholeSession, BlockingWritersLoseNothing) {
    SessionOptions blocking = options(in_process | mode::blocking);
    blocking.maximum_buffers = 2;
    const Session session = begin(blocking);
    EXPECT_EQ(write(0, 2000, 100), 2000U);
    const auto state = session.stop();
    ASSERT_TRUE(state);
    EXPECT_EQ(state->events_lost, 0U);
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 2000));
}

TEST_F(WholeSession, IndependentSessionLosesByItself) {
    SessionOptions tiny = options(mode::independent_session);
    SessionOptions roomy = options(0, "b.etl");
    roomy.name = "Evening";
    roomy.guid = {};
    roomy.buffer_kb = 64;
    const Session one = begin(tiny);
    const Session two = begin(roomy);
    const WriteResult result = write_number(provider_, 1, 8000);
    EXPECT_EQ(result.status, Status::success);
    EXPECT_EQ(result.written, 1);
    EXPECT_EQ(result.lost, 1);
    EXPECT_EQ(one.stop()->events_lost, 1U);
    EXPECT_EQ(two.stop()->events_lost, 0U);
    EXPECT_EQ(written_to(folder_ / "a.etl").info.header.events_lost, 1U);
    EXPECT_THAT(numbers_in(sound("b.etl")), SizeIs(1));
}

} // namespace
} // namespace etl::session::session_test
