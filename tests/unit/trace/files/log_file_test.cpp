#include "tests/support/failing_files.hpp"
#include "tests/support/counting_new.hpp"
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
                              const Recording& recording = story_recording()) {
    options.buffer_size = size;
    auto log = LogFile::open("t.etl", recording, options, files);
    EXPECT_TRUE(log) << describe(log.error());
    return std::move(*log);
}

/// Buffers of some processors, full, half full and empty ones among them.
void write_some(Filler& filler, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        filler.write({.processor = static_cast<std::uint16_t>(i % 3),
                      .events = i % 8,
                      .payload = 300,
                      .noise = i % 7 == 3});
    }
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
    const format::LogfileHeader& header = written.info.header;
    EXPECT_FALSE(written.info.unfinished);
    EXPECT_EQ(header.buffers_written, 4U);
    EXPECT_EQ(header.start_buffers, 1U);
    EXPECT_EQ(header.end_time, filler.last_time());
    EXPECT_EQ(header.log_file_name, u"t.etl");
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

TEST(LogFile, CanBeReadAtAnyMoment) {
    io::MemoryFiles files;
    const auto log = open(files);
    Filler filler(*log);
    for (int i = 0; i < 4; ++i) {
        const Written written = read_written(files.files().at("t.etl"));
        EXPECT_TRUE(written.info.unfinished);
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
    EXPECT_TRUE(written.info.unfinished);
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
            EXPECT_LT(files.files().at("t.etl").size(), 20U * size);
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
        EXPECT_LT(image.size(), 20U * size);
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
        EXPECT_TRUE(read_written(unfinished).info.unfinished);
    }
}

TEST(LogFile, KeepsAContainerWithinItsLimit) {
    for (const auto container : {io::Container::zstd, io::Container::lz4}) {
        io::MemoryFiles files;
        const auto log = open(files, {.limit = {.count = 32, .unit = SizeLimit::Unit::kilobytes},
                                      .container = container});
        Filler filler(*log);
        while (!log->status().full) {
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
        EXPECT_LT(allocations().live - before, 40U * size);
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
            const AllocationLimit limit(size / 2);
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

TEST(LogFile, PutsExtrasBehindTheHeaderRecord) {
    Recording recording = story_recording();
    ByteWriter extras;
    ASSERT_TRUE(format::encode(format::SystemRecord{.hook_id = 0x50, .time = story_start}, extras));
    ASSERT_TRUE(
        format::encode(format::PerfinfoRecord{.hook_id = 0x52, .time = story_start}, extras));
    recording.extras.assign(extras.view().begin(), extras.view().end());
    for (const Lineage lineage : {Lineage::session, Lineage::relogger, Lineage::windows7}) {
        recording.lineage = lineage;
        io::MemoryFiles files;
        const auto log = open(files, {}, recording);
        ASSERT_TRUE(log->close());
        const Reading reading = read(files.files().at("t.etl"));
        ASSERT_EQ(reading.events.size(), 3U);
        EXPECT_EQ(reading.events[2].kind, format::RecordKind::perfinfo64);
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
} // namespace etl::trace
