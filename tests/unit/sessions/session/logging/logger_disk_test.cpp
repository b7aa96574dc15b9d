// What the logger does when the disk fails. docs/session-internals.md#disk
#include "tests/unit/sessions/session/logging/logger_rig.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace etl::session::logger_disk_test {
namespace {

using namespace test;
using Kind = SessionEvent::Kind;

constexpr std::size_t per_buffer = 9;

TEST(LoggerOnAFailingDisk, LosesOneBufferAndGoesOn) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    rig.write_buffers(1);
    rig.files.fail({.call = DiskCall::write, .os_code = EIO, .written = 1000});
    for (std::size_t i = 0; i < per_buffer; ++i) {
        ASSERT_TRUE(rig.write(0, 360));
    }
    const auto flushed = rig.logger->flush();
    ASSERT_FALSE(flushed) << "who asked is told";
    EXPECT_EQ(flushed.error().status, Status::io_device);
    EXPECT_EQ(flushed.error().os_code, EIO);
    EXPECT_EQ(rig.logger->counts().log_buffers_lost, 1U);
    rig.write_buffers(1);
    EXPECT_EQ(rig.logger->counts().buffers_written, 3U);
    ASSERT_TRUE(rig.stop());
    const auto told = rig.heard.of(Kind::write_failed);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].os_code, EIO);
    EXPECT_EQ(told[0].file, "t.etl");
    const Written file = rig.file();
    EXPECT_EQ(file.info.header.buffers_lost, 1U);
    EXPECT_EQ(file.info.header.events_lost, 0U);
    std::vector<Image> kept = rig.part(0, per_buffer);
    std::ranges::copy(rig.part(2 * per_buffer, 3 * per_buffer), std::back_inserter(kept));
    EXPECT_EQ(file.streams.at(0), kept);
}

TEST(LoggerOnAFailingDisk, LosesABufferForWhichThereIsNoMemory) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    rig.write_buffers(1);
    rig.files.fail({.call = DiskCall::write, .os_code = DiskFailure::no_memory});
    for (unsigned k = 0; k < 9; ++k) {
        ASSERT_TRUE(rig.write(0, 360));
    }
    EXPECT_EQ(rig.logger->flush().error().status, Status::not_enough_memory);
    rig.write_buffers(1);
    EXPECT_EQ(rig.logger->counts().log_buffers_lost, 1U);
    ASSERT_TRUE(rig.stop());
    const Written file = rig.file();
    EXPECT_EQ(file.info.header.buffers_lost, 1U);
    EXPECT_EQ(file.buffers.size(), 3U);
    EXPECT_EQ(rig.heard.count(Kind::write_failed), 1U);
}

TEST(LoggerOnAFailingDisk, TellsEachSnapshotOfItsOwnLosses) {
    LoggerRig rig;
    rig.options.mode = mode::buffering;
    ASSERT_TRUE(rig.start());
    ASSERT_TRUE(rig.write());
    rig.files.fail({.call = DiskCall::write, .nth = 2, .os_code = EIO});
    EXPECT_FALSE(rig.logger->snapshot("one.etl"));
    ASSERT_TRUE(rig.logger->snapshot("two.etl"));
    EXPECT_EQ(rig.file("one.etl").info.header.buffers_lost, 1U);
    EXPECT_EQ(rig.file("two.etl").info.header.buffers_lost, 0U);
    EXPECT_EQ(rig.logger->counts().log_buffers_lost, 1U);
}

TEST(LoggerOnAFailingDisk, EndsWhenThereIsNoRoomForLong) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    rig.write_buffers(1);
    rig.files.fail({.call = DiskCall::write, .os_code = ENOSPC, .times = DiskFailure::for_ever});
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(rig.write());
        EXPECT_EQ(rig.logger->flush().error().status, Status::disk_full);
    }
    ASSERT_TRUE(rig.write());
    static_cast<void>(rig.logger->flush());
    EXPECT_THAT(rig.wait_for_end(), testing::ElementsAre(Status::disk_full));
    EXPECT_EQ(rig.logger->flush().error().status, Status::disk_full);
    EXPECT_EQ(rig.stop().error().status, Status::disk_full) << "the header, too, could not be";
    const Written file = rig.file();
    EXPECT_TRUE(file.info.is_unfinalized);
    EXPECT_EQ(file.streams.at(0), rig.part(0, per_buffer));
}

