// Logs that cannot be opened, and logs on a disk that fails.
#include "io/output_file.hpp"
#include "tests/support/failing_files.hpp"
#include "tests/unit/storage/trace/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace etl::trace::log_file_failures_test {

namespace {

using namespace test;
using testing::IsEmpty;

constexpr std::uint32_t size = 0x1000;
constexpr auto kilobytes = SizeLimit::Unit::kilobytes;
const std::string path = "t.etl";

class FailedOpen : public testing::Test {
protected:
    /// A finished trace of three buffers.
    void write_first(LogFileOptions options = {}) {
        options.buffer_size = size;
        auto log = LogFile::open(path, story_recording(), options, memory_);
        ASSERT_TRUE(log);
        Filler filler(**log);
        filler.write();
        filler.write();
        ASSERT_TRUE((*log)->close());
    }

    Error refusal(LogFileOptions options, const DiskFailure& failure) {
        options.buffer_size = size;
        FailingFiles disk(memory_);
        disk.fail(failure);
        auto log = LogFile::open(path, story_recording(), options, disk);
        EXPECT_FALSE(log);
        return log ? Error{} : log.error();
    }

    Image& image() { return memory_.files()[path]; }

    io::MemoryFiles memory_;
};

TEST_F(FailedOpen, LeavesAFileToAppendToAsItWas) {
    write_first();
    const Image before = image();
    const LogFileOptions plain{.mode = FileMode::append};
    const LogFileOptions reserving{
        .mode = FileMode::append, .limit = {.count = 64, .unit = kilobytes}, .preallocate = true};
    for (const std::size_t torn : {0U, 100U, 4000U}) {
        for (const LogFileOptions& options : {plain, reserving}) {
            EXPECT_EQ(refusal(options, {.os_code = EIO, .written = torn}).os_code, EIO);
            EXPECT_TRUE(image() == before) << torn;
        }
    }
    EXPECT_EQ(refusal(reserving, {.call = DiskCall::allocate, .os_code = ENOSPC}).os_code, ENOSPC);
    EXPECT_TRUE(image() == before);
}

TEST_F(FailedOpen, LeavesAnUnfinishedFileToAppendToAsItWas) {
    {
        auto log = LogFile::open(path, story_recording(), {.buffer_size = size}, memory_);
        ASSERT_TRUE(log);
        Filler filler(**log);
        filler.write();
    }
    image().resize(image().size() + 1000, std::byte{7}); // torn
    const Image before = image();
    const LogFileOptions options{
        .mode = FileMode::append, .limit = {.count = 64, .unit = kilobytes}, .preallocate = true};
    for (const DiskCall call : {DiskCall::write, DiskCall::resize, DiskCall::allocate}) {
        EXPECT_EQ(refusal(options, {.call = call, .os_code = EIO, .written = 200}).os_code, EIO);
        EXPECT_TRUE(image() == before) << static_cast<int>(call);
    }
}

TEST_F(FailedOpen, LeavesAFileToReplaceAsItWasWhenThereIsNoRoom) {
    write_first();
    const Image before = image();
    const LogFileOptions options{.limit = {.count = 64, .unit = kilobytes}, .preallocate = true};
    EXPECT_EQ(refusal(options, {.call = DiskCall::allocate, .os_code = ENOSPC}).os_code, ENOSPC);
    EXPECT_TRUE(image() == before);
    image() = Image(100, std::byte{1}); // smaller than the header buffer that shall replace it
    EXPECT_EQ(refusal({}, {.call = DiskCall::allocate, .os_code = ENOSPC}).os_code, ENOSPC);
    EXPECT_EQ(image(), Image(100, std::byte{1}));
}

TEST_F(FailedOpen, ReplacesAllOfAFile) {
    write_first();
    for (const bool reserves : {false, true}) {
        image() = Image(70000, std::byte{1});
        LogFileOptions options{.limit = {.count = 64, .unit = kilobytes},
                               .preallocate = reserves,
                               .buffer_size = size};
        auto log = LogFile::open(path, story_recording(), options, memory_);
        ASSERT_TRUE(log);
        EXPECT_EQ(image().size(), reserves ? 65536U : size);
        for (std::size_t i = size; i < image().size(); ++i) {
            ASSERT_EQ(image()[i], std::byte{0}) << i;
        }
    }
}

TEST_F(FailedOpen, LeavesNoNewFileBehind) {
    const LogFileOptions options{.limit = {.count = 64, .unit = kilobytes},
                                 .preallocate = true,
                                 .durability = Durability::every_buffer};
    for (const DiskCall call : {DiskCall::write, DiskCall::allocate, DiskCall::sync}) {
        EXPECT_EQ(refusal(options, {.call = call, .os_code = EIO, .written = 100}).os_code, EIO);
        EXPECT_THAT(memory_.files(), IsEmpty());
    }
}

TEST_F(FailedOpen, LeavesNoNextFileOfASeriesBehind) {
    FailingFiles disk(memory_);
    const LogFileOptions options{
        .mode = FileMode::new_file, .limit = {.count = 8, .unit = kilobytes}, .buffer_size = size};
    auto log = LogFile::open("%d", story_recording(), options, disk);
    ASSERT_TRUE(log);
    Filler filler(**log);
    filler.write();
    disk.fail({.nth = 2, .os_code = EIO, .times = 2, .written = 100}); // behind the final header
    filler.write();
    EXPECT_EQ(memory_.files().size(), 1U);
    filler.write();
    EXPECT_EQ(memory_.files().size(), 1U);
    filler.write();
    EXPECT_TRUE((*log)->close()) << describe((*log)->close().error());
    EXPECT_EQ(memory_.files().size(), 2U);
    EXPECT_EQ((*log)->status().buffers_lost, 2U);
}

TEST_F(FailedOpen, CloseSaysThatADelayedFileWasNeverMade) {
    FailingFiles disk(memory_);
    disk.fail({.call = DiskCall::open, .os_code = EACCES, .times = DiskFailure::for_ever});
    auto log = LogFile::open(path, story_recording(), {.delay_open = true}, disk);
    ASSERT_TRUE(log);
    Filler filler(**log);
    filler.write();
    const auto closed = (*log)->close();
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().os_code, EACCES);
    EXPECT_EQ((*log)->status().buffers_lost, 1U);
}

