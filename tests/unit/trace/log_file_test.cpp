#include "tests/support/failing_files.hpp"
#include "tests/unit/trace/allocations.hpp"
#include "tests/unit/trace/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::trace {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t size = 0x1000;

std::unique_ptr<LogFile> open(io::FileMaker& files, LogFileOptions options = {},
                              const std::string& path = "t.etl",
                              const Recording& recording = story_recording()) {
    if (options.buffer_size == LogFileOptions{}.buffer_size) {
        options.buffer_size = size;
    }
    auto log = LogFile::open(path, recording, options, files);
    EXPECT_TRUE(log) << describe(log.error());
    return std::move(*log);
}

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
    EXPECT_FALSE(written.info.unfinished);
    EXPECT_EQ(written.info.header.buffers_written, 4U);
    EXPECT_EQ(written.info.header.start_buffers, 1U);
    EXPECT_EQ(written.info.header.end_time, filler.last_time());
    EXPECT_EQ(written.info.header.log_file_name, u"t.etl");
    EXPECT_EQ(files.files().at("t.etl").size(), 4U * size);
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
    EXPECT_EQ(log->status().bytes_written, 2U * size);
    EXPECT_EQ(log->status().buffers_lost, 0U);
    EXPECT_FALSE(log->status().failure);
}

} // namespace
} // namespace etl::trace
