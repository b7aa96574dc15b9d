// Every file mode as the logger of a session writes it. docs/sessions.md#modes
#include "tests/unit/sessions/session/logging/logger_rig.hpp"

#include <gmock/gmock.h>

namespace etl::session::logger_modes_test {
namespace {

using namespace test;
using testing::IsEmpty;
using Kind = SessionEvent::Kind;

constexpr std::size_t per_buffer = 9; // records that write_buffers puts into one

/// A limit of so many buffers of 4 KB.
void limit(LoggerRig& rig, std::uint32_t bits, std::uint32_t buffers) {
    rig.options.mode |= bits | mode::use_kbytes_for_size;
    rig.options.maximum_file_size = 4 * buffers;
}

TEST(LoggerModes, SequentialFileThatIsFullEndsTheSession) {
    LoggerRig rig;
    limit(rig, mode::sequential, 3);
    ASSERT_TRUE(rig.start());
    rig.write_buffers(2);
    EXPECT_EQ(rig.heard.count(Kind::file_full), 0U);
    rig.write_buffers(1);
    EXPECT_THAT(rig.wait_for_end(), testing::ElementsAre(Status::log_file_full));
    EXPECT_EQ(rig.logger->flush().error().status, Status::log_file_full);
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.stop());
    EXPECT_THAT(rig.wait_for_end(), testing::ElementsAre(Status::log_file_full)) << "once";
    EXPECT_EQ(rig.heard.count(Kind::file_full), 1U);
    const Written file = rig.file();
    EXPECT_EQ(file.streams.at(0), rig.part(0, 2 * per_buffer));
    EXPECT_EQ(file.info.header.buffers_lost, 2U);
    EXPECT_EQ(file.info.header.events_lost, 0U) << "events of lost buffers do not count";
    EXPECT_FALSE(file.info.is_unfinalized);
    EXPECT_LE(rig.memory.files().at("t.etl").size(), 3U * LoggerRig::buffer_size);
}

TEST(LoggerModes, RealTimeGoesOnWithoutAFileThatIsFull) {
    LoggerRig rig;
    limit(rig, mode::sequential | mode::real_time, 3);
    ASSERT_TRUE(rig.start());
    auto consumer = rig.live.connect({});
    ASSERT_TRUE(consumer);
    rig.write_buffers(5);
    EXPECT_TRUE(rig.logger->flush()) << "it has not ended";
    EXPECT_EQ(rig.heard.count(Kind::file_full), 1U);
    EXPECT_EQ(rig.logger->counts().file, "");
    EXPECT_FALSE(rig.file().info.is_unfinalized) << "the file is finished at once";
    ASSERT_TRUE(rig.stop());
    std::size_t events = 0;
    for (flow::Run run = (*consumer)->next_run(); !run.empty(); run = (*consumer)->next_run()) {
        events += run.size();
    }
    EXPECT_EQ(events, 1 + 5 * per_buffer);
    EXPECT_EQ(rig.file().streams.at(0), rig.part(0, 2 * per_buffer));
}

TEST(LoggerModes, CircularFileKeepsTheNewest) {
    LoggerRig rig;
    limit(rig, mode::circular, 5);
    ASSERT_TRUE(rig.start());
    rig.write_buffers(11);
    EXPECT_EQ(rig.logger->counts().buffers_written, 12U);
    ASSERT_TRUE(rig.stop());
    const Written file = rig.file();
    EXPECT_THAT(file.checked, IsEmpty());
    EXPECT_EQ(file.streams.at(0), rig.part(7 * per_buffer, 11 * per_buffer));
    EXPECT_EQ(file.info.header.buffers_written, 12U) << "all that were ever written";
    EXPECT_EQ(rig.heard.count(Kind::file_full), 0U);
}

TEST(LoggerModes, SeriesSwitchesAtTheLimit) {
    LoggerRig rig;
    rig.options.file = "t%d.etl";
    limit(rig, mode::new_file, 4);
    ASSERT_TRUE(rig.start());
    rig.write_buffers(7);
    EXPECT_EQ(rig.logger->counts().file, "t3.etl");
    EXPECT_EQ(rig.logger->counts().buffers_written, 10U) << "three header buffers among them";
    ASSERT_TRUE(rig.stop());
    std::vector<Image> all;
    std::int64_t sequence = 0;
    for (const char* const path : {"t1.etl", "t2.etl", "t3.etl"}) {
        const Written file = rig.file(path);
        EXPECT_THAT(file.checked, IsEmpty()) << path;
        EXPECT_EQ(file.info.header.buffers_written, file.buffers.size());
        for (std::size_t i = 1; i < file.buffers.size(); ++i) {
            EXPECT_EQ(file.buffers[i].sequence, ++sequence) << "numbers go on from file to file";
        }
        std::ranges::copy(file.streams.at(0), std::back_inserter(all));
    }
    EXPECT_EQ(all, rig.records[0]);
    const auto told = rig.heard.of(Kind::new_file);
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[1].file, "t3.etl");
    EXPECT_EQ(told[1].session_name, "Signal Box");
}

