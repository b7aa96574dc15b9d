// Compressed buffers that are written as much at a time as one buffer holds.
// docs/format/writing.md#gathered
#include "tests/support/failing_files.hpp"
#include "tests/unit/storage/trace/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace etl::trace::log_file_gather_test {
namespace {

using namespace test;
using testing::IsEmpty;

constexpr std::uint32_t size = 0x1000;

LogFileOptions gathering() {
    return {.buffer_size = size, .compression = codec::Format::xpress, .gather = true};
}

std::unique_ptr<LogFile> open(io::FileFactory& files, const LogFileOptions& options,
                              const std::string& path = "t.etl") {
    auto log = LogFile::open(path, story_recording(), options, files);
    EXPECT_TRUE(log);
    return std::move(*log);
}

TEST(GatheredBuffers, MakeTheSameFileWithFewerWrites) {
    io::MemoryFiles one_by_one;
    io::MemoryFiles memory;
    FailingFiles together(memory);
    LogFileOptions plain = gathering();
    plain.gather = false;
    const auto first = open(one_by_one, plain);
    const auto second = open(together, gathering());
    Filler filler(*first);
    Filler same(*second);
    for (int i = 0; i < 40; ++i) {
        filler.write_full();
        same.write_full();
    }
    ASSERT_TRUE(first->close());
    ASSERT_TRUE(second->close());
    EXPECT_EQ(memory.files().at("t.etl"), one_by_one.files().at("t.etl"));
    EXPECT_EQ(second->status().buffers_written, 41U) << "each buffer counts by itself";
    EXPECT_LT(together.count(DiskCall::write), 30U);
}

TEST(GatheredBuffers, AreWrittenAsOneBuffersWorth) {
    io::MemoryFiles files;
    const auto log = open(files, gathering());
    Filler filler(*log);
    const std::uint64_t header = files.files().at("t.etl").size();
    for (int i = 0; i < 40; ++i) {
        filler.write_full();
        EXPECT_EQ((files.files().at("t.etl").size() - header) % size, 0U);
    }
    EXPECT_GT(files.files().at("t.etl").size(), header);
    log->drain();
    EXPECT_NE((files.files().at("t.etl").size() - header) % size, 0U) << "what there is";
    EXPECT_EQ(read_written(files.files().at("t.etl")).streams, filler.records());
    filler.write();
    ASSERT_TRUE(log->close());
    const Written written = read_written(files.files().at("t.etl"));
    EXPECT_THAT(written.checked, IsEmpty());
    EXPECT_EQ(written.streams, filler.records());
}

TEST(GatheredBuffers, ThatAreWholeAreLostOneByOneWhenAWriteFails) {
    for (unsigned nth = 1; nth < 8; ++nth) {
        io::MemoryFiles memory;
        FailingFiles files(memory);
        const auto log = open(files, gathering());
        Filler filler(*log);
        files.fail({.call = DiskCall::write, .nth = nth, .os_code = EIO, .written = 700});
        std::uint64_t given = 0;
        while (log->status().buffers_lost == 0) {
            filler.write_full();
            ++given;
            ASSERT_LT(given, 200U);
        }
        EXPECT_GT(log->status().buffers_lost, 1U) << "several lay there";
        for (int i = 0; i < 10; ++i) {
            filler.write_full();
            ++given;
        }
        ASSERT_TRUE(log->close());
        EXPECT_EQ(log->status().buffers_written - 1 + log->status().buffers_lost, given);
        const Written written = read_written(memory.files().at("t.etl"));
        EXPECT_EQ(written.damage, 0U) << "the buffer that was cut in two was completed";
        EXPECT_EQ(written.buffers.size(), log->status().buffers_written);
        EXPECT_EQ(written.info.header.buffers_written, written.buffers.size());
        EXPECT_EQ(written.info.header.buffers_lost, log->status().buffers_lost);
        const Streams all = filler.records();
        for (const Image& record : written.streams.at(0)) {
            EXPECT_TRUE(std::ranges::find(all.at(0), record) != all.at(0).end());
        }
    }
}

TEST(GatheredBuffers, LeaveNoPartOfABufferBehind) {
    io::MemoryFiles memory;
    FailingFiles files(memory);
    const auto log = open(files, gathering());
    Filler filler(*log);
    for (int i = 0; i < 40; ++i) {
        filler.write_full();
    }
    files.fail({.call = DiskCall::write, .os_code = EIO, .times = 2});
    log->drain(); // fails; the rest of one that is in the file in part stays
    ASSERT_TRUE(log->close());
    const Written written = read_written(memory.files().at("t.etl"));
    EXPECT_EQ(written.damage, 0U);
    EXPECT_EQ(written.info.header.buffers_written, written.buffers.size());
    EXPECT_EQ(log->status().buffers_written - 1 + log->status().buffers_lost, 40U);
    EXPECT_EQ(written.streams, filler.records(0, written.buffers.size() - 1));
}

TEST(GatheredBuffers, KeepTheLimit) {
    io::MemoryFiles files;
    LogFileOptions options = gathering();
    options.limit = {.count = 24, .unit = SizeLimit::Unit::kilobytes};
    const auto log = open(files, options);
    Filler filler(*log);
    while (!log->status().is_full) {
        filler.write_full();
    }
    ASSERT_TRUE(log->close());
    EXPECT_LE(files.files().at("t.etl").size(), 24U << 10U);
    EXPECT_GT(files.files().at("t.etl").size(), 20U << 10U);
    const Written written = read_written(files.files().at("t.etl"));
    EXPECT_EQ(written.streams, filler.records(0, written.buffers.size() - 1));
    EXPECT_EQ(log->status().buffers_lost, 1U);
}

TEST(GatheredBuffers, GoOnInTheNextFileAsAWhole) {
    io::MemoryFiles files;
    LogFileOptions options = gathering();
    options.mode = FileMode::new_file;
    options.limit = {.count = 16, .unit = SizeLimit::Unit::kilobytes};
    const auto log = open(files, options, "t%d.etl");
    Filler filler(*log);
    for (int i = 0; i < 60; ++i) {
        filler.write_full();
    }
    ASSERT_TRUE(log->close());
    ASSERT_GE(files.files().size(), 2U);
    std::vector<Image> all;
    for (unsigned i = 1; i <= files.files().size(); ++i) {
        const Image& image = files.files().at("t" + std::to_string(i) + ".etl");
        EXPECT_LE(image.size(), 16U << 10U);
        const Written written = read_written(image);
        EXPECT_THAT(written.checked, IsEmpty());
        std::ranges::copy(written.streams.at(0), std::back_inserter(all));
    }
    EXPECT_EQ(all, filler.records().at(0));
}

} // namespace
} // namespace etl::trace::log_file_gather_test
