// What a log writes, and how it comes back.
#include "tests/unit/storage/trace/files/opened_log.hpp"
#include "tests/unit/storage/trace/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::trace::log_file_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(LogFile, WritesWhatItWasGiven) {
    io::MemoryFiles files;
    const auto log = open(files);
    Filler filler(*log);
    filler.write({.processor = 0});
    filler.write({.processor = 1});
    filler.write_full(0);
    ASSERT_TRUE(log->close());
    const Written written = read_written(files.files().at("t.etl"));
    EXPECT_THAT(written.checked, IsEmpty());
    EXPECT_EQ(written.streams, filler.records());
    EXPECT_THAT(written.sequences(), ElementsAre(0, 1, 2, 3));
    const format::LogfileHeader& header = written.info.header;
    EXPECT_FALSE(written.info.is_unfinalized);
    EXPECT_EQ(header.buffers_written, 4U);
    EXPECT_EQ(header.start_buffers, 1U);
    EXPECT_EQ(header.end_time, filler.last_time());
    EXPECT_EQ(header.log_file_name, u"t.etl");
    EXPECT_EQ(files.files().at("t.etl").size(), 4U * log_buffer_size);
}

TEST(LogFile, TellsWhatItWrote) {
    io::MemoryFiles files;
    const auto log = open(files);
    Filler filler(*log);
    EXPECT_EQ(log->status().buffers_written, 1U) << "the header buffer";
    EXPECT_EQ(log->status().files, 1U);
    EXPECT_EQ(log->status().path, "t.etl");
    filler.write();
    ASSERT_TRUE(log->close());
    EXPECT_EQ(log->status().buffers_written, 2U);
    EXPECT_EQ(log->status().bytes_written, 2U * log_buffer_size);
    EXPECT_EQ(log->status().buffers_lost, 0U);
    EXPECT_FALSE(log->status().failure);
}

TEST(LogFile, CanBeReadAtAnyMoment) {
    io::MemoryFiles files;
    const auto log = open(files);
    Filler filler(*log);
    for (int i = 0; i < 4; ++i) {
        const Written written = read_written(files.files().at("t.etl"));
        EXPECT_TRUE(written.info.is_unfinalized);
        EXPECT_EQ(written.streams, filler.records());
        EXPECT_EQ(written.damage, 0U);
        filler.write();
    }
}

TEST(LogFile, LeavesAnUnfinishedFileWhenItIsNotClosed) {
    io::MemoryFiles files;
    {
        const auto log = open(files);
        Filler filler(*log);
        filler.write();
    }
    const Written written = read_written(files.files().at("t.etl"));
    EXPECT_TRUE(written.info.is_unfinalized);
    EXPECT_EQ(written.buffers.size(), 2U);
}

TEST(LogFile, ComesBackInAnyCompression) {
    for (const auto format :
         {codec::Format::lznt1, codec::Format::xpress, codec::Format::xpress_huffman}) {
        for (const Lineage lineage : {Lineage::session, Lineage::relogger, Lineage::windows7}) {
            Recording recording = story_recording(3);
            recording.lineage = lineage;
            io::MemoryFiles files;
            const auto log = open(files, {.compression = format}, recording);
            Filler filler(*log);
            write_some(filler, 30);
            ASSERT_TRUE(log->close());
            const Written written = read_written(files.files().at("t.etl"));
            EXPECT_THAT(written.checked, IsEmpty());
            EXPECT_EQ(written.streams, filler.records());
            EXPECT_EQ(written.info.header.sub_version, 2);
            EXPECT_NE(written.info.header.log_file_mode & format::log_mode::compressed, 0U);
            EXPECT_LT(files.files().at("t.etl").size(), 20U * log_buffer_size);
        }
    }
}

