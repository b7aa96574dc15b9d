#include "io/output_file.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace etl::io::output_file_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

mode_t mode_of(const std::string& path) {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode : 0;
}

// Puts another file in the place of standard output while it lives.
class StandardOutputReplaced {
public:
    explicit StandardOutputReplaced(int descriptor) {
        std::fflush(stdout);
        before_ = ::dup(STDOUT_FILENO);
        ::dup2(descriptor, STDOUT_FILENO);
    }

    StandardOutputReplaced(const StandardOutputReplaced&) = delete;
    StandardOutputReplaced& operator=(const StandardOutputReplaced&) = delete;

    ~StandardOutputReplaced() {
        ::dup2(before_, STDOUT_FILENO);
        ::close(before_);
    }

private:
    int before_ = -1;
};

std::unique_ptr<AtomicFile> create(const std::string& path) {
    auto file = AtomicFile::create(path);
    EXPECT_TRUE(file) << describe(file.error());
    return file ? std::move(*file) : nullptr;
}

TEST(AtomicFile, AppearsWhenCommitted) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("out.etl");
    const auto file = create(path);
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write("first "));
    EXPECT_TRUE(file->write("second"));
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_TRUE(file->commit());
    EXPECT_EQ(test::content_of(path), "first second");
    EXPECT_THAT(folder.entries(), ElementsAre("out.etl"));
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
    const test::TemporaryFolder folder;
    folder.file("out.etl", "old");
    {
        const auto file = create(folder.path("out.etl"));
        ASSERT_TRUE(file);
        EXPECT_TRUE(file->write("new"));
        EXPECT_EQ(test::content_of(folder.path("out.etl")), "old");
    }
    EXPECT_THAT(folder.entries(), ElementsAre("out.etl"));
    EXPECT_EQ(test::content_of(folder.path("out.etl")), "old");
}

TEST(AtomicFile, ReplacesWhatWasThereAndKeepsItsPermissions) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("out.etl", "old and longer");
    ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
    const auto file = create(path);
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write("new"));
    EXPECT_TRUE(file->commit());
    EXPECT_EQ(test::content_of(path), "new");
    EXPECT_EQ(mode_of(path) & 0777U, 0640U);
}

TEST(AtomicFile, IsMadeWithThePermissionsOfANewFile) {
    const test::TemporaryFolder folder;
    const mode_t before = ::umask(027);
    const auto file = create(folder.path("out.etl"));
    ::umask(before);
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->commit());
    EXPECT_EQ(mode_of(folder.path("out.etl")) & 0777U, 0640U);
}

TEST(AtomicFile, ReplacesWhatALinkPointsAt) {
    const test::TemporaryFolder folder;
    const std::string real = folder.file("dir/real.etl", "old");
    std::filesystem::create_symlink(real, folder.path("link.etl"));
    const auto file = create(folder.path("link.etl"));
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write("new"));
    EXPECT_TRUE(file->commit());
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.etl")));
    EXPECT_EQ(test::content_of(real), "new");
}

TEST(AtomicFile, CreatesWhatALinkPointsAt) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path("dir"));
    std::filesystem::create_symlink("dir/second.etl", folder.path("link.etl"));
    std::filesystem::create_symlink(folder.path("dir/new.etl"), folder.path("dir/second.etl"));
    const auto file = create(folder.path("link.etl"));
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write("new"));
    EXPECT_TRUE(file->commit());
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.etl")));
    EXPECT_EQ(test::content_of(folder.path("dir/new.etl")), "new");
}

TEST(AtomicFile, RefusesLinksThatGoRound) {
    const test::TemporaryFolder folder;
    std::filesystem::create_symlink("two.etl", folder.path("one.etl"));
    std::filesystem::create_symlink("one.etl", folder.path("two.etl"));
    EXPECT_FALSE(AtomicFile::create(folder.path("one.etl")));
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("one.etl")));
}

TEST(AtomicFile, WorksForANameWithoutFolder) {
    const test::TemporaryFolder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const auto file = create("out.etl");
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->commit());
    std::filesystem::current_path(before);
    EXPECT_THAT(folder.entries(), ElementsAre("out.etl"));
}

TEST(AtomicFile, WritesToAPipeDirectly) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("pipe");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::string got;
    std::thread reader([&] { got = test::content_of(path); });
    {
        const auto file = create(path);
        ASSERT_TRUE(file);
        EXPECT_TRUE(file->write("through"));
        EXPECT_TRUE(file->commit());
    }
    reader.join();
    EXPECT_EQ(got, "through");
    EXPECT_THAT(folder.entries(), ElementsAre("pipe"));
}

