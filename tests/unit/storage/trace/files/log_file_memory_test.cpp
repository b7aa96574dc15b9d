// Threads of a log, and the memory that it holds.
#include "tests/support/counting_new.hpp"
#include "tests/support/failing_files.hpp"
#include "tests/unit/storage/trace/files/opened_log.hpp"
#include "tests/unit/storage/trace/filled.hpp"

#include <gtest/gtest.h>

namespace etl::trace::log_file_memory_test {
namespace {

using namespace test;

TEST(LogFile, WritesTheSameWithAnyNumberOfThreads) {
    const std::vector<LogFileOptions> kinds{{.compression = codec::Format::xpress},
                                            {.container = io::Container::zstd},
                                            {.container = io::Container::lz4},
                                            {}};
    for (LogFileOptions options : kinds) {
        Image expected;
        for (const unsigned threads : {1U, 2U, 5U}) {
            io::MemoryFiles files;
            options.threads = threads;
            const auto log = open(files, options);
            Filler filler(*log);
            write_some(filler, 100);
            log->drain();
            EXPECT_EQ(log->status().buffers_written, 101U) << "nothing is under way any more";
            ASSERT_TRUE(log->close());
            const Image& image = files.files().at("t.etl");
            expected = threads == 1 ? image : expected;
            EXPECT_EQ(image.size(), expected.size());
            EXPECT_TRUE(image == expected) << threads;
        }
    }
}

TEST(LogFile, LosesInOrderWithThreads) {
    io::MemoryFiles memory;
    FailingFiles files(memory);
    const auto log = open(files, {.compression = codec::Format::xpress, .threads = 4});
    Filler filler(*log);
    files.fail({.nth = 10, .os_code = EIO, .times = 5, .written = 99});
    for (int i = 0; i < 40; ++i) {
        filler.write();
    }
    ASSERT_TRUE(log->close());
    EXPECT_EQ(log->status().buffers_lost, 5U);
    Streams expected = filler.records(0, 9);
    const Streams later = filler.records(14);
    expected[0].insert(expected[0].end(), later.at(0).begin(), later.at(0).end());
    const Written written = read_written(memory.files().at("t.etl"));
    EXPECT_EQ(written.streams, expected);
    EXPECT_EQ(written.damage, 0U);
}

TEST(LogFile, HoldsABoundedNumberOfBuffers) {
    io::MemoryFiles files;
    const auto log = open(files, {.compression = codec::Format::xpress, .threads = 2});
    Filler filler(*log);
    std::vector<const std::byte*> seen;
    for (int i = 0; i < 200; ++i) {
        FilledBuffer buffer = filler.fill();
        seen.push_back(buffer.memory.get());
        log->write(std::move(buffer));
    }
    ASSERT_TRUE(log->close());
    std::ranges::sort(seen);
    const auto repeated = std::ranges::unique(seen);
    EXPECT_LE(seen.size() - repeated.size(), 5U) << "two for each thread, and one to fill";
}

TEST(LogFile, KeepsNoMoreMemoryThanItNeedsForTheNextBuffers) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "the sanitizer counts";
    }
    for (const unsigned threads : {1U, 2U}) {
        NullFiles files;
        const auto log = open(files, {.compression = codec::Format::xpress, .threads = threads});
        const std::size_t before = allocations().live;
        std::vector<BufferMemory> open_at_once;
        for (int i = 0; i < 1000; ++i) {
            open_at_once.push_back(log->memory());
        }
        for (BufferMemory& memory : open_at_once) {
            log->write({.memory = std::move(memory), .used = 0x48});
        }
        log->drain();
        EXPECT_LT(allocations().live - before, 40U * log_buffer_size);
        ASSERT_TRUE(log->close());
    }
}

TEST(LogFile, LosesABufferThatThereIsNoMemoryToPack) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "allocations cannot be refused under this sanitizer";
    }
    for (const LogFileOptions& options :
         {LogFileOptions{.compression = codec::Format::xpress, .threads = 1},
          LogFileOptions{.compression = codec::Format::xpress, .threads = 3},
          LogFileOptions{.container = io::Container::zstd, .threads = 3},
          LogFileOptions{.container = io::Container::lz4, .threads = 3}}) {
        NullFiles files;
        const auto log = open(files, options);
        Filler filler(*log);
        std::vector<FilledBuffer> buffers;
        for (int i = 0; i < 20; ++i) {
            buffers.push_back(filler.fill({.events = 8, .payload = 400, .noise = true}));
        }
        {
            const AllocationLimit limit(log_buffer_size / 2);
            for (FilledBuffer& buffer : buffers) {
                log->write(std::move(buffer));
            }
            log->drain();
        }
        EXPECT_EQ(log->status().buffers_lost, 20U);
        ASSERT_TRUE(log->status().failure);
        EXPECT_EQ(log->status().failure->error.code, ErrorCode::limit);
        filler.write();
        log->drain();
        EXPECT_EQ(log->status().buffers_written, 2U) << "when there is some again";
        EXPECT_TRUE(log->close());
    }
}

TEST(LogFile, AllocatesNothingPerBuffer) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "the sanitizer counts";
    }
    for (const auto format : {codec::Format::none, codec::Format::xpress}) {
        NullFiles files;
        const auto log = open(files, {.compression = format});
        const auto write = [&](std::int64_t sequence) {
            FilledBuffer buffer{.memory = log->memory(), .used = 0x800, .sequence = sequence};
            std::fill_n(buffer.memory.get(), 0x800, std::byte{'x'});
            log->write(std::move(buffer));
        };
        write(1);
        write(2);
        const std::size_t before = allocations().count;
        for (std::int64_t i = 3; i < 100; ++i) {
            write(i);
        }
        EXPECT_EQ(allocations().count, before);
        ASSERT_TRUE(log->close());
    }
}

} // namespace
} // namespace etl::trace::log_file_memory_test
