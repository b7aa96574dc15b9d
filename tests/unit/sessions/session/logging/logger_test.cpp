// When the logger writes, what it counts, whom it tells. docs/session-internals.md#logger
#include "tests/unit/sessions/session/logging/logger_rig.hpp"

#include <gmock/gmock.h>

namespace etl::session::logger_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using Kind = SessionEvent::Kind;

TEST(Logger, HasAFileWithItsHeaderBufferBeforeItIsStarted) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    const LoggerCounts counts = rig.logger->counts();
    EXPECT_EQ(counts.buffers_written, 1U);
    EXPECT_EQ(counts.file, "t.etl");
    EXPECT_NE(counts.thread_id, 0U);
    ASSERT_TRUE(rig.stop());
    const Written file = rig.file();
    EXPECT_THAT(file.checked, IsEmpty());
    EXPECT_EQ(file.info.header.buffers_written, 1U);
    EXPECT_EQ(file.info.header.session_name, u"Signal Box");
}

TEST(Logger, WritesAllThatIsLeftWhenItStops) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    for (unsigned i = 0; i < 30; ++i) {
        ASSERT_TRUE(rig.write(static_cast<std::uint16_t>(i % 2)));
    }
    ASSERT_TRUE(rig.stop());
    const Written file = rig.file();
    EXPECT_THAT(file.checked, IsEmpty());
    EXPECT_EQ(file.streams, rig.records);
    EXPECT_EQ(file.info.header.buffers_written, file.buffers.size());
    EXPECT_EQ(file.sequences(), (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(file.buffers[1].flags & format::buffer_flag::flush_marker, 0);
    EXPECT_NE(file.buffers[2].flags & format::buffer_flag::flush_marker, 0)
        << "the last one says so";
}

TEST(Logger, WritesFullBuffersByItself) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    for (unsigned i = 0; i < 200; ++i) {
        while (!rig.write(0, 360)) { // more than there are buffers for: it must write some
            std::this_thread::yield();
        }
    }
    ASSERT_TRUE(rig.stop());
    const Written file = rig.file();
    EXPECT_EQ(file.streams, rig.records);
    EXPECT_EQ(file.buffers.size(), 1U + (200 + 8) / 9);
}

TEST(Logger, FlushesWhatIsOpenWhenAsked) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.logger->flush());
    EXPECT_EQ(rig.logger->counts().buffers_written, 2U);
    ASSERT_TRUE(rig.logger->flush());
    EXPECT_EQ(rig.logger->counts().buffers_written, 2U) << "nothing was there any more";
    ASSERT_TRUE(rig.stop());
    EXPECT_EQ(rig.file().streams, rig.records);
}

TEST(Logger, FlushesByItsTimer) {
    LoggerRig rig;
    rig.options.mode = mode::use_ms_flush_timer;
    rig.options.flush_timer = 5;
    ASSERT_TRUE(rig.start());
    ASSERT_TRUE(rig.write());
    while (rig.logger->counts().buffers_written < 2) {
        std::this_thread::yield();
    }
    ASSERT_TRUE(rig.stop());
    EXPECT_EQ(rig.file().streams, rig.records);
}

TEST(Logger, TakesAnotherTimer) {
    LoggerRig rig;
    rig.options.flush_timer = 100'000;
    ASSERT_TRUE(rig.start());
    ASSERT_TRUE(rig.write());
    rig.logger->set_flush_timer(1);
    while (rig.logger->counts().buffers_written < 2) {
        std::this_thread::yield();
    }
    ASSERT_TRUE(rig.stop());
}

TEST(Logger, StampsBuffersWithTheTimeThatTheyWereClosedAt) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    rig.write_buffers(4);
    ASSERT_TRUE(rig.stop());
    const Image& image = rig.memory.files().at("t.etl");
    const std::vector<std::int64_t> stamps = time_stamps_of(image);
    const Written file = rig.file();
    ASSERT_EQ(stamps.size(), 5U);
    EXPECT_TRUE(std::ranges::is_sorted(stamps));
    EXPECT_GE(file.info.header.end_time, file.info.header.start_time);
    // The session went on until it was stopped.
    const flow::Clock& clock = file.info.clock;
    EXPECT_GE(file.info.header.end_time, clock.to_filetime(stamps.back()).ticks);
}