TEST(LogFile, ComesBackOutOfAContainer) {
    for (const auto container : {io::Container::zstd, io::Container::lz4}) {
        io::MemoryFiles files;
        const auto log = open(files, {.container = container});
        Filler filler(*log);
        write_some(filler, 30);
        const Image unfinished = files.files().at("t.etl");
        ASSERT_TRUE(log->close());
        const Image& image = files.files().at("t.etl");
        EXPECT_LT(image.size(), 20U * log_buffer_size);
        EXPECT_EQ(image.size(), log->status().bytes_written);
        const auto frames = io::frames_by_seek_table(container, image);
        EXPECT_EQ(frames.size(), 31U);
        EXPECT_EQ(frames.front().packed_size,
                  unfinished.size() - (frames.back().where.value + frames.back().packed_size -
                                       frames[1].where.value));
        for (const Image& each : {image, unfinished}) {
            const Written written = read_written(each);
            EXPECT_EQ(written.streams, filler.records());
            EXPECT_EQ(written.damage, 0U);
        }
        EXPECT_THAT(read_written(image).checked, IsEmpty());
        EXPECT_EQ(read_written(image).info.header.buffers_written, 31U);
        EXPECT_TRUE(read_written(unfinished).info.is_unfinalized);
    }
}

TEST(LogFile, KeepsAContainerWithinItsLimit) {
    for (const auto container : {io::Container::zstd, io::Container::lz4}) {
        io::MemoryFiles files;
        const auto log = open(files, {.limit = {.count = 32, .unit = SizeLimit::Unit::kilobytes},
                                      .container = container});
        Filler filler(*log);
        while (!log->status().is_full) {
            filler.write({.events = 8, .payload = 400, .noise = true});
        }
        ASSERT_TRUE(log->close());
        const Image& image = files.files().at("t.etl");
        EXPECT_LE(image.size(), 32U << 10U);
        EXPECT_GT(image.size(), 28U << 10U);
        const Written written = read_written(image);
        EXPECT_EQ(written.streams, filler.records(0, written.buffers.size() - 1));
    }
}

TEST(LogFile, PutsExtrasBehindTheHeaderRecord) {
    Recording recording = story_recording();
    ByteWriter extras;
    ASSERT_TRUE(format::encode(format::SystemRecord{.hook_id = 0x50, .time = story_start}, extras));
    ASSERT_TRUE(
        format::encode(format::PerfinfoRecord{.hook_id = 0x52, .time = story_start}, extras));
    recording.extra_records.assign(extras.view().begin(), extras.view().end());
    for (const Lineage lineage : {Lineage::session, Lineage::relogger, Lineage::windows7}) {
        recording.lineage = lineage;
        io::MemoryFiles files;
        const auto log = open(files, {}, recording);
        ASSERT_TRUE(log->close());
        const Reading reading = read(files.files().at("t.etl"));
        ASSERT_EQ(reading.events.size(), 3U);
        EXPECT_EQ(reading.events[2].kind, format::wide(format::RecordFamily::perfinfo));
        EXPECT_THAT(reading.findings, IsEmpty());
    }
}

TEST(LogFile, EndsWhenTheRecordingDidOrWithItsNewestEvent) {
    const auto end = [](Recording recording, std::int64_t newest) {
        io::MemoryFiles files;
        const auto log = open(files, {}, recording);
        log->write({.memory = log->memory(), .used = 0x48, .sequence = 1, .newest_time = newest});
        EXPECT_TRUE(log->close());
        return read_written(files.files().at("t.etl")).info.header.end_time;
    };
    const Recording qpc = begin_recording({story_start}, 1, format::ClockType::qpc);
    EXPECT_EQ(end(qpc, 5000), story_start + 5000);
    EXPECT_EQ(end(qpc, -5000), story_start) << "no session ends before it starts";
    Recording told = qpc;
    told.header.end_time = story_start + 1;
    EXPECT_EQ(end(told, 5000), story_start + 1);
}

TEST(LogFile, CountsLostEvents) {
    io::MemoryFiles files;
    const auto log = open(files);
    log->add_lost_events(2);
    log->add_lost_events(3);
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(files.files().at("t.etl")).info.header.events_lost, 5U);
}

TEST(LogFile, CountsTheProcessorsThatItSaw) {
    io::MemoryFiles files;
    const auto log = open(files, {}, story_recording(0));
    Filler filler(*log);
    filler.write({.processor = 6});
    EXPECT_EQ(read_written(files.files().at("t.etl")).info.header.number_of_processors, 1U);
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(files.files().at("t.etl")).info.header.number_of_processors, 7U);
}

} // namespace
} // namespace etl::trace::log_file_test
