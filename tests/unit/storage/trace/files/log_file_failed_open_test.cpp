#include "io/output_file.hpp"
#include "tests/support/failing_files.hpp"
#include "tests/unit/storage/trace/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace etl::trace::log_file_failed_open_test {
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

} // namespace
} // namespace etl::trace::log_file_failed_open_test