TEST(Logger, CountsLostEventsAndFlagsTheNextBuffer) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.logger->flush());
    for (int i = 0; i < 3; ++i) {
        rig.buffers.count_lost(rig.ticket);
    }
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.logger->flush());
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.logger->flush());
    rig.buffers.count_lost(rig.ticket);
    ASSERT_TRUE(rig.stop());
    const Written file = rig.file();
    EXPECT_EQ(file.info.header.events_lost, 4U);
    std::vector<bool> flagged;
    for (const trace::BufferEntry& buffer : file.buffers) {
        flagged.push_back((buffer.flags & format::buffer_flag::events_lost) != 0);
    }
    EXPECT_THAT(flagged, ElementsAre(false, false, true, false));
}

TEST(Logger, TellsOfLossesInTheHeaderOfARunningSession) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    rig.buffers.count_lost(rig.ticket);
    ASSERT_TRUE(rig.write(1));
    ASSERT_TRUE(rig.logger->flush());
    const Written file = rig.file(); // the logger thread has nothing to do: no timer, no event
    EXPECT_TRUE(file.info.is_unfinalized);
    EXPECT_EQ(file.info.header.events_lost, 1U);
    EXPECT_EQ(file.info.header.number_of_processors, 2U);
    EXPECT_EQ(file.streams, rig.records);
    ASSERT_TRUE(rig.stop());
    EXPECT_FALSE(rig.file().info.is_unfinalized);
}

TEST(Logger, DeliversWithoutAFile) {
    LoggerRig rig;
    rig.options.mode = mode::real_time;
    rig.options.file.clear();
    ASSERT_TRUE(rig.start());
    EXPECT_EQ(rig.logger->counts().buffers_written, 0U);
    auto consumer = rig.live.connect({});
    ASSERT_TRUE(consumer);
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(rig.write());
    }
    ASSERT_TRUE(rig.logger->flush());
    EXPECT_EQ(rig.logger->counts().buffers_written, 1U);
    EXPECT_EQ(rig.logger->counts().file, "");
    ASSERT_TRUE(rig.stop());
    std::size_t events = 0;
    for (flow::Run run = (*consumer)->next_run(); !run.empty(); run = (*consumer)->next_run()) {
        events += run.size();
    }
    EXPECT_EQ(events, 1U + 5U) << "the log file header, and all";
    EXPECT_TRUE(rig.memory.files().empty());
}

TEST(Logger, WritesAndDeliversTheSame) {
    LoggerRig rig;
    rig.options.mode = mode::real_time;
    ASSERT_TRUE(rig.start());
    auto consumer = rig.live.connect({});
    ASSERT_TRUE(consumer);
    rig.write_buffers(3);
    EXPECT_EQ(rig.logger->counts().buffers_written, 4U) << "each buffer once";
    ASSERT_TRUE(rig.stop());
    std::vector<Image> live;
    for (flow::Run run = (*consumer)->next_run(); !run.empty(); run = (*consumer)->next_run()) {
        for (const flow::Event& event : run) {
            live.emplace_back(event.bytes().begin(), event.bytes().end());
        }
    }
    ASSERT_FALSE(live.empty());
    live.erase(live.begin()); // the log file header
    EXPECT_EQ(live, rig.records[0]);
    EXPECT_EQ(rig.file().streams, rig.records);
    EXPECT_EQ(rig.file().info.header.log_file_mode & mode::real_time, 0U);
}

TEST(Logger, DeliversByTimeWithoutATimer) {
    LoggerRig rig;
    rig.real_time_timer = 5;
    rig.options.mode = mode::real_time;
    rig.options.file.clear();
    ASSERT_TRUE(rig.start());
    auto consumer = rig.live.connect({});
    ASSERT_TRUE(consumer);
    ASSERT_TRUE(rig.write());
    std::size_t events = 0;
    while (events < 2) { // the header, then what is flushed by time
        events += (*consumer)->next_run().size();
    }
    ASSERT_TRUE(rig.stop());
}

TEST(Logger, EndsItsFileAndGoesOnInRealTime) {
    LoggerRig rig;
    rig.options.mode = mode::real_time;
    ASSERT_TRUE(rig.start());
    auto consumer = rig.live.connect({});
    ASSERT_TRUE(consumer);
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.logger->switch_to_real_time());
    EXPECT_EQ(rig.logger->counts().file, "");
    const Written file = rig.file();
    EXPECT_FALSE(file.info.is_unfinalized);
    EXPECT_EQ(file.streams, rig.records);
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.logger->flush());
    EXPECT_EQ(rig.logger->counts().buffers_written, 3U);
    ASSERT_TRUE(rig.stop());
    std::size_t events = 0;
    for (flow::Run run = (*consumer)->next_run(); !run.empty(); run = (*consumer)->next_run()) {
        events += run.size();
    }
    EXPECT_EQ(events, 3U);
}