TEST(AtomicFile, DoesNotReplaceADevice) {
    {
        const auto file = create("/dev/null");
        ASSERT_TRUE(file);
        EXPECT_TRUE(file->write("gone"));
        EXPECT_TRUE(file->commit());
    }
    EXPECT_TRUE(S_ISCHR(mode_of("/dev/null")));
}

TEST(AtomicFile, RemembersThatAWriteFailed) {
    if (::access("/dev/full", W_OK) != 0) {
        GTEST_SKIP() << "no /dev/full";
    }
    const auto file = create("/dev/full");
    ASSERT_TRUE(file);
    const auto written = file->write("too much");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::io_failure);
    EXPECT_EQ(written.error().os_code, ENOSPC);
    const auto committed = file->commit();
    ASSERT_FALSE(committed);
    EXPECT_EQ(committed.error().os_code, ENOSPC);
}

TEST(AtomicFile, SaysWhyItCannotBeMade) {
    const test::TemporaryFolder folder;
    const auto missing = AtomicFile::create(folder.path("none/out.etl"));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);
    const auto a_folder = AtomicFile::create(folder.path());
    ASSERT_FALSE(a_folder);
    EXPECT_EQ(a_folder.error().code, ErrorCode::io_failure);
    EXPECT_THAT(folder.entries(), IsEmpty());
}

TEST(StandardOutput, TakesEverything) {
    const test::TemporaryFolder folder;
    const int opened = ::open(folder.path("out").c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_GE(opened, 0);
    const std::string content = test::noise_text(3'000'000);
    {
        const StandardOutputReplaced replaced(opened);
        StandardOutput output;
        EXPECT_TRUE(output.write(content));
        EXPECT_TRUE(output.write("end"));
        EXPECT_FALSE(output.closed());
    }
    ::close(opened);
    EXPECT_TRUE(test::content_of(folder.path("out")) == content + "end");
}

TEST(StandardOutput, WaitsForASlowReaderOfANonBlockingPipe) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
    const std::string content = test::noise_text(1'000'000);
    std::string got;
    std::thread reader([&] {
        std::vector<char> block(10'000);
        for (ssize_t size = 0; (size = ::read(ends[0], block.data(), block.size())) > 0;) {
            got.append(block.data(), static_cast<std::size_t>(size));
        }
    });
    Result<void> written;
    {
        const StandardOutputReplaced replaced(ends[1]);
        ::close(ends[1]);
        StandardOutput output;
        written = output.write(content);
    }
    reader.join();
    ::close(ends[0]);
    EXPECT_TRUE(written);
    EXPECT_TRUE(got == content);
}

TEST(StandardOutput, DropsBytesWhenTheReaderIsGone) {
    ignore_closed_pipes();
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[0]);
    Result<void> first;
    Result<void> second;
    bool closed = false;
    {
        const StandardOutputReplaced replaced(ends[1]);
        StandardOutput output;
        first = output.write("nobody");
        second = output.write("listens");
        closed = output.closed();
    }
    ::close(ends[1]);
    EXPECT_TRUE(first);
    EXPECT_TRUE(second);
    EXPECT_TRUE(closed);
}

TEST(StandardOutput, ReportsAFullDisk) {
    const int full = ::open("/dev/full", O_WRONLY);
    if (full < 0) {
        GTEST_SKIP() << "no /dev/full";
    }
    Result<void> written;
    bool is_terminal = true;
    {
        const StandardOutputReplaced replaced(full);
        StandardOutput output;
        written = output.write("too much");
        is_terminal = standard_output_is_terminal();
    }
    ::close(full);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().os_code, ENOSPC);
    EXPECT_FALSE(is_terminal);
}

TEST(Terminal, HasColumns) {
    EXPECT_GT(standard_error_terminal().columns, 0);
}

TEST(LocalOffset, FollowsTheZoneAndTheSeason) {
    {
        const test::Environment zone("TZ", "CET-1CEST,M3.5.0,M10.5.0/3");
        ::tzset();
        EXPECT_EQ(local_offset_minutes(1'705'320'000), 60);  // 2024-01-15
        EXPECT_EQ(local_offset_minutes(1'721'044'800), 120); // 2024-07-15
    }
    {
        const test::Environment zone("TZ", "NST3:30");
        ::tzset();
        EXPECT_EQ(local_offset_minutes(0), -210);
        EXPECT_EQ(local_offset_minutes(std::numeric_limits<std::int64_t>::max()), 0);
        EXPECT_EQ(local_offset_minutes(std::numeric_limits<std::int64_t>::min()), 0);
    }
    ::tzset();
}

} // namespace
} // namespace etl::io::output_file_test