TEST(LoggerModes, SeriesSwitchesWhenAsked) {
    LoggerRig rig;
    rig.options.file = "t%d.etl";
    limit(rig, mode::new_file, 100);
    ASSERT_TRUE(rig.start());
    ASSERT_TRUE(rig.write());
    rig.buffers.count_lost(rig.ticket);
    ASSERT_TRUE(rig.logger->switch_to_next_file());
    EXPECT_EQ(rig.logger->counts().file, "t2.etl");
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.stop());
    EXPECT_EQ(rig.file("t1.etl").streams.at(0), rig.part(0, 1)) << "what was there is in the old";
    EXPECT_EQ(rig.file("t2.etl").streams.at(0), rig.part(1, 2));
    EXPECT_EQ(rig.file("t2.etl").info.header.events_lost, 1U) << "those of the session so far";
}

TEST(LoggerModes, OnlyASeriesHasANextFile) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    EXPECT_EQ(rig.logger->switch_to_next_file().error().status, Status::invalid_parameter);
    ASSERT_TRUE(rig.stop());
}

TEST(LoggerModes, GoesOnInAnotherFile) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    ASSERT_TRUE(rig.write());
    rig.buffers.count_lost(rig.ticket);
    ASSERT_TRUE(rig.logger->switch_to("u.etl"));
    EXPECT_EQ(rig.logger->counts().file, "u.etl");
    EXPECT_EQ(rig.heard.of(Kind::new_file).size(), 1U);
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.stop());
    EXPECT_THAT(rig.file("t.etl").checked, testing::ElementsAre(testing::HasSubstr("lost")));
    EXPECT_EQ(rig.file("t.etl").streams.at(0), rig.part(0, 1));
    const Written second = rig.file("u.etl");
    EXPECT_EQ(second.streams.at(0), rig.part(1, 2));
    EXPECT_EQ(second.info.header.events_lost, 1U);
    EXPECT_EQ(second.info.header.log_file_name, u"u.etl");
    EXPECT_EQ(second.buffers.at(1).sequence, 2);
}

TEST(LoggerModes, StaysWithItsFileWhenTheOtherCannotBe) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    rig.files.fail({.call = DiskCall::open, .os_code = EACCES, .times = 2});
    const auto switched = rig.logger->switch_to("u.etl");
    ASSERT_FALSE(switched);
    EXPECT_EQ(switched.error().status, Status::access_denied);
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.stop());
    EXPECT_EQ(rig.file("t.etl").streams, rig.records);
    EXPECT_FALSE(rig.memory.files().contains("u.etl"));
}

