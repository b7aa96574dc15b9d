#include "tests/support/failing_files.hpp"
#include "tests/unit/storage/trace/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace etl::trace::log_file_closing_test {
namespace {

using namespace test;
using testing::IsEmpty;

constexpr std::uint32_t size = 0x1000;

class Closing : public testing::Test {
protected:
    std::unique_ptr<LogFile> open(LogFileOptions options = {},
                                  const Recording& recording = story_recording()) {
        options.buffer_size = size;
        auto log = LogFile::open("t.etl", recording, options, disk_);
        EXPECT_TRUE(log) << describe(log.error());
        return std::move(*log);
    }

    Image& image() { return memory_.files()["t.etl"]; }

    io::MemoryFiles memory_;
    FailingFiles disk_{memory_};
};

TEST_F(Closing, LeavesAnUnfinishedFileWhenAnyStepFails) {
    const LogFileOptions packed{.container = io::Container::zstd,
                                .durability = Durability::at_close};
    const LogFileOptions reserved{
        .limit = {.count = 1}, .preallocate = true, .durability = Durability::at_close};
    const std::vector<std::pair<LogFileOptions, DiskFailure>> cases{
        {packed, {.os_code = EIO, .written = 10}}, // the table
        {packed, {.nth = 2, .os_code = EIO, .written = 0x90}},
        {packed, {.call = DiskCall::sync, .os_code = EIO}},
        {reserved, {.call = DiskCall::resize, .os_code = EIO}},
        {reserved, {.call = DiskCall::sync, .os_code = EIO}},
        {reserved, {.os_code = EIO, .written = 0x90}}, // the header, torn
    };
    for (const auto& [options, failure] : cases) {
        const auto log = open(options);
        Filler filler(*log);
        filler.write();
        disk_.fail(failure);
        const auto closed = log->close();
        ASSERT_FALSE(closed);
        EXPECT_EQ(closed.error().os_code, EIO);
        const Written written = read_written(image());
        EXPECT_TRUE(written.info.is_unfinalized) << static_cast<int>(failure.call);
        EXPECT_EQ(written.info.header.end_time, 0);
        EXPECT_EQ(written.info.header.buffers_written, 0U);
        EXPECT_EQ(written.streams, filler.records());
        disk_ = FailingFiles(memory_);
    }
}

TEST_F(Closing, SaysThatASyncFailedOnTheWay) {
    const auto log = open({.durability = Durability::every_buffer});
    Filler filler(*log);
    disk_.fail({.call = DiskCall::sync, .os_code = EIO});
    filler.write();
    filler.write(); // the system may say that all is well now
    const auto closed = log->close();
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().os_code, EIO);
    EXPECT_TRUE(read_written(image()).info.is_unfinalized);
}

TEST_F(Closing, EndsTheFileForGood) {
    for (const unsigned threads : {1U, 3U}) {
        const auto log = open({.container = io::Container::zstd, .threads = threads});
        Filler filler(*log);
        filler.write();
        ASSERT_TRUE(log->close());
        const Image closed = image();
        filler.write();
        filler.write();
        log->drain();
        EXPECT_FALSE(log->switch_file());
        EXPECT_TRUE(log->close());
        EXPECT_TRUE(image() == closed);
        EXPECT_EQ(log->status().buffers_lost, 2U);
        EXPECT_EQ(log->status().files, 1U);
    }
}

TEST_F(Closing, SaysTheSameTwice) {
    const auto log = open();
    disk_.fail({.os_code = EIO});
    EXPECT_FALSE(log->close());
    const auto again = log->close();
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().os_code, EIO);
}

TEST_F(Closing, LeavesNoTornBytesInWhatWasReserved) {
    const auto log =
        open({.limit = {.count = 1}, .preallocate = true, .compression = codec::Format::xpress});
    Filler filler(*log);
    filler.write();
    disk_.fail({.os_code = ENOSPC, .written = 3500});
    filler.write({.events = 8, .payload = 400, .noise = true});
    filler.write({.events = 1});
    EXPECT_EQ(read_written(image()).damage, 1U); // one buffer is missing
    Streams expected = filler.records(0, 1);
    expected[0].push_back(filler.records(2).at(0).front());
    EXPECT_EQ(read_written(image()).streams, expected);
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(image()).damage, 0U);
}

TEST_F(Closing, CleansUpLaterWhatItCouldNotAtOnce) {
    for (const bool reserved : {false, true}) {
        const auto log = open(
            {.limit = {.count = 1}, .preallocate = reserved, .compression = codec::Format::xpress});
        Filler filler(*log);
        filler.write();
        disk_.fail({.os_code = EIO, .times = 2, .written = 3500});
        disk_.fail({.call = DiskCall::resize, .os_code = EIO});
        filler.write({.events = 8, .payload = 400, .noise = true});
        filler.write({.events = 1});
        filler.write({.events = 1});
        const Written written = read_written(image());
        EXPECT_EQ(written.damage, 1U); // one buffer is missing
        EXPECT_EQ(written.streams.at(0).back(), filler.records(3).at(0).back());
        disk_ = FailingFiles(memory_);
    }
}

TEST_F(Closing, LosesBuffersThatAreNone) {
    Recording windows7 = story_recording();
    windows7.lineage = Lineage::windows7;
    const auto log = open({}, windows7);
    constexpr std::uint32_t least = format::buffer_header::size;
    log->write({.memory = nullptr, .used = least, .sequence = 1});
    log->write({.memory = log->memory(), .used = least - 1, .sequence = 2});
    log->write({.memory = log->memory(), .used = size + 1, .sequence = 3});
    log->write({.memory = log->memory(), .used = least, .processor = 256, .sequence = 4});
    EXPECT_EQ(log->status().buffers_lost, 4U);
    ASSERT_TRUE(log->status().failure);
    EXPECT_EQ(log->status().failure->error.code, ErrorCode::invalid_option);
    log->write({.memory = log->memory(), .used = least, .processor = 255, .sequence = 5});
    log->write({.memory = log->memory(), .used = size, .sequence = 6});
    ASSERT_TRUE(log->close());
    EXPECT_EQ(log->status().buffers_written, 3U);
    EXPECT_EQ(read_written(image()).info.header.buffers_lost, 4U);
    const auto session = open();
    session->write({.memory = session->memory(), .used = least, .processor = 2048, .sequence = 1});
    session->write({.memory = session->memory(), .used = least, .processor = 2047, .sequence = 2});
    EXPECT_EQ(session->status().buffers_lost, 1U);
    ASSERT_TRUE(session->close());
}

TEST_F(Closing, RaisesTheProcessorsToThoseThatItSaw) {
    const auto processors = [&](std::uint32_t told, std::uint16_t named) {
        const auto log = open({}, story_recording(told));
        Filler filler(*log);
        filler.write({.processor = named});
        EXPECT_TRUE(log->close());
        return read_written(image()).info.header;
    };
    EXPECT_EQ(processors(4, 1).number_of_processors, 4U) << "those of the machine";
    EXPECT_EQ(processors(2, 6).number_of_processors, 7U);
    EXPECT_EQ(processors(2, 6).sub_version, 1);
    EXPECT_EQ(processors(2, 300).sub_version, 2) << "the layout of large machines";
}

} // namespace
} // namespace etl::trace::log_file_closing_test