TEST(LoggerOnAFailingDisk, TakesHeartWhenThereIsRoomAgain) {
    LoggerRig rig;
    ASSERT_TRUE(rig.start());
    for (int round = 0; round < 3; ++round) {
        rig.files.fail({.call = DiskCall::write, .os_code = ENOSPC, .times = 3});
        for (int i = 0; i < 3; ++i) {
            ASSERT_TRUE(rig.write());
            static_cast<void>(rig.logger->flush());
        }
        ASSERT_TRUE(rig.write());
        static_cast<void>(rig.logger->flush());
    }
    ASSERT_TRUE(rig.stop());
    EXPECT_FALSE(rig.file().info.is_unfinalized);
    EXPECT_GT(rig.file().info.header.buffers_lost, 0U);
    EXPECT_GE(rig.file().buffers.size(), 4U);
}

TEST(LoggerOnAFailingDisk, RealTimeGoesOnWhenThereIsNoRoom) {
    LoggerRig rig;
    rig.options.mode = mode::real_time;
    ASSERT_TRUE(rig.start());
    auto consumer = rig.live.connect({});
    ASSERT_TRUE(consumer);
    rig.files.fail({.call = DiskCall::write, .os_code = ENOSPC, .times = DiskFailure::for_ever});
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(rig.write());
        static_cast<void>(rig.logger->flush());
    }
    EXPECT_TRUE(rig.logger->flush()) << "without a file nothing fails any more";
    ASSERT_TRUE(rig.stop());
    std::size_t events = 0;
    for (flow::Run run = (*consumer)->next_run(); !run.empty(); run = (*consumer)->next_run()) {
        events += run.size();
    }
    EXPECT_EQ(events, 11U);
}

TEST(LoggerOnAFailingDisk, TriesTheNextFileOfASeriesAgain) {
    LoggerRig rig;
    rig.options.file = "t%d.etl";
    rig.options.mode = mode::new_file | mode::use_kbytes_for_size;
    rig.options.maximum_file_size = 12;
    ASSERT_TRUE(rig.start());
    rig.write_buffers(2); // t1 is full
    rig.files.fail({.call = DiskCall::open, .os_code = EACCES});
    for (std::size_t i = 0; i < per_buffer; ++i) {
        ASSERT_TRUE(rig.write(0, 360));
    }
    EXPECT_EQ(rig.logger->flush().error().status, Status::access_denied);
    rig.write_buffers(1);
    ASSERT_TRUE(rig.stop());
    const auto told = rig.heard.of(Kind::file_switch_failed);
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told[0].os_code, EACCES);
    EXPECT_EQ(rig.file("t1.etl").streams.at(0), rig.part(0, 2 * per_buffer));
    EXPECT_EQ(rig.file("t2.etl").streams.at(0), rig.part(3 * per_buffer, 4 * per_buffer));
    EXPECT_EQ(rig.file("t2.etl").info.header.buffers_lost, 1U);
}

TEST(LoggerOnAFailingDisk, TellsOfASeriesThatCannotGoOnWhenAsked) {
    LoggerRig rig;
    rig.options.file = "t%d.etl";
    rig.options.mode = mode::new_file;
    rig.options.maximum_file_size = 1;
    ASSERT_TRUE(rig.start());
    rig.files.fail({.call = DiskCall::open, .os_code = EACCES});
    EXPECT_EQ(rig.logger->switch_to_next_file().error().status, Status::access_denied);
    EXPECT_EQ(rig.heard.count(Kind::file_switch_failed), 1U);
    ASSERT_TRUE(rig.write());
    ASSERT_TRUE(rig.stop());
    EXPECT_EQ(rig.file("t2.etl").streams, rig.records);
}

TEST(LoggerOnAFailingDisk, SyncsEachBufferWhenAskedTo) {
    LoggerRig rig;
    rig.options.durability = trace::Durability::every_buffer;
    ASSERT_TRUE(rig.start());
    const unsigned before = rig.files.count(DiskCall::sync);
    rig.write_buffers(3);
    ASSERT_TRUE(rig.stop());
    EXPECT_GE(rig.files.count(DiskCall::sync), before + 3);
}

} // namespace
} // namespace etl::session::logger_disk_test
