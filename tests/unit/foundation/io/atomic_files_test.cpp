#include "base/text.hpp"
#include "io/input_file.hpp"
#include "io/writable_file.hpp"
#include "tests/support/traces/sample_bytes.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace etl::io::atomic_files_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Open = FileFactory::Open;

void write(FileFactory& files, const std::string& path, std::string_view text) {
    auto file = files.open(path, Open::replace);
    ASSERT_TRUE(file) << describe(file.error());
    ASSERT_TRUE((*file)->write_at({0}, std::as_bytes(std::span(text))));
    ASSERT_TRUE((*file)->close());
}

TEST(AtomicFiles, AppearAllWhenCommitted) {
    const test::TemporaryFolder folder;
    AtomicFiles files;
    write(files, folder.path("1.etl"), "one");
    write(files, folder.path("2.etl"), "two");
    EXPECT_FALSE(std::filesystem::exists(folder.path("1.etl")));
    EXPECT_TRUE(files.commit());
    EXPECT_THAT(folder.entries(), ElementsAre("1.etl", "2.etl"));
    EXPECT_EQ(test::content_of(folder.path("2.etl")), "two");
}

TEST(AtomicFiles, LeaveNothingWithoutCommit) {
    const test::TemporaryFolder folder;
    {
        AtomicFiles files;
        write(files, folder.path("closed.etl"), "one");
        const auto open = files.open(folder.path("open.etl"), Open::replace);
        ASSERT_TRUE(open);
    }
    EXPECT_THAT(folder.entries(), IsEmpty());
}

TEST(AtomicFiles, CommitNoneWhileOneIsOpen) {
    const test::TemporaryFolder folder;
    {
        AtomicFiles files;
        write(files, folder.path("closed.etl"), "one");
        const auto open = files.open(folder.path("open.etl"), Open::replace);
        ASSERT_TRUE(open);
        EXPECT_FALSE(files.commit());
    }
    EXPECT_THAT(folder.entries(), IsEmpty());
}

TEST(AtomicFiles, WhoReadsAFileThatIsReplacedGoesOnReadingIt) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("t.etl", "the old content");
    const auto reader = InputFile::map(path);
    ASSERT_TRUE(reader);
    AtomicFiles files;
    write(files, path, "new");
    ASSERT_TRUE(files.commit());
    EXPECT_EQ(as_text((*reader)->bytes()), "the old content");
    EXPECT_EQ(test::content_of(path), "new");
}

TEST(AtomicFiles, KeepPermissionsAndLinks) {
    const test::TemporaryFolder folder;
    const std::string real = folder.file("dir/real.etl", "old");
    ASSERT_EQ(::chmod(real.c_str(), 0640), 0);
    std::filesystem::create_symlink(real, folder.path("link.etl"));
    AtomicFiles files;
    write(files, folder.path("link.etl"), "new");
    ASSERT_TRUE(files.commit());
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.etl")));
    EXPECT_EQ(test::content_of(real), "new");
    struct stat status{};
    ASSERT_EQ(::stat(real.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0640U);
}

TEST(AtomicFiles, AreMoreThanAProgramMayHaveOpen) {
    const test::TemporaryFolder folder;
    AtomicFiles files;
    constexpr int count = 300;
    for (int i = 0; i < count; ++i) {
        write(files, folder.path(std::to_string(i)), std::to_string(i));
    }
    const auto open_now = std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                                        std::filesystem::directory_iterator());
    EXPECT_LT(open_now, 128);
    ASSERT_TRUE(files.commit());
    EXPECT_EQ(folder.entries().size(), static_cast<std::size_t>(count));
    EXPECT_EQ(test::content_of(folder.path("299")), "299");
}

TEST(AtomicFiles, OpenPipesAndDevicesAsTheyAre) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("pipe");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::string got;
    std::thread reader([&] { got = test::content_of(path); });
    {
        AtomicFiles files;
        auto file = files.open(path, Open::existing);
        ASSERT_TRUE(file);
        EXPECT_TRUE((*file)->is_stream());
        EXPECT_TRUE((*file)->write_at({0}, test::bytes_of("through")));
        EXPECT_TRUE((*file)->close());
        EXPECT_TRUE(files.commit());
    }
    reader.join();
    EXPECT_EQ(got, "through");
}

