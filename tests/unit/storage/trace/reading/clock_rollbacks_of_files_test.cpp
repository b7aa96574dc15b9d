// Files of all modes whose clock was set back, and copies of them.
#include "tests/support/reading.hpp"
#include "tests/unit/storage/trace/reading/clock_rollback_session.hpp"
#include "trace/writer.hpp"

#include <gtest/gtest.h>

#include <random>

namespace etl::trace::clock_rollbacks_of_files_test {
namespace {

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
} // namespace etl::trace::clock_rollbacks_of_files_test