TEST_F(FailedOpen, MakesADelayedFileForWhatWasLostOnly) {
    auto log = LogFile::open(path, story_recording(), {.delay_open = true}, memory_);
    ASSERT_TRUE(log);
    (*log)->add_lost_events(4);
    ASSERT_TRUE((*log)->close());
    EXPECT_EQ(read_written(image()).info.header.events_lost, 4U);
}

TEST_F(FailedOpen, CloseSaysThatASeriesEndsEarly) {
    FailingFiles disk(memory_);
    const LogFileOptions options{.mode = FileMode::new_file, .limit = {.count = 1}};
    auto log = LogFile::open("%d", story_recording(), options, disk);
    ASSERT_TRUE(log);
    disk.fail({.call = DiskCall::open, .os_code = EMFILE, .times = DiskFailure::for_ever});
    EXPECT_FALSE((*log)->switch_file());
    const auto closed = (*log)->close();
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().os_code, EMFILE);
}

TEST_F(FailedOpen, CloseSaysThatAnEarlierFileOfTheSeriesIsUnfinished) {
    FailingFiles disk(memory_);
    const LogFileOptions options{.mode = FileMode::new_file, .limit = {.count = 1}};
    auto log = LogFile::open("%d", story_recording(), options, disk);
    ASSERT_TRUE(log);
    disk.fail({.os_code = EIO});
    EXPECT_TRUE((*log)->switch_file()) << "the next one is there";
    const auto closed = (*log)->close();
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().os_code, EIO);
    EXPECT_TRUE(read_written(memory_.files()["1"]).info.is_unfinalized);
    EXPECT_FALSE(read_written(memory_.files()["2"]).info.is_unfinalized);
}

// A disk that fails while the log is written.

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* lossy = "the session lost events or buffers";

/// A log on a disk that can be told to fail.
class FailingDisk : public testing::TestWithParam<int> {
protected:
    std::unique_ptr<LogFile> open(LogFileOptions options = {}, const std::string& name = "t.etl") {
        options.buffer_size = size;
        auto log = LogFile::open(name, story_recording(), options, disk_);
        EXPECT_TRUE(log) << describe(log.error());
        return std::move(*log);
    }

    Image& image(const std::string& name = "t.etl") { return memory_.files()[name]; }

    io::MemoryFiles memory_;
    FailingFiles disk_{memory_};
};

/// What was in two runs of buffers.
Streams together(Streams first, const Streams& second) {
    for (const auto& [processor, records] : second) {
        first[processor].insert(first[processor].end(), records.begin(), records.end());
    }
    return first;
}