TEST(AtomicFiles, DoNotOpenWhatIsThereToChangeIt) {
    const test::TemporaryFolder folder;
    AtomicFiles files;
    EXPECT_EQ(files.open(folder.path("none.etl"), Open::existing).error().code,
              ErrorCode::not_found);
    EXPECT_EQ(files.open(folder.file("t.etl", "old"), Open::existing).error().code,
              ErrorCode::unsupported);
    EXPECT_EQ(files.open(folder.path(), Open::replace).error().code, ErrorCode::io_failure);
    EXPECT_EQ(files.open(folder.path("no/t.etl"), Open::replace).error().code,
              ErrorCode::not_found);
}

TEST(AtomicFiles, TakeAwayWhatCameToNothing) {
    const test::TemporaryFolder folder;
    AtomicFiles files;
    write(files, folder.path("1.etl"), "one");
    write(files, folder.path("2.etl"), "two");
    EXPECT_TRUE(files.remove(folder.path("1.etl")));
    EXPECT_FALSE(files.remove(folder.path("1.etl")));
    ASSERT_TRUE(files.commit());
    EXPECT_THAT(folder.entries(), ElementsAre("2.etl"));
}

TEST(AtomicFiles, LeaveAtMostHiddenFilesWhenTheProgramIsKilled) {
    const test::TemporaryFolder folder;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        AtomicFiles files;
        write(files, folder.path("closed.etl"), "one");
        const auto open = files.open(folder.path("open.etl"), Open::replace);
        ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    for (const std::string& left : folder.entries()) {
        EXPECT_TRUE(left.starts_with(".etl-")) << left;
    }
}

TEST(AtomicFiles, KnowAFileHoweverItsPathIsSpelled) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory_symlink(folder.path(), folder.path("link"));
    AtomicFiles files;
    write(files, folder.path("t.etl"), "first");
    write(files, folder.path("./t.etl"), "second");
    write(files, folder.path("link/t.etl"), "third");
    ASSERT_TRUE(files.commit());
    EXPECT_EQ(files.committed_files(), 1U);
    EXPECT_EQ(test::content_of(folder.path("t.etl")), "third");
    EXPECT_EQ(files.remove(folder.path("t.etl")).error().code, ErrorCode::not_found);
}

TEST(AtomicFiles, SayHowManyAppearedWhenOneCannot) {
    const test::TemporaryFolder folder;
    AtomicFiles files;
    for (const char* name : {"1.etl", "2.etl", "3.etl"}) {
        write(files, folder.path(name), name);
    }
    std::filesystem::create_directory(folder.path("2.etl"));
    EXPECT_FALSE(files.commit());
    EXPECT_EQ(files.committed_files(), 1U);
    EXPECT_THAT(folder.entries(), ElementsAre("1.etl", "2.etl"));
}

TEST(AtomicFiles, KeepTheOwner) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root gives files away";
    }
    const test::TemporaryFolder folder;
    const std::string path = folder.file("t.etl", "old");
    ASSERT_EQ(::chown(path.c_str(), 1234, 2345), 0);
    ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
    AtomicFiles files;
    write(files, path, "new");
    ASSERT_TRUE(files.commit());
    struct stat status{};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, 1234U);
    EXPECT_EQ(status.st_gid, 2345U);
    EXPECT_EQ(status.st_mode & 07777U, 0640U);
}

TEST(AtomicFiles, DoNotReplaceWhatMayNotBeWrittenTo) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("t.etl", "old");
    ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
    ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        if (::geteuid() == 0 && ::seteuid(65534) != 0) {
            ::_exit(2);
        }
        AtomicFiles files;
        const auto file = files.open(path, Open::replace);
        ::_exit(!file && file.error().code == ErrorCode::io_failure ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(test::content_of(path), "old");
}

} // namespace
} // namespace etl::io::atomic_files_test
