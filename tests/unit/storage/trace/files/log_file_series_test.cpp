#include "base/text.hpp"
#include "tests/unit/storage/trace/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::trace::log_file_series_test {
namespace {

using namespace test;
using testing::IsEmpty;

constexpr std::uint32_t size = 0x1000;

std::unique_ptr<LogFile> open(io::FileFactory& files, const LogFileOptions& options,
                              const std::string& path,
                              const Recording& recording = story_recording()) {
    auto log = LogFile::open(path, recording, options, files);
    EXPECT_TRUE(log) << describe(log.error());
    return std::move(*log);
}

/// Files of at most `buffers` buffers of 4 KB.
LogFileOptions limited(std::uint32_t buffers) {
    return {.mode = FileMode::new_file,
            .limit = {.count = 4 * buffers, .unit = SizeLimit::Unit::kilobytes},
            .buffer_size = size};
}

TEST(NewFileLog, GoesOnInTheNextFile) {
    io::MemoryFiles files;
    const auto log = open(files, limited(3), "t%d.etl");
    Filler filler(*log);
    for (int i = 0; i < 5; ++i) {
        filler.write();
    }
    log->add_lost_events(3);
    ASSERT_TRUE(log->close());
    ASSERT_EQ(files.files().size(), 3U);
    EXPECT_EQ(log->status().files, 3U);
    EXPECT_EQ(log->status().path, "t3.etl");
    EXPECT_EQ(log->status().buffers_written, 5U + 3U);
    EXPECT_EQ(log->status().buffers_lost, 0U);
    const std::vector<std::vector<std::int64_t>> sequences{{0, 1, 2}, {0, 3, 4}, {0, 5}};
    for (unsigned n = 1; n <= 3; ++n) {
        const std::string path = "t" + std::to_string(n) + ".etl";
        const Written written = read_written(files.files().at(path));
        EXPECT_EQ(written.sequences(), sequences[n - 1]);
        EXPECT_EQ(written.streams, filler.records(2 * n - 2, 2 * n)) << path;
        EXPECT_EQ(written.info.header.buffers_written, sequences[n - 1].size());
        EXPECT_EQ(written.info.header.log_file_name, to_utf16(path));
        EXPECT_EQ(written.info.header.start_time, story_start);
        EXPECT_NE(written.info.header.end_time, 0);
        EXPECT_EQ(written.info.header.events_lost, n == 3 ? 3U : 0U);
        EXPECT_EQ(written.checked.size(), n == 3 ? 1U : 0U) << "of the lost events";
    }
}

TEST(NewFileLog, TakesPercentSignsInNamesOfFoldersAsTheyAre) {
    for (const char* const folder : {"100%/", "a%dumped/b%s/", "C:\\%d\\"}) {
        io::MemoryFiles files;
        const std::string path = folder;
        const auto log = open(files, limited(3), path + "t%d.etl");
        ASSERT_TRUE(log);
        EXPECT_EQ(log->status().path, path + "t1.etl");
        ASSERT_TRUE(log->switch_file());
        EXPECT_EQ(log->status().path, path + "t2.etl");
        ASSERT_TRUE(log->close());
        EXPECT_EQ(read_written(files.files().at(path + "t2.etl")).info.header.log_file_name,
                  to_utf16(path + "t2.etl"));
    }
}

TEST(NewFileLog, NumbersTheNameThatItWasGiven) {
    io::MemoryFiles files;
    Recording recording = story_recording();
    recording.header.log_file_name = u"C:\\logs\\t%d.etl";
    const auto log = open(files, limited(3), "out%d.etl", recording);
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(files.files().at("out1.etl")).info.header.log_file_name,
              u"C:\\logs\\t1.etl");
}

TEST(NewFileLog, SwitchesWhenAsked) {
    io::MemoryFiles files;
    const auto log = open(files, limited(100), "%d");
    Filler filler(*log);
    filler.write();
    ASSERT_TRUE(log->switch_file());
    EXPECT_FALSE(read_written(files.files().at("1")).info.is_unfinalized);
    EXPECT_TRUE(read_written(files.files().at("2")).info.is_unfinalized);
    filler.write();
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(files.files().at("2")).streams, filler.records(1));
}

TEST(NewFileLog, IsTheOnlyOneThatSwitches) {
    io::MemoryFiles files;
    const auto log = open(files, {.buffer_size = size}, "t");
    const auto switched = log->switch_file();
    ASSERT_FALSE(switched);
    EXPECT_EQ(switched.error().code, ErrorCode::invalid_option);
}

TEST(NewFileLog, TellsTheEndOfTheRecordingInTheLastFileOnly) {
    io::MemoryFiles files;
    Recording recording = story_recording();
    recording.header.end_time = story_start + 777'000'000;
    const auto log = open(files, limited(2), "%d", recording);
    Filler filler(*log);
    filler.write();
    const std::int64_t first_end = filler.last_time();
    filler.write();
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(files.files().at("1")).info.header.end_time, first_end);
    EXPECT_EQ(read_written(files.files().at("2")).info.header.end_time, story_start + 777'000'000);
}

TEST(NewFileLog, LosesOnlyWhatNoFileHolds) {
    io::MemoryFiles files;
    LogFileOptions options = limited(2);
    options.container = io::Container::zstd;
    // Frames of noise are larger than it: a header buffer full of it leaves too little room.
    Recording recording = story_recording();
    ByteWriter extras;
    Image noise(3600);
    std::uint32_t random = 1;
    for (std::byte& byte : noise) {
        random = random * 1664525U + 1013904223U;
        byte = static_cast<std::byte>(random >> 24U);
    }
    ASSERT_TRUE(format::encode(format::EventRecord{.time = story_start, .payload = noise}, extras));
    recording.extra_records.assign(extras.view().begin(), extras.view().end());
    const auto log = open(files, options, "%d", recording);
    Filler filler(*log);
    filler.write({.events = 1, .payload = 3940, .noise = true});
    EXPECT_EQ(log->status().buffers_lost, 1U);
    EXPECT_FALSE(log->status().is_full);
    filler.write();
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(files.files().at("1")).streams, filler.records(1));
}

TEST(NewFileLog, CompressesEachFile) {
    io::MemoryFiles files;
    LogFileOptions options = limited(3);
    options.compression = codec::Format::xpress;
    const auto log = open(files, options, "%d");
    Filler filler(*log);
    for (int i = 0; i < 20; ++i) {
        filler.write_full();
    }
    ASSERT_TRUE(log->close());
    Streams records;
    EXPECT_GT(files.files().size(), 2U);
    for (const auto& [path, image] : files.files()) {
        EXPECT_LE(image.size(), 3U * size);
        const Written written = read_written(image);
        EXPECT_THAT(written.checked, IsEmpty());
        for (const auto& [processor, stream] : written.streams) {
            auto& all = records[processor];
            all.insert(all.end(), stream.begin(), stream.end());
        }
    }
    EXPECT_EQ(records, filler.records());
}

} // namespace
} // namespace etl::trace::log_file_series_test
