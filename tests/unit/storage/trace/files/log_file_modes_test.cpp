#include "tests/support/failing_files.hpp"
#include "tests/unit/storage/trace/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace etl::trace::log_file_modes_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t size = 0x1000;
constexpr auto kilobytes = SizeLimit::Unit::kilobytes;

std::unique_ptr<LogFile> open_log(io::FileFactory& files, const LogFileOptions& options,
                                  const std::string& path = "t.etl",
                                  const Recording& recording = story_recording()) {
    auto log = LogFile::open(path, recording, options, files);
    EXPECT_TRUE(log) << describe(log.error());
    return std::move(*log);
}

/// A limit of `buffers` buffers of 4 KB.
LogFileOptions limited(FileMode mode, std::uint32_t buffers) {
    return {.mode = mode, .limit = {.count = 4 * buffers, .unit = kilobytes}, .buffer_size = size};
}

Error refusal(const LogFileOptions& options, const std::string& path = "t.etl",
              const Recording& recording = story_recording()) {
    io::MemoryFiles files;
    auto log = LogFile::open(path, recording, options, files);
    EXPECT_FALSE(log);
    EXPECT_TRUE(files.files().empty()) << "nothing is made for a request that is refused";
    return log ? Error{} : log.error();
}

TEST(SequentialLog, StopsAtTheLimit) {
    io::MemoryFiles files;
    const auto log = open_log(files, limited(FileMode::sequential, 4));
    Filler filler(*log);
    for (int i = 0; i < 3; ++i) {
        filler.write();
    }
    EXPECT_FALSE(log->status().is_full) << "as long as everything fits";
    filler.write();
    filler.write();
    EXPECT_TRUE(log->status().is_full);
    EXPECT_EQ(log->status().buffers_lost, 2U);
    ASSERT_TRUE(log->close());
    const Written written = read_written(files.files().at("t.etl"));
    EXPECT_EQ(written.streams, filler.records(0, 3));
    EXPECT_EQ(written.info.header.buffers_lost, 2U);
    EXPECT_EQ(written.info.header.buffers_written, 4U);
    EXPECT_EQ(written.info.header.maximum_file_size, 16U);
    EXPECT_EQ(files.files().at("t.etl").size(), 4U * size);
}

TEST(SequentialLog, CountsTheLimitInMegabytes) {
    io::MemoryFiles files;
    const auto log = open_log(files, {.limit = {.count = 1}});
    Filler filler(*log);
    for (int i = 0; i < 16; ++i) {
        filler.write();
    }
    EXPECT_EQ(log->status().buffers_written, 16U) << "16 times 64 KB, the header buffer included";
    EXPECT_EQ(log->status().buffers_lost, 1U);
    ASSERT_TRUE(log->close());
    const Written written = read_written(files.files().at("t.etl"));
    EXPECT_EQ(written.info.header.maximum_file_size, 1U);
    EXPECT_EQ(written.info.header.log_file_mode, format::log_mode::sequential);
}

TEST(SequentialLog, CountsCompressedBytesAgainstTheLimit) {
    io::MemoryFiles files;
    LogFileOptions options = limited(FileMode::sequential, 4);
    options.compression = codec::Format::xpress;
    const auto log = open_log(files, options);
    Filler filler(*log);
    while (!log->status().is_full) {
        filler.write_full();
    }
    // What would have fitted into the rest is lost all the same: nothing follows a loss.
    filler.write({.events = 1, .payload = 1});
    EXPECT_EQ(log->status().buffers_lost, 2U);
    ASSERT_TRUE(log->close());
    const Image& image = files.files().at("t.etl");
    EXPECT_GT(log->status().buffers_written, 6U);
    EXPECT_LE(image.size(), 4U * size);
    EXPECT_GT(image.size(), 3U * size);
    const Written written = read_written(image);
    EXPECT_THAT(written.checked, ElementsAre("the session lost events or buffers"));
    EXPECT_EQ(written.streams, filler.records(0, written.buffers.size() - 1));
}

TEST(CircularLog, KeepsTheNewestBuffers) {
    for (unsigned count = 0; count < 12; ++count) {
        io::MemoryFiles files;
        const auto log = open_log(files, limited(FileMode::circular, 5));
        Filler filler(*log);
        for (unsigned i = 0; i < count; ++i) {
            filler.write({.processor = static_cast<std::uint16_t>(i % 2)});
        }
        ASSERT_TRUE(log->close());
        const Image& image = files.files().at("t.etl");
        const unsigned kept = std::min(count, 4U);
        EXPECT_EQ(image.size(), (1 + kept) * size);
        const Written written = read_written(image);
        EXPECT_THAT(written.checked, IsEmpty());
        EXPECT_EQ(written.info.header.buffers_written, 1 + count) << "all that were ever written";
        EXPECT_EQ(written.info.header.start_buffers, 1U);
        EXPECT_EQ(written.streams, filler.records(count - kept));
        for (std::size_t i = 1; i < written.buffers.size(); ++i) {
            const auto k = static_cast<std::uint64_t>(written.buffers[i].sequence);
            EXPECT_EQ(written.buffers[i].where.value / size, k < 5 ? k : 1 + (k - 1) % 4)
                << "sequence " << k;
        }
        EXPECT_EQ(log->status().buffers_lost, 0U);
        // In the order of time: the seam shows nowhere.
        const Reading in_time = read(image);
        EXPECT_TRUE(std::ranges::is_sorted(in_time.ids()));
    }
}