TEST_P(FailingDisk, LosesTheBufferAndGoesOn) {
    for (const std::size_t torn : {0U, 1U, 71U, 72U, 500U, 4095U}) {
        const auto log = open();
        Filler filler(*log);
        filler.write();
        disk_.fail({.os_code = GetParam(), .written = torn});
        filler.write();
        EXPECT_EQ(image().size(), 2U * size) << "nothing stays of a torn write";
        filler.write();
        EXPECT_EQ(log->status().buffers_lost, 1U);
        EXPECT_EQ(log->status().buffers_written, 3U);
        EXPECT_FALSE(log->status().is_full);
        ASSERT_TRUE(log->status().failure);
        EXPECT_EQ(log->status().failure->path, "t.etl");
        EXPECT_EQ(log->status().failure->error.os_code, GetParam());
        ASSERT_TRUE(log->close());
        const Written written = read_written(image());
        EXPECT_THAT(written.checked, ElementsAre(lossy));
        EXPECT_EQ(written.streams, together(filler.records(0, 1), filler.records(2)));
        EXPECT_EQ(written.info.header.buffers_lost, 1U);
        EXPECT_EQ(written.info.header.buffers_written, 3U);
    }
}

TEST_P(FailingDisk, KeepsTheFirstFailureOnly) {
    const auto log = open();
    Filler filler(*log);
    disk_.fail({.os_code = GetParam()});
    disk_.fail({.nth = 2, .os_code = EBADF});
    filler.write();
    filler.write();
    EXPECT_EQ(log->status().buffers_lost, 2U);
    EXPECT_EQ(log->status().failure->error.os_code, GetParam());
}

TEST_P(FailingDisk, StaysReadableWhenItNeverComesBack) {
    const auto log = open();
    Filler filler(*log);
    filler.write();
    for (const DiskCall call : {DiskCall::write, DiskCall::resize}) {
        disk_.fail(
            {.call = call, .os_code = GetParam(), .times = DiskFailure::for_ever, .written = 300});
    }
    filler.write();
    EXPECT_EQ(log->status().buffers_lost, 1U);
    // What could not be cut off is a torn buffer, whose first record is whole.
    const Image first = filler.records(1).at(0).front();
    const Streams expected = together(filler.records(0, 1), {{0, {first}}});
    EXPECT_EQ(read_written(image()).streams, expected);
    const auto closed = log->close();
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().code, ErrorCode::io_failure);
    EXPECT_EQ(closed.error().os_code, GetParam());
    EXPECT_EQ(read_written(image()).streams, expected);
}

INSTANTIATE_TEST_SUITE_P(Saying, FailingDisk, testing::Values(ENOSPC, EIO, EFBIG, EROFS),
                         [](const auto& code) { return "Error" + std::to_string(code.param); });

using Disk = FailingDisk;

TEST_F(Disk, RefusesAFileThatItCannotMake) {
    disk_.fail({.call = DiskCall::open, .os_code = EROFS});
    const auto log = LogFile::open("t.etl", story_recording(), {}, disk_);
    ASSERT_FALSE(log);
    EXPECT_EQ(log.error().os_code, EROFS);
}

TEST_F(Disk, RefusesAFileWhoseHeaderBufferItDoesNotTake) {
    disk_.fail({.os_code = ENOSPC, .written = 100});
    const auto log = LogFile::open("t.etl", story_recording(), {}, disk_);
    ASSERT_FALSE(log);
    EXPECT_EQ(log.error().os_code, ENOSPC);
}

TEST_F(Disk, SaysWhenTheHeaderCouldNotBeBroughtUpToDate) {
    const auto log = open();
    Filler filler(*log);
    filler.write();
    disk_.fail({.os_code = EIO});
    const auto closed = log->close();
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().os_code, EIO);
    EXPECT_EQ(log->status().failure->error.os_code, EIO);
    const Written written = read_written(image());
    EXPECT_TRUE(written.info.is_unfinalized);
    EXPECT_EQ(written.streams, filler.records());
}

TEST_F(Disk, TearsNothingThatWasReserved) {
    LogFileOptions options{.limit = {.count = 1}, .preallocate = true};
    const auto log = open(options);
    Filler filler(*log);
    filler.write();
    disk_.fail({.os_code = EIO, .written = 300});
    filler.write();
    EXPECT_EQ(image().size(), 1U << 20U);
    EXPECT_THAT(read_written(image()).checked,
                ElementsAre("unwritten tail of a preallocated file",
                            "the trace is not finalized: EndTime and BuffersWritten are 0; "
                            "what its session lost is unknown"));
    EXPECT_EQ(read_written(image()).streams, filler.records(0, 1));
    filler.write();
    ASSERT_TRUE(log->close());
    EXPECT_EQ(image().size(), 3U * size);
    EXPECT_EQ(read_written(image()).streams, together(filler.records(0, 1), filler.records(2)));
}