TEST(LoggerModes, AppendGoesOnWhereTheFileEnded) {
    LoggerRig first;
    first.options.clock = 2;
    ASSERT_TRUE(first.start());
    first.write_buffers(2);
    ASSERT_TRUE(first.stop());
    LoggerRig second;
    second.memory.files() = first.memory.files();
    second.options.mode = mode::append;
    ASSERT_TRUE(second.start());
    second.write_buffers(1);
    ASSERT_TRUE(second.stop());
    const Written file = second.file();
    EXPECT_THAT(file.checked, IsEmpty());
    EXPECT_EQ(file.sequences(), (std::vector<std::int64_t>{0, 1, 2, 3}));
    std::vector<Image> all = first.records[0];
    std::ranges::copy(second.records[0], std::back_inserter(all));
    EXPECT_EQ(file.streams.at(0), all);
}

TEST(LoggerModes, AppendRefusesAnotherShape) {
    LoggerRig rig;
    rig.memory.files()["t.etl"] = Image(100, std::byte{'x'});
    rig.options.mode = mode::append;
    EXPECT_EQ(rig.start().error().status, Status::invalid_parameter);
}

TEST(LoggerModes, PreallocatesAndCutsBack) {
    LoggerRig rig;
    limit(rig, mode::preallocate, 50);
    ASSERT_TRUE(rig.start());
    EXPECT_EQ(rig.memory.files().at("t.etl").size(), 50U * LoggerRig::buffer_size);
    rig.write_buffers(2);
    ASSERT_TRUE(rig.stop());
    EXPECT_EQ(rig.memory.files().at("t.etl").size(), 3U * LoggerRig::buffer_size);
    EXPECT_EQ(rig.file().streams, rig.records);
}

TEST(LoggerModes, RefusesToPreallocateWhatIsNotThere) {
    LoggerRig rig;
    limit(rig, mode::preallocate, 50);
    rig.files.fail({.call = DiskCall::allocate, .os_code = ENOSPC});
    EXPECT_EQ(rig.start().error().status, Status::disk_full);
    EXPECT_TRUE(rig.memory.files().empty());
}

TEST(LoggerModes, DelayedOpeningAndAddedHeadersChangeNothing) {
    LoggerRig rig;
    rig.options.mode = mode::delay_open | mode::add_header;
    ASSERT_TRUE(rig.start());
    EXPECT_EQ(rig.memory.files().size(), 1U) << "the file is made at once";
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.stop());
    EXPECT_EQ(rig.file().streams, rig.records);
}

TEST(LoggerModes, CompressesBufferByBuffer) {
    LoggerRig rig;
    rig.options.mode = mode::private_logger | mode::private_in_proc | mode::compressed;
    ASSERT_TRUE(rig.start());
    rig.write_buffers(10);
    ASSERT_TRUE(rig.write(1));
    ASSERT_TRUE(rig.stop());
    const Written file = rig.file();
    EXPECT_THAT(file.checked, IsEmpty());
    EXPECT_EQ(file.streams, rig.records);
    EXPECT_EQ(file.info.header.buffers_written, 12U) << "each buffer counts by itself";
    EXPECT_NE(file.info.header.log_file_mode & mode::compressed, 0U);
    EXPECT_EQ(file.info.header.sub_version, 2U);
    EXPECT_LT(rig.memory.files().at("t.etl").size(), 6U * LoggerRig::buffer_size);
}