TEST(CircularLog, HasRoomForOneBufferWhateverTheLimit) {
    io::MemoryFiles files;
    const auto log = open_log(files, limited(FileMode::circular, 1));
    Filler filler(*log);
    filler.write();
    filler.write();
    ASSERT_TRUE(log->close());
    const Written written = read_written(files.files().at("t.etl"));
    EXPECT_EQ(written.streams, filler.records(1));
}

TEST(CircularLog, IsReadableInTheMiddleOfAnyWrite) {
    for (unsigned stop = 1; stop <= 9; ++stop) {
        io::MemoryFiles memory;
        FailingFiles files(memory);
        const auto log = open_log(files, limited(FileMode::circular, 4));
        Filler filler(*log);
        for (int i = 0; i < 3; ++i) {
            filler.write();
        }
        // Each write over an old buffer is three writes; the disk goes away in one of them.
        files.fail({.nth = stop, .os_code = EIO, .times = DiskFailure::for_ever, .written = 40});
        for (int i = 0; i < 3; ++i) {
            filler.write();
        }
        const Written written = read_written(memory.files().at("t.etl"));
        EXPECT_TRUE(written.info.is_unfinalized);
        EXPECT_THAT(written.checked,
                    ElementsAre("the trace is not finalized: EndTime and BuffersWritten are 0; "
                                "what its session lost is unknown"))
            << stop;
        ASSERT_EQ(written.streams.size(), 1U);
        const auto& records = written.streams.begin()->second;
        EXPECT_GE(records.size(), 10U) << "two of three buffers";
        const Streams given = filler.records();
        for (const Image& record : records) {
            EXPECT_THAT(given.begin()->second, testing::Contains(record)) << stop;
        }
    }
}

TEST(Preallocation, ReservesAndCutsBack) {
    io::MemoryFiles memory;
    FailingFiles files(memory);
    LogFileOptions options = limited(FileMode::sequential, 10);
    options.preallocate = true;
    const auto log = open_log(files, options);
    Filler filler(*log);
    const Image& image = memory.files().at("t.etl");
    EXPECT_EQ(files.count(DiskCall::allocate), 1U);
    EXPECT_EQ(image.size(), 10U * size);
    filler.write();
    EXPECT_EQ(image.size(), 10U * size);
    const Written unfinished = read_written(image);
    EXPECT_EQ(unfinished.streams, filler.records());
    EXPECT_THAT(unfinished.checked,
                ElementsAre("unwritten tail of a preallocated file",
                            "the trace is not finalized: EndTime and BuffersWritten are 0; "
                            "what its session lost is unknown"));
    ASSERT_TRUE(log->close());
    EXPECT_EQ(image.size(), 2U * size);
    const Written written = read_written(image);
    EXPECT_THAT(written.checked, IsEmpty());
    EXPECT_NE(written.info.header.log_file_mode & format::log_mode::preallocate, 0U);
}

TEST(Preallocation, LeavesAReadableFileWithAnyMode) {
    for (const FileMode mode : {FileMode::circular, FileMode::append, FileMode::new_file}) {
        io::MemoryFiles files;
        LogFileOptions options = limited(mode, 10);
        options.preallocate = true;
        const auto log = open_log(files, options, "t%d");
        Filler filler(*log);
        filler.write();
        const std::string path = mode == FileMode::new_file ? "t1" : "t%d";
        EXPECT_EQ(files.files().at(path).size(), 10U * size);
        EXPECT_EQ(read_written(files.files().at(path)).streams, filler.records());
        ASSERT_TRUE(log->close());
        EXPECT_EQ(files.files().at(path).size(), 2U * size);
    }
}

TEST(Preallocation, ShowsNothingOfABufferThatIsTorn) {
    for (const auto compression : {codec::Format::none, codec::Format::xpress, codec::Format::lznt1,
                                   codec::Format::xpress_huffman}) {
        for (std::size_t torn = 0; torn < size; torn += 11) {
            io::MemoryFiles memory;
            FailingFiles files(memory);
            LogFileOptions options = limited(FileMode::sequential, 10);
            options.preallocate = true;
            options.compression = compression;
            const auto log = open_log(files, options);
            Filler filler(*log);
            filler.write_full();
            // The disk goes away in the middle of the second buffer, or between it and its header.
            files.fail({.os_code = EIO, .written = torn});
            files.fail({.nth = 2, .os_code = EIO, .times = DiskFailure::for_ever});
            filler.write_full();
            const Written written = read_written(memory.files().at("t.etl"));
            ASSERT_EQ(written.streams, filler.records(0, 1)) << torn;
            ASSERT_EQ(written.buffers.size(), 2U) << torn;
        }
    }
}