TEST(Logger, TurnsToRealTimeAndBack) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.logger->flush());
    rig.logger->set_real_time(true);
    auto consumer = rig.live.connect({});
    ASSERT_TRUE(consumer);
    ASSERT_TRUE(rig.write());
    rig.logger->set_real_time(false);
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.stop());
    std::size_t events = 0;
    for (flow::Run run = (*consumer)->next_run(); !run.empty(); run = (*consumer)->next_run()) {
        events += run.size();
    }
    EXPECT_EQ(events, 2U) << "header, and the one of then";
    EXPECT_EQ(rig.file().streams, rig.records) << "the file has all";
}

TEST(Logger, CountsBuffersThatHaveNowhereToGo) {
    LoggerRig rig;
    rig.options.mode = mode::real_time;
    rig.options.file.clear();
    ASSERT_TRUE(rig.start());
    rig.logger->set_real_time(false);
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.logger->flush());
    EXPECT_EQ(rig.logger->counts().log_buffers_lost, 1U);
    EXPECT_EQ(rig.logger->counts().buffers_written, 0U);
    ASSERT_TRUE(rig.logger->switch_to("t.etl"));
    ASSERT_TRUE(rig.stop());
    EXPECT_EQ(rig.file().info.header.buffers_lost, 1U);
}

TEST(Logger, CountsWhatNobodyGotAsLostAlone) {
    LoggerRig rig;
    rig.options.mode = mode::real_time;
    rig.options.file.clear();
    ASSERT_TRUE(rig.start());
    auto consumer = rig.live.connect({.queue_bytes = 1});
    ASSERT_TRUE(consumer);
    rig.write_buffers(3);
    const LoggerCounts counts = rig.logger->counts();
    EXPECT_EQ(counts.buffers_written, 1U);
    EXPECT_EQ(counts.real_time_buffers_lost, 2U);
    EXPECT_EQ(rig.heard.count(Kind::buffers_lost), 1U) << "once in a row";
    ASSERT_TRUE(rig.stop());
}

TEST(Logger, TellsWhenTheBacklogIsFull) {
    LoggerRig rig;
    rig.options.mode = mode::real_time;
    rig.options.file.clear();
    rig.backlog_bytes = 40'000;
    ASSERT_TRUE(rig.start());
    unsigned written = 0;
    while (rig.write(0, 360)) {
        ASSERT_TRUE(++written < 1000);
        ASSERT_TRUE(rig.logger->flush());
    }
    EXPECT_EQ(rig.heard.count(Kind::backlog_full), 1U);
    EXPECT_EQ(rig.heard.count(Kind::buffers_lost), 0U) << "events are, from now on";
    auto consumer = rig.live.connect({});
    ASSERT_TRUE(consumer);
    ASSERT_TRUE(rig.stop());
}

TEST(Logger, SaysWhatAFileCannotBe) {
    LoggerRig rig;
    rig.files.fail({.call = DiskCall::open, .os_code = EACCES, .times = DiskFailure::for_ever});
    const auto started = rig.start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().status, Status::access_denied);
    EXPECT_EQ(started.error().os_code, EACCES);
}

TEST(Logger, StopsOnceAndByItself) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    ASSERT_TRUE(rig.write());
    rig.buffers.close();
    rig.logger.reset(); // as a runtime that is destroyed
    rig.buffers.release();
    EXPECT_EQ(rig.file().streams, rig.records);
    EXPECT_FALSE(rig.file().info.is_unfinalized);
}

TEST(Logger, ServesManyWhoAskAtOnce) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            for (int k = 0; k < 50; ++k) {
                EXPECT_TRUE(rig.logger->flush());
                EXPECT_EQ(rig.logger->counts().file, "t.etl");
            }
        });
    }
    for (int i = 0; i < 100; ++i) {
        while (!rig.write()) {
            std::this_thread::yield();
        }
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    ASSERT_TRUE(rig.stop());
    EXPECT_EQ(rig.file().streams, rig.records);
}

} // namespace
} // namespace etl::session::logger_test
