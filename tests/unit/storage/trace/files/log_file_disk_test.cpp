// Logs on the disk of the machine.
#include "io/output_file.hpp"
#include "tests/unit/storage/trace/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#if defined(__unix__)
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#endif

namespace etl::trace::log_file_disk_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t size = 0x1000;
constexpr const char* lossy = "the session lost events or buffers";

/// A folder of the test's own.
class RealDisk : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("etl_log_file_" +
                   std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }

    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path(const char* name) const { return (folder_ / name).string(); }

    static Image content(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
        const Bytes bytes = std::as_bytes(std::span(text));
        return {bytes.begin(), bytes.end()};
    }

    std::filesystem::path folder_;
};

TEST_F(RealDisk, HasWhatWasWritten) {
    for (const FileMode mode : {FileMode::sequential, FileMode::circular, FileMode::append}) {
        const LogFileOptions options{.mode = mode,
                                     .limit = {.count = 1},
                                     .preallocate = true,
                                     .buffer_size = size,
                                     .durability = Durability::every_buffer};
        const std::string file = path(std::to_string(static_cast<int>(mode)).c_str());
        auto log = LogFile::open(file, story_recording(), options);
        ASSERT_TRUE(log) << describe(log.error());
        Filler filler(**log);
        filler.write();
        filler.write();
        ASSERT_TRUE((*log)->close());
        const Written written = read_written(content(file));
        EXPECT_THAT(written.checked, IsEmpty());
        EXPECT_EQ(written.streams, filler.records());
        EXPECT_EQ(written.info.file_size, 3U * size);
    }
}

TEST_F(RealDisk, SaysThatAFolderIsMissing) {
    const auto log = LogFile::open(path("none/t.etl"), story_recording());
    ASSERT_FALSE(log);
    EXPECT_EQ(log.error().code, ErrorCode::not_found);
}

#if defined(__linux__)
TEST_F(RealDisk, SaysThatItIsFull) {
    const auto log = LogFile::open("/dev/full", story_recording());
    ASSERT_FALSE(log);
    EXPECT_EQ(log.error().code, ErrorCode::io_failure);
    EXPECT_EQ(log.error().os_code, ENOSPC);
}
#endif

#if defined(__unix__)
TEST_F(RealDisk, GoesThroughAPipeWithoutAFinalHeader) {
    const std::string pipe = path("pipe");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const io::Container container : {io::Container::none, io::Container::zstd}) {
        Image got;
        std::thread reader([&] { got = content(pipe); });
        auto log = LogFile::open(
            pipe, story_recording(),
            {.buffer_size = size, .container = container, .durability = Durability::every_buffer});
        EXPECT_TRUE(log) << describe(log.error());
        Filler filler(**log);
        for (int i = 0; i < 40; ++i) {
            filler.write();
        }
        const auto closed = (*log)->close();
        EXPECT_TRUE(closed) << describe(closed.error());
        reader.join();
        const Written written = read_written(got);
        EXPECT_TRUE(written.info.is_unfinalized);
        EXPECT_EQ(written.streams, filler.records());
        EXPECT_EQ(written.damage, 0U);
    }
}

TEST_F(RealDisk, RefusesAPipeForWhatNeedsAFile) {
    const std::string pipe = path("%d");
    ASSERT_EQ(::mkfifo(path("1").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const SizeLimit limit{.count = 1};
    for (const LogFileOptions& options :
         {LogFileOptions{.mode = FileMode::circular, .limit = limit},
          LogFileOptions{.mode = FileMode::new_file, .limit = limit},
          LogFileOptions{.limit = limit, .preallocate = true}}) {
        const std::string used = options.mode == FileMode::new_file ? path("1") : pipe;
        std::thread reader([&] { EXPECT_THAT(content(used), IsEmpty()); });
        const auto log = LogFile::open(pipe, story_recording(), options);
        reader.join();
        ASSERT_FALSE(log);
        EXPECT_EQ(log.error().code, ErrorCode::invalid_option);
    }
    EXPECT_TRUE(std::filesystem::exists(pipe)) << "it was there before";
}

TEST_F(RealDisk, KeepsTheOldFileWhenTheNewOneHasNoRoom) {
    io::ignore_file_size_signal();
    std::ofstream(path("t.etl")) << "old";
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit small = before;
    small.rlim_cur = 100'000;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto log = LogFile::open(path("t.etl"), story_recording(),
                                   {.limit = {.count = 1}, .preallocate = true});
    const auto other = LogFile::open(path("u.etl"), story_recording(),
                                     {.limit = {.count = 1}, .preallocate = true});
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    ASSERT_FALSE(log);
    EXPECT_EQ(log.error().os_code, EFBIG);
    EXPECT_EQ(content(path("t.etl")).size(), 3U);
    EXPECT_FALSE(other);
    EXPECT_FALSE(std::filesystem::exists(path("u.etl")));
}

TEST_F(RealDisk, StopsAtTheSystemsLimitForSizes) {
    io::ignore_file_size_signal();
    auto log = LogFile::open(path("t.etl"), story_recording(), {.buffer_size = size});
    ASSERT_TRUE(log);
    Filler filler(**log);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit small = before;
    small.rlim_cur = 3 * size + 1000;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 4; ++i) {
        filler.write();
    }
    const auto closed = (*log)->close();
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_TRUE(closed);
    EXPECT_EQ((*log)->status().buffers_lost, 2U);
    EXPECT_EQ((*log)->status().failure->error.os_code, EFBIG);
    const Written written = read_written(content(path("t.etl")));
    EXPECT_THAT(written.checked, ElementsAre(lossy));
    EXPECT_EQ(written.streams, filler.records(0, 2));
    EXPECT_EQ(written.info.file_size, 3U * size);
}
#endif

} // namespace
} // namespace etl::trace::log_file_disk_test