TEST(Preallocation, GoesWithCompression) {
    io::MemoryFiles files;
    LogFileOptions options = limited(FileMode::sequential, 10);
    options.preallocate = true;
    options.compression = codec::Format::xpress;
    const auto log = open_log(files, options);
    Filler filler(*log);
    filler.write_full();
    const Written unfinished = read_written(files.files().at("t.etl"));
    EXPECT_EQ(unfinished.streams, filler.records());
    EXPECT_THAT(unfinished.checked,
                ElementsAre("unwritten tail of a preallocated file",
                            "the trace is not finalized: EndTime and BuffersWritten are 0; "
                            "what its session lost is unknown"));
    ASSERT_TRUE(log->close());
    EXPECT_LT(files.files().at("t.etl").size(), 2U * size);
    EXPECT_THAT(read_written(files.files().at("t.etl")).checked, IsEmpty());
}

TEST(Preallocation, SaysWhatTheDiskSaid) {
    io::MemoryFiles memory;
    FailingFiles files(memory);
    files.fail({.call = DiskCall::allocate, .os_code = ENOSPC});
    LogFileOptions options = limited(FileMode::sequential, 10);
    options.preallocate = true;
    const auto log = LogFile::open("t.etl", story_recording(), options, files);
    ASSERT_FALSE(log);
    EXPECT_EQ(log.error().code, ErrorCode::io_failure);
    EXPECT_EQ(log.error().os_code, ENOSPC);
}

TEST(DelayedLog, MakesNoFileBeforeTheFirstBuffer) {
    io::MemoryFiles files;
    const auto log = open_log(files, {.delay_open = true});
    EXPECT_THAT(files.files(), IsEmpty());
    EXPECT_EQ(log->status().files, 0U);
    Filler filler(*log);
    filler.write();
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(files.files().at("t.etl")).streams, filler.records());
}

TEST(DelayedLog, MakesNoFileAtAllWithoutABuffer) {
    io::MemoryFiles files;
    const auto log = open_log(files, {.delay_open = true});
    ASSERT_TRUE(log->close());
    EXPECT_THAT(files.files(), IsEmpty());
}

TEST(LogFileOptions, AreRefusedWhereTheyContradictEachOther) {
    using codec::Format;
    const SizeLimit one_megabyte{.count = 1};
    const std::vector<LogFileOptions> impossible{
        {.mode = FileMode::circular, .limit = one_megabyte, .compression = Format::xpress},
        {.mode = FileMode::circular, .limit = one_megabyte, .container = io::Container::zstd},
        {.mode = FileMode::append, .compression = Format::xpress},
        {.mode = FileMode::append, .container = io::Container::lz4},
        {.mode = FileMode::circular},
        {.preallocate = true},
        {.limit = one_megabyte, .preallocate = true, .container = io::Container::zstd},
        {.compression = Format::xpress, .container = io::Container::zstd},
        {.limit = {.count = 127, .unit = kilobytes}},
        {.buffer_size = 1024 - 512},
        {.buffer_size = 4096 + 8},
        {.buffer_size = (16U << 20U) + 512},
        {.buffer_size = 0},
    };
    for (const LogFileOptions& options : impossible) {
        EXPECT_EQ(refusal(options).code, ErrorCode::invalid_option);
        EXPECT_STRNE(refusal(options).what, "");
    }
}

TEST(LogFileOptions, AskForOneNumberInTheNamesOfASeries) {
    const LogFileOptions options{.mode = FileMode::new_file, .limit = {.count = 1}};
    for (const char* const path :
         {"t.etl", "t%.etl", "t%d%d.etl", "t%04d.etl", "100%d/t.etl", "100%/t%%d.etl"}) {
        EXPECT_EQ(refusal(options, path).code, ErrorCode::invalid_option) << path;
    }
    EXPECT_EQ(refusal({.mode = FileMode::new_file}, "t%d.etl").code, ErrorCode::invalid_option)
        << "no limit";
}

TEST(LogFileOptions, AreRefusedWhenNoHeaderBufferHoldsTheNames) {
    Recording recording = story_recording();
    recording.header.session_name = std::u16string(2000, u'n');
    EXPECT_EQ(refusal({.buffer_size = size}, "t.etl", recording).code, ErrorCode::invalid_option);
    EXPECT_EQ(refusal({.buffer_size = size}, std::string(2000, 'p')).code,
              ErrorCode::invalid_option);
}

} // namespace
} // namespace etl::trace::log_file_modes_test
