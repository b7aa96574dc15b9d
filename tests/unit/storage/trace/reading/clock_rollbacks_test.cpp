// Traces whose clock was set back while they were recorded.

#include "tests/support/reading.hpp"
#include "tests/unit/storage/trace/reading/clock_rollback_session.hpp"
#include "trace/limits.hpp"
#include "trace/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace etl::trace::clock_rollbacks_test {

namespace {

using namespace test;
using testing::IsEmpty;

TEST(ClockRollbacks, EventsComeInTimeOrderAndInThatOfRecording) {
    Session session;
    session.record(0, 12);
    session.set_back(7 * hour);
    session.record(0, 12);
    const Image file = session.stop();
    expect_both_orders(file, 24);
    EXPECT_EQ(read(file).ids().front(), 12);
}

TEST(ClockRollbacks, SayWhenAndByHowMuch) {
    Session session;
    session.record(0, 10);
    session.set_back(7 * hour);
    session.record(0, 10);
    const Reading reading = read(session.stop());
    ASSERT_EQ(reading.info.clock_rollbacks.size(), 1U);
    const flow::ClockRollback& set_back = reading.info.clock_rollbacks.front();
    EXPECT_EQ(set_back.before, 100 * hour + 9);
    EXPECT_EQ(set_back.after, 93 * hour + 10);
    EXPECT_EQ(set_back.buffer, 3U); // in the middle of which it happened
    ASSERT_EQ(reading.findings.size(), 1U);
    EXPECT_EQ(describe(reading.findings.front()),
              "0x3000: note: buffer 3: the clock was set back by at least 0.0025199 s, from "
              "2024-05-17T04:00:00.0360009Z to 2024-05-17T04:00:00.0334810Z");
}

TEST(ClockRollbacks, AreNotFoundWhereTimesAscend) {
    Session session;
    for (int i = 0; i < 20; ++i) {
        session.record(static_cast<std::uint16_t>(i % 3), 3);
    }
    const Image file = session.stop();
    const Reading reading = read(file);
    EXPECT_THAT(reading.info.clock_rollbacks, IsEmpty());
    EXPECT_THAT(reading.findings, IsEmpty());
    EXPECT_EQ(read(file, {.order = Order::recorded}).events, reading.events);
}

TEST(ClockRollbacks, OfAllProcessorsAreOne) {
    Session session;
    for (int i = 0; i < 30; ++i) {
        session.record(static_cast<std::uint16_t>(i % 4), 2);
    }
    session.set_back(7 * hour);
    for (int i = 0; i < 30; ++i) {
        session.record(static_cast<std::uint16_t>(i % 4), 2);
    }
    const Image file = session.stop();
    expect_both_orders(file, 120);
    EXPECT_EQ(read(file).info.clock_rollbacks.size(), 1U);
}

TEST(ClockRollbacks, ReachTheBuffersOfAProcessorThatSleptOverThem) {
    Session session;
    // The flush times of processor 1 ascend all the same.
    for (int i = 0; i < 5; ++i) {
        session.record(1, 1);
        session.flush(1);
        session.pass(60);
    }
    session.record(1, 1);
    session.record(0, 8);
    session.set_back(1 * hour);
    session.record(0, 8);
    session.record(1, 1);
    session.pass(5 * hour);
    session.record(0, 8);
    const Image file = session.stop();
    expect_both_orders(file, 5 + 1 + 8 + 8 + 1 + 8);
}

TEST(ClockRollbacks, AreFollowedAgainAndAgain) {
    Session session;
    session.record(0, 20);
    for (int i = 0; i < 9; ++i) {
        session.set_back(1 * hour); // nearly all of what was recorded lies later than what follows
        session.record(0, 18);
        session.record(1, 7);
    }
    const Image file = session.stop();
    expect_both_orders(file, 20 + 9 * 25);
    EXPECT_EQ(read(file).info.clock_rollbacks.size(), 9U);
}

TEST(ClockRollbacks, InABufferOfTheirOwn) {
    Session session({.buffer_events = 6});
    session.record(0, 12);
    for (int i = 0; i < 2; ++i) {
        session.set_back(7 * hour);
        session.record(0, 2);
    }
    session.record(0, 20);
    const Image file = session.stop();
    // Both happened between the same two flushes, which tell of one.
    const Reading reading = read(file);
    EXPECT_TRUE(std::ranges::is_sorted(times(reading)));
    EXPECT_EQ(sorted(reading.ids()), up_to(36));
}

TEST(ClockRollbacks, TellNothingWhereOnlyFlushTimesFall) {
    // A relogger's buffers have times of its own clock.
    TraceBuilder trace({.lineage = Lineage::relogger, .reference_time = 0});
    for (std::uint16_t i = 0; i < 6; ++i) {
        trace.buffer({.time_stamp = story_start + (i < 3 ? 7 * 36'000'000'000 : 0) + i})
            .add(format::EventRecord{.time = 10 * i, .descriptor = {.id = i}})
            .add(format::EventRecord{.time = 10 * i + 5,
                                     .descriptor = {.id = static_cast<std::uint16_t>(10 + i)}});
    }
    const Reading reading = read(trace.build());
    EXPECT_THAT(reading.info.clock_rollbacks, IsEmpty());
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(ClockRollbacks, FindingsOfABufferThatIsCutComeOnce) {
    Session session({.buffer_events = 8});
    session.record(0, 12);
    session.set_back(7 * hour);
    session.record(0, 12);
    const Image sound = session.stop();
    Image file = sound;
    // The last record of the second buffer, behind the set-back, gets a bad marker.
    file[2 * 0x1000 + 0x48 + 7 * 0x50 + 3] = std::byte{0};
    const Reading reading = read(file);
    EXPECT_EQ(reading.events.size() + 1, read(sound).events.size());
    EXPECT_EQ(reading.damage, 1U);
    EXPECT_TRUE(std::ranges::is_sorted(times(reading)));
}

TEST(ClockRollbacks, BeyondTheirNumberAreReported) {
    TraceBuilder trace({.processors = 1, .reference_time = 0});
    const std::size_t count = trace::limits::clock_rollbacks + 3;
    for (std::size_t i = 0; i < count; ++i) {
        trace.buffer({.time_stamp = static_cast<std::int64_t>(2 * (count - i))})
            .add(format::EventRecord{.time = static_cast<std::int64_t>(2 * (count - i)),
                                     .descriptor = {.id = 1}});
    }
    const Reading reading = read(trace.build());
    EXPECT_EQ(reading.ids().size(), count);
    EXPECT_EQ(reading.info.clock_rollbacks.size(), trace::limits::clock_rollbacks);
    EXPECT_TRUE(reading.found("set back too often"));
}

// Files of all modes whose clock was set back, and copies of them.

using namespace test;

class ClockRollbacksOfFiles : public testing::TestWithParam<Session::Facts> {};

TEST_P(ClockRollbacksOfFiles, AnyNumberAnywhere) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        std::mt19937 random(seed);
        const auto any = [&](unsigned below) { return static_cast<int>(random() % below); };
        Session session(GetParam());
        const int processors = 1 + any(4);
        int count = 0;
        for (int phase = 1 + any(5); phase > 0; --phase) {
            for (int i = 30 + any(60); i > 0; --i) {
                session.pass(any(3));
                const auto events = static_cast<std::uint16_t>(1 + any(3));
                session.record(static_cast<std::uint16_t>(any(static_cast<unsigned>(processors))),
                               events);
                count += events;
            }
            session.set_back((1 + any(8)) * hour);
        }
        SCOPED_TRACE(seed);
        expect_both_orders(session.stop(), count);
    }
}

INSTANTIATE_TEST_SUITE_P(
    ClockRollbacks, ClockRollbacksOfFiles,
    testing::Values(Session::Facts{}, Session::Facts{.flush_time = Session::FlushTime::last_event},
                    Session::Facts{.buffer_events = 9},
                    Session::Facts{.compression = codec::Format::xpress}),
    [](const auto& param) { return "File" + std::to_string(param.index); });

TEST(ClockRollbacks, InACircularFile) {
    Session session({.mode = format::log_mode::circular});
    session.record(0, 12);
    session.record(1, 12);
    session.set_back(7 * hour);
    session.record(1, 12);
    session.record(0, 12);
    session.flush_all();
    session.trace().wrap(9);
    expect_both_orders(session.stop(), 48);
}

TEST(ClockRollbacks, BetweenAppendedRunsWithoutFlushTimes) {
    Session session({.flush_time = Session::FlushTime::none});
    session.record(0, 12);
    session.record(1, 12);
    session.flush_all();
    session.trace().begin_run();
    session.set_back(7 * hour);
    session.record(1, 12);
    session.record(0, 12);
    const Image file = session.stop();
    expect_both_orders(file, 48);
    EXPECT_EQ(read(file).info.clock_rollbacks.size(), 1U);
}

TEST(ClockRollbacks, SurviveACopyAsRecorded) {
    Session session;
    for (int i = 0; i < 20; ++i) {
        session.record(static_cast<std::uint16_t>(i % 2), 3);
        if (i == 11) {
            session.set_back(7 * hour);
        }
    }
    const Image file = session.stop();
    for (const Order order : {Order::recorded, Order::buffers}) {
        auto reader = Reader::open(in_memory(file), {.order = order});
        ASSERT_TRUE(reader);
        io::MemoryFiles files;
        WriterOptions options{.recording = recording_of((*reader)->info()), .files = &files};
        options.file.buffer_size = 0x400;
        auto writer = Writer::create("copy.etl", options);
        ASSERT_TRUE(writer);
        ASSERT_TRUE(copy(**reader, **writer));
        ASSERT_TRUE((*writer)->close());
        expect_both_orders(files.files().at("copy.etl"), 60);
    }
}

} // namespace

} // namespace etl::trace::clock_rollbacks_test