TEST_F(Disk, MakesTheNextFileOfASeriesLater) {
    LogFileOptions options{.mode = FileMode::new_file,
                           .limit = {.count = 8, .unit = SizeLimit::Unit::kilobytes}};
    const auto log = open(options, "%d");
    Filler filler(*log);
    filler.write();
    disk_.fail({.call = DiskCall::open, .os_code = EMFILE, .times = 2});
    filler.write(); // the second file cannot be made
    EXPECT_FALSE(read_written(image("1")).info.is_unfinalized)
        << "the first is finished all the same";
    filler.write();
    EXPECT_EQ(log->status().buffers_lost, 2U);
    EXPECT_EQ(log->status().failure->path, "2");
    EXPECT_EQ(log->status().failure->error.os_code, EMFILE);
    EXPECT_FALSE(log->status().is_full);
    filler.write();
    ASSERT_TRUE(log->close());
    EXPECT_EQ(log->status().files, 2U);
    EXPECT_EQ(read_written(image("1")).streams, filler.records(0, 1));
    const Written second = read_written(image("2"));
    EXPECT_EQ(second.streams, filler.records(3));
    EXPECT_THAT(second.sequences(), ElementsAre(0, 4));
    EXPECT_EQ(second.info.header.buffers_lost, 2U);
    EXPECT_THAT(read_written(image("1")).checked, IsEmpty());
}

TEST_F(Disk, TellsOfASwitchThatFailed) {
    LogFileOptions options{.mode = FileMode::new_file, .limit = {.count = 1}};
    const auto log = open(options, "%d");
    disk_.fail({.call = DiskCall::open, .os_code = EMFILE});
    const auto switched = log->switch_file();
    ASSERT_FALSE(switched);
    EXPECT_EQ(switched.error().os_code, EMFILE);
    Filler filler(*log);
    filler.write(); // tries again
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(image("2")).streams, filler.records());
}

TEST_F(Disk, MakesADelayedFileLater) {
    const auto log = open({.delay_open = true});
    Filler filler(*log);
    disk_.fail({.call = DiskCall::open, .os_code = EACCES});
    filler.write();
    EXPECT_EQ(log->status().buffers_lost, 1U);
    filler.write();
    ASSERT_TRUE(log->close());
    EXPECT_EQ(read_written(image()).streams, filler.records(1));
}

TEST_F(Disk, SyncsWhenAskedTo) {
    const auto syncs = [&](Durability durability) {
        const unsigned before = disk_.count(DiskCall::sync);
        const auto log = open({.durability = durability});
        Filler filler(*log);
        for (int i = 0; i < 3; ++i) {
            filler.write();
        }
        EXPECT_TRUE(log->close());
        return disk_.count(DiskCall::sync) - before;
    };
    EXPECT_EQ(syncs(Durability::none), 0U);
    EXPECT_EQ(syncs(Durability::at_close), 2U) << "what the header speaks of, and the header";
    EXPECT_EQ(syncs(Durability::every_buffer), 1U + 3U + 2U)
        << "the header buffer, the buffers, and the end";
}

TEST_F(Disk, TellsOfASyncThatFailed) {
    auto log = open({.durability = Durability::every_buffer});
    Filler filler(*log);
    disk_.fail({.call = DiskCall::sync, .os_code = EIO});
    filler.write();
    EXPECT_EQ(log->status().buffers_lost, 0U) << "it is in the file";
    ASSERT_TRUE(log->status().failure);
    EXPECT_EQ(log->status().failure->error.os_code, EIO);
    EXPECT_FALSE(log->close()) << "that was promised";
    log = open({.durability = Durability::at_close});
    disk_.fail({.call = DiskCall::sync, .os_code = EIO});
    EXPECT_FALSE(log->close()) << "that was promised";
}

TEST_F(Disk, HasEverythingInItsPlaceAfterEveryCall) {
    // The disk goes away for good at the nth write: what is there then can be read.
    for (unsigned stop = 1; stop < 12; ++stop) {
        for (const std::size_t torn : {0U, 60U, 1000U}) {
            const auto log = open();
            Filler filler(*log);
            disk_.fail({.nth = stop, .os_code = EIO, .times = 100, .written = torn});
            for (int i = 0; i < 10; ++i) {
                filler.write();
            }
            static_cast<void>(log->close()); // fails, or not
            const Written written = read_written(image());
            EXPECT_EQ(written.error, std::nullopt);
            EXPECT_EQ(written.damage, 0U);
            EXPECT_EQ(written.streams, filler.records(0, stop - 1));
            disk_ = FailingFiles(memory_);
        }
    }
}

} // namespace

} // namespace etl::trace::log_file_failures_test
