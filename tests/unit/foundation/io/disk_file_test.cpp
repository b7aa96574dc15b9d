// Files on the disk: who may have them, what is no plain file, and what fails.
#include "io/output_file.hpp"
#include "io/writable_file.hpp"
#include "tests/support/traces/sample_bytes.hpp"
#include "tests/unit/foundation/io/opened_files.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace etl::io::disk_file_test {
namespace {

using test::bytes_of;

TEST(Disk, WritesAFileThatOthersSee) {
    const test::TemporaryFolder folder;
    const auto file = opened(disk(), folder.path("x"));
    ASSERT_TRUE(file);
    const std::string content = test::noise_text(3'000'000);
    EXPECT_TRUE(file->write_at({0}, std::as_bytes(std::span(content))));
    EXPECT_TRUE(test::content_of(folder.path("x")) == content); // before it is closed
    EXPECT_TRUE(file->close());
}

TEST(Disk, WritesBeyondFourGigabytes) {
    const test::TemporaryFolder folder;
    const auto file = opened(disk(), folder.path("x"));
    ASSERT_TRUE(file);
    constexpr std::uint64_t far = std::uint64_t{5} << 30U;
    EXPECT_TRUE(file->write_at({far}, bytes_of("far"))); // the rest is a hole
    EXPECT_EQ(file->size().value_or(0), far + 3);
    EXPECT_EQ(read(*file, far, 10), "far");
}

TEST(Disk, AllocatesBlocks) {
    const test::TemporaryFolder folder;
    const auto file = opened(disk(), folder.path("x"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->allocate(1U << 20U));
    struct stat status{};
    ASSERT_EQ(::stat(folder.path("x").c_str(), &status), 0);
    if (status.st_blocks == 0) {
        GTEST_SKIP() << "the file system of the temporary folder reserves nothing";
    }
    EXPECT_GE(status.st_blocks * 512, 1 << 20);
}

TEST(Disk, IsNotInheritedByPrograms) {
    const test::TemporaryFolder folder;
    const int next = ::open("/dev/null", O_RDONLY); // the number that the file will get
    ::close(next);
    const auto file = opened(disk(), folder.path("x"));
    ASSERT_TRUE(file);
    EXPECT_EQ(::fcntl(next, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(Disk, SaysWhyAFileCannotBeOpened) {
    const test::TemporaryFolder folder;
    const auto missing = disk().open(folder.path("none/x.etl"), Open::replace);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);
    EXPECT_EQ(missing.error().os_code, ENOENT);
    const auto a_folder = disk().open(folder.path(), Open::replace);
    ASSERT_FALSE(a_folder);
    EXPECT_EQ(a_folder.error().code, ErrorCode::io_failure);
    EXPECT_EQ(a_folder.error().os_code, EISDIR);
}

TEST(Disk, GivesAFileToOneWriterAtATime) {
    const test::TemporaryFolder folder;
    auto first = opened(disk(), folder.path("x"));
    ASSERT_TRUE(first->write_at({0}, bytes_of("kept")));
    for (const Open how : {Open::replace, Open::existing}) {
        const auto second = disk().open(folder.path("x"), how);
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, ErrorCode::io_failure);
        EXPECT_TRUE(is_in_use(second.error()));
    }
    ASSERT_EQ(::link(folder.path("x").c_str(), folder.path("other name").c_str()), 0);
    EXPECT_TRUE(is_in_use(disk().open(folder.path("other name"), Open::existing).error()));
    EXPECT_EQ(test::content_of(folder.path("x")), "kept") << "readers come and go";
    EXPECT_TRUE(is_in_use(disk().open(folder.path("x"), Open::existing).error()));
    EXPECT_TRUE(first->close());
    auto next = opened(disk(), folder.path("x"), Open::existing);
    EXPECT_EQ(read(*next, 0, 10), "kept");
    next.reset(); // without close()
    EXPECT_EQ(read(*opened(disk(), folder.path("x")), 0, 10), "") << "replaced";
    EXPECT_FALSE(is_in_use(disk().open(folder.path("none/x"), Open::replace).error()));
}

TEST(Disk, TakesOneDescriptorForAFileAndItsLock) {
    const auto descriptors = [] {
        const std::filesystem::directory_iterator all("/proc/self/fd");
        return std::distance(begin(all), end(all));
    };
    if (!std::filesystem::exists("/proc/self/fd")) {
        GTEST_SKIP() << "no /proc";
    }
    const test::TemporaryFolder folder;
    const auto before = descriptors();
    const auto file = opened(disk(), folder.path("x"));
    EXPECT_EQ(descriptors(), before + 1);
}

TEST(Disk, TakesNoFailureToWriteForAFileInUse) {
    Error error{ErrorCode::io_failure, "write"};
    error.os_code = EAGAIN; // of a pipe whose other end does not wait
    EXPECT_FALSE(is_in_use(error));
}

TEST(Disk, GivesADeviceToAnyNumberOfWriters) {
    const auto first = opened(disk(), "/dev/null");
    const auto second = opened(disk(), "/dev/null");
    ASSERT_TRUE(first);
    ASSERT_TRUE(second);
    EXPECT_TRUE(second->write_at({0}, bytes_of("x")));
}

TEST(Disk, TakesAFileFromItsWriterInNoChild) {
    const test::TemporaryFolder folder;
    auto file = opened(disk(), folder.path("x"));
    const pid_t child = ::fork();
    if (child == 0) {
        const bool may_write = file->write_at({0}, bytes_of("child")).has_value(); // a daemon does
        const bool is_refused = is_in_use(disk().open(folder.path("x"), Open::existing).error());
        file.reset();
        ::_exit(may_write && is_refused ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_TRUE(is_in_use(disk().open(folder.path("x"), Open::existing).error()));
    EXPECT_EQ(read(*file, 0, 10), "child");
}

TEST(Disk, CannotWriteWhereThatIsForbidden) {
    if (::geteuid() == 0) {
        GTEST_SKIP() << "root may write everywhere";
    }
    const test::TemporaryFolder folder;
    const std::string read_only = folder.file("x.etl", "old");
    ASSERT_EQ(::chmod(read_only.c_str(), 0400), 0);
    ASSERT_EQ(::chmod(folder.path().c_str(), 0500), 0);
    for (const std::string& path : {read_only, folder.path("new.etl")}) {
        const auto file = disk().open(path, Open::replace);
        ASSERT_FALSE(file);
        EXPECT_EQ(file.error().code, ErrorCode::io_failure);
        EXPECT_EQ(file.error().os_code, EACCES);
    }
    ::chmod(folder.path().c_str(), 0700);
}

TEST(Disk, ReportsAFullDisk) {
    if (::access("/dev/full", W_OK) != 0) {
        GTEST_SKIP() << "no /dev/full";
    }
    const auto file = opened(disk(), "/dev/full");
    ASSERT_TRUE(file);
    EXPECT_EQ(file->size().value_or(1), 0U);
    EXPECT_EQ(read(*file, 0, 10), "");
    EXPECT_TRUE(file->allocate(100));
    const auto written = file->write_at({512}, bytes_of("too much"));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::io_failure);
    EXPECT_EQ(written.error().os_code, ENOSPC);
    EXPECT_EQ(written.error().where.value, 512U);
    EXPECT_TRUE(file->sync());
    EXPECT_TRUE(file->close());
}

TEST(Disk, WritesToADeviceAndLeavesItThere) {
    const auto file = opened(disk(), "/dev/null");
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write_at({0}, bytes_of("gone")));
    EXPECT_TRUE(file->write_at({0}, bytes_of("again")));
    EXPECT_TRUE(file->resize(2));
    EXPECT_EQ(file->size().value_or(1), 0U);
    EXPECT_TRUE(file->close());
    struct stat status{};
    EXPECT_TRUE(::stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
}

TEST(Disk, TakesAwayWhatALinkPointsAtAndLeavesTheLink) {
    const test::TemporaryFolder folder;
    const std::string link = folder.path("link");
    ASSERT_EQ(::symlink("target", link.c_str()), 0);
    ASSERT_TRUE(opened(disk(), link));
    EXPECT_EQ(::access(folder.path("target").c_str(), F_OK), 0);
    EXPECT_TRUE(disk().remove(link));
    EXPECT_NE(::access(folder.path("target").c_str(), F_OK), 0);
    struct stat status{};
    EXPECT_EQ(::lstat(link.c_str(), &status), 0);
}

TEST(Disk, WritesToAPipeInOrderOnly) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("pipe");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::string got;
    std::thread reader([&] { got = test::content_of(path); });
    const std::string content = test::noise_text(200'000);
    Result<void> first;
    Result<void> back;
    Result<void> next;
    {
        const auto file = opened(disk(), path);
        EXPECT_TRUE(file->is_stream());
        first = file->write_at({0}, std::as_bytes(std::span(content)));
        back = file->write_at({0}, bytes_of("header"));
        next = file->write_at({content.size()}, bytes_of("end"));
        EXPECT_TRUE(file->close());
    }
    reader.join();
    EXPECT_TRUE(first);
    EXPECT_TRUE(next);
    ASSERT_FALSE(back);
    EXPECT_EQ(back.error().os_code, ESPIPE);
    EXPECT_TRUE(got == content + "end");
}

// Sets the limit for the size of files while it lives.
class FileSizeLimited {
public:
    explicit FileSizeLimited(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limited{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limited);
    }

    FileSizeLimited(const FileSizeLimited&) = delete;
    FileSizeLimited& operator=(const FileSizeLimited&) = delete;

    ~FileSizeLimited() { ::setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
};

TEST(Disk, ReportsTheSystemsLimitForFiles) {
    ignore_file_size_signal();
    const test::TemporaryFolder folder;
    const auto file = opened(disk(), folder.path("x"));
    ASSERT_TRUE(file);
    const std::vector<std::byte> block(4096);
    Result<void> written;
    Result<void> allocated;
    Result<void> resized;
    {
        const FileSizeLimited limited(10'000);
        for (std::uint64_t at = 0; written && at < 100'000; at += block.size()) {
            written = file->write_at({at}, block);
        }
        allocated = file->allocate(1U << 20U);
        resized = file->resize(1U << 20U);
    }
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().os_code, EFBIG);
    EXPECT_EQ(written.error().where.value, 10'000U); // what fitted is there
    ASSERT_FALSE(allocated);
    EXPECT_EQ(allocated.error().os_code, EFBIG);
    ASSERT_FALSE(resized);
    EXPECT_EQ(resized.error().os_code, EFBIG);
    EXPECT_EQ(file->size().value_or(0), 10'000U);
}

TEST(Disk, FailsAfterClose) {
    const test::TemporaryFolder folder;
    const auto file = opened(disk(), folder.path("x"));
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->close());
    const auto again = file->close();
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().os_code, EBADF);
}

} // namespace
} // namespace etl::io::disk_file_test