/// The ring has so many buffers for each stripe as `minimum`; the newest of all are there.
TEST(LoggerModes, RingIsWrittenWhenAsked) {
    LoggerRig rig;
    rig.stripes = 1;
    rig.options.mode = mode::buffering;
    rig.options.file.clear();
    rig.options.minimum_buffers = rig.options.maximum_buffers = 4;
    ASSERT_TRUE(rig.start());
    EXPECT_EQ(rig.logger->counts().thread_id, 0U) << "there is no thread";
    for (std::size_t i = 0; i < 20 * per_buffer + 4; ++i) {
        ASSERT_TRUE(rig.write(0, 360)) << "a ring loses nothing new";
    }
    EXPECT_TRUE(rig.memory.files().empty());
    ASSERT_TRUE(rig.logger->snapshot("one.etl"));
    ASSERT_TRUE(rig.write(0, 360));
    ASSERT_TRUE(rig.logger->snapshot("two.etl"));
    EXPECT_EQ(rig.logger->flush().error().status, Status::bad_pathname);
    ASSERT_TRUE(rig.stop());
    const Written one = rig.file("one.etl");
    EXPECT_THAT(one.checked, IsEmpty());
    EXPECT_FALSE(one.info.is_unfinalized);
    const std::size_t all = 20 * per_buffer + 4;
    EXPECT_EQ(one.streams.at(0), rig.part(17 * per_buffer, all));
    EXPECT_EQ(one.sequences(), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(rig.file("two.etl").streams.at(0), rig.part(17 * per_buffer, all + 1))
        << "what was written stayed in the ring";
}

TEST(LoggerModes, SnapshotsOfACompressedRingAreCompressed) {
    LoggerRig rig;
    rig.options.mode = mode::buffering | mode::compressed;
    rig.options.file.clear();
    ASSERT_TRUE(rig.start());
    for (unsigned i = 0; i < 8; ++i) {
        ASSERT_TRUE(rig.write(static_cast<std::uint16_t>(i % 2), 360));
    }
    ASSERT_TRUE(rig.logger->snapshot("one.etl"));
    ASSERT_TRUE(rig.stop());
    const Written one = rig.file("one.etl");
    EXPECT_EQ(one.streams, rig.records);
    EXPECT_TRUE(one.buffers.at(1).is_compressed());
}

TEST(LoggerModes, BlockingLosesNothing) {
    LoggerRig rig;
    rig.options.mode = mode::private_logger | mode::blocking;
    rig.options.minimum_buffers = rig.options.maximum_buffers = 4;
    ASSERT_TRUE(rig.start());
    for (int i = 0; i < 2000; ++i) {
        ASSERT_TRUE(rig.write(0, 360));
    }
    ASSERT_TRUE(rig.stop());
    EXPECT_EQ(rig.file().streams, rig.records);
    EXPECT_EQ(rig.file().info.header.events_lost, 0U);
}

TEST(LoggerModes, FlushThresholdLeavesRoomForOpenBuffers) {
    LoggerRig rig; // 2 of 4 buffers are open ones
    rig.options.minimum_buffers = 4;
    rig.options.maximum_buffers = 4;
    rig.options.flush_threshold = 100;
    ASSERT_TRUE(rig.start());
    for (std::size_t i = 0; i < per_buffer + 1; ++i) {
        ASSERT_TRUE(rig.write(0, 360));
    }
    while (rig.logger->counts().buffers_written < 2) { // without being asked
        std::this_thread::yield();
    }
    ASSERT_TRUE(rig.stop());
}

TEST(LoggerModes, FlushThresholdFollowsTheNumberOfBuffers) {
    LoggerRig rig;
    rig.options.maximum_buffers = 40;
    rig.options.flush_threshold = 100;
    ASSERT_TRUE(rig.start());
    for (std::size_t i = 0; i < per_buffer + 1; ++i) {
        ASSERT_TRUE(rig.write(0, 360));
    }
    rig.logger->set_maximum_buffers(4);
    while (rig.logger->counts().buffers_written < 2) {
        std::this_thread::yield();
    }
    ASSERT_TRUE(rig.stop());
}

TEST(LoggerModes, FlushThresholdGathersBuffers) {
    LoggerRig rig;
    rig.options.flush_threshold = 4;
    ASSERT_TRUE(rig.start());
    for (std::size_t i = 0; i < 3 * per_buffer; ++i) { // two full ones, one open
        ASSERT_TRUE(rig.write(0, 360));
    }
    EXPECT_LE(rig.logger->counts().buffers_written, 3U);
    ASSERT_TRUE(rig.logger->flush());
    EXPECT_EQ(rig.logger->counts().buffers_written, 4U);
    for (std::size_t i = 0; i < 60 * per_buffer; ++i) {
        while (!rig.write(0, 360)) {
            std::this_thread::yield();
        }
    }
    ASSERT_TRUE(rig.stop());
    EXPECT_EQ(rig.file().streams, rig.records);
}

} // namespace
} // namespace etl::session::logger_modes_test
