// What starting a session answers: the rows of the table that need more than options; those about
// the C structure: tests/unit/compat.
#include "session/control/runtime_state.hpp"
#include "session/runtime.hpp"
#include "tests/support/failing_files.hpp"
#include "tests/unit/sessions/session/control/named_sessions.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace etl::session::runtime_start_test {
namespace {

using test::DiskCall;
using testing::SizeIs;

TEST(StartRows, SameNameInAnotherCase) {
    Runtime runtime;
    ASSERT_TRUE(runtime.start(real_time("T1")));
    EXPECT_EQ(said(runtime.start(real_time("t1"))), "ERROR_ALREADY_EXISTS");
}

TEST(StartRows, SameGuidUnderAnotherName) {
    Runtime runtime;
    SessionOptions options = real_time("T1");
    options.guid = some_guid;
    ASSERT_TRUE(runtime.start(options));
    options.name = "T2";
    EXPECT_EQ(said(runtime.start(options)), "ERROR_ALREADY_EXISTS");
}

TEST(StartRows, AllSlotsAreTaken) {
    Runtime runtime;
    for (int i = 1; i <= 64; ++i) {
        const auto session = runtime.start(real_time("S" + std::to_string(i)));
        ASSERT_TRUE(session);
        EXPECT_EQ(session->id(), i);
    }
    EXPECT_EQ(said(runtime.start(real_time("T1"))), "ERROR_NO_SYSTEM_RESOURCES");
    ASSERT_TRUE(runtime.find("S7")->stop());
    const auto again = runtime.start(real_time("T1"));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->id(), 7);
}

TEST(StartRows, NinthSystemLogger) {
    Runtime runtime;
    SessionOptions options = real_time("");
    options.mode |= mode::system_logger;
    for (int i = 0; i < 8; ++i) {
        options.name = "S" + std::to_string(i);
        ASSERT_TRUE(runtime.start(options));
    }
    options.name = "T1";
    EXPECT_EQ(said(runtime.start(options)), "ERROR_NO_SYSTEM_RESOURCES");
    EXPECT_TRUE(runtime.start(real_time("T1")));
}

TEST(StartRows, NinthPrivateSession) {
    const TestFolder folder;
    Runtime runtime;
    for (int i = 0; i < 8; ++i) {
        const std::string name = "S" + std::to_string(i);
        const auto session = runtime.start(to_file(name, folder / name, private_in_proc));
        ASSERT_TRUE(session);
        EXPECT_EQ(session->handle(), (65U + static_cast<unsigned>(i)) | 0x0100'0000U);
    }
    EXPECT_EQ(said(runtime.start(to_file("T1", folder / "a.etl", private_in_proc))),
              "ERROR_NO_SYSTEM_RESOURCES");
}

TEST(StartRows, FileOfAnotherSession) {
    const TestFolder folder;
    Runtime runtime;
    ASSERT_TRUE(runtime.start(to_file("T1", folder / "a.etl")));
    EXPECT_EQ(said(runtime.start(to_file("T2", folder / "a.etl"))), "ERROR_BAD_PATHNAME");
    EXPECT_EQ(said(runtime.start(to_file("T3", folder / "b.etl"))), "ERROR_SUCCESS");
}

TEST(StartRows, FolderIsMissing) {
    const TestFolder folder;
    Runtime runtime;
    const auto session = runtime.start(to_file("T1", folder / "nodir/a.etl"));
    EXPECT_EQ(said(session), "ERROR_PATH_NOT_FOUND");
    EXPECT_FALSE(runtime.find("T1"));
    EXPECT_THAT(folder.names(), SizeIs(0));
}

TEST(StartRows, FolderIsReadOnly) {
    io::MemoryFiles memory;
    test::FailingFiles disk(memory);
    disk.fail({.call = DiskCall::open, .os_code = EACCES});
    Runtime runtime;
    SessionOptions options = to_file("T1", "a.etl");
    options.files = &disk;
    const auto session = runtime.start(options);
    EXPECT_EQ(said(session), "ERROR_ACCESS_DENIED");
    EXPECT_EQ(session.error().os_code, EACCES);
}

TEST(StartRows, DiskIsFull) {
    io::MemoryFiles memory;
    test::FailingFiles disk(memory);
    disk.fail({.call = DiskCall::allocate, .os_code = ENOSPC});
    Runtime runtime;
    SessionOptions options = to_file("T1", "a.etl", mode::preallocate);
    options.maximum_file_size = 100;
    options.files = &disk;
    EXPECT_EQ(said(runtime.start(options)), "ERROR_DISK_FULL");
    EXPECT_TRUE(memory.files().empty());
    EXPECT_TRUE(runtime.start(options)) << "the name is free again";
}

TEST(StartRows, AppendToAFileOfAnotherShape) {
    const TestFolder folder;
    Runtime runtime;
    SessionOptions options = to_file("T1", folder / "a.etl", mode::append);
    options.clock = 2;
    ASSERT_TRUE(runtime.start(options)->stop());
    options.buffer_kb = 128;
    EXPECT_EQ(said(runtime.start(options)), "ERROR_INVALID_PARAMETER");
    EXPECT_THAT(written_to(folder / "a.etl").checked, SizeIs(0));
}

TEST(StartRows, FreshGuid) {
    Runtime runtime;
    const auto state = runtime.start(real_time("T1"))->query();
    ASSERT_TRUE(state);
    EXPECT_FALSE(state->options.guid.is_zero());
    EXPECT_EQ(state->handle, 1U);
}

TEST(Runtime, RefusesAFileByWhateverPathItIsCalled) {
    const TestFolder folder;
    std::filesystem::create_directory(folder / "real");
    std::filesystem::create_directory_symlink(folder / "real", folder / "link");
    Runtime runtime;
    ASSERT_TRUE(runtime.start(to_file("T1", folder / "real/a.etl")));
    EXPECT_EQ(said(runtime.start(to_file("T2", folder / "link/a.etl"))), "ERROR_BAD_PATHNAME");
    EXPECT_EQ(said(runtime.start(to_file("T3", folder / "real/../link/a.etl"))),
              "ERROR_BAD_PATHNAME");
    std::filesystem::create_hard_link(folder / "real/a.etl", folder / "other.etl");
    EXPECT_EQ(said(runtime.start(to_file("T4", folder / "other.etl"))), "ERROR_BAD_PATHNAME");
}

TEST(Runtime, RefusesAFileThatASeriesMayComeTo) {
    const TestFolder folder;
    Runtime runtime;
    SessionOptions series = to_file("T1", folder / "t%d.etl", mode::new_file);
    series.maximum_file_size = 1;
    ASSERT_TRUE(runtime.start(series));
    EXPECT_EQ(said(runtime.start(to_file("T2", folder / "t5.etl"))), "ERROR_BAD_PATHNAME");
    EXPECT_TRUE(runtime.start(to_file("T3", folder / "t5a.etl")));
}

TEST(Runtime, LetsFilesInMemoryHaveTheNamesOfOthers) {
    io::MemoryFiles one;
    io::MemoryFiles other;
    Runtime runtime;
    SessionOptions options = to_file("T1", "a.etl");
    options.files = &one;
    ASSERT_TRUE(runtime.start(options));
    options.name = "T2";
    EXPECT_EQ(said(runtime.start(options)), "ERROR_BAD_PATHNAME");
    options.files = &other;
    EXPECT_TRUE(runtime.start(options));
}

TEST(Runtime, GivesPrivateSessionsAFileOfTheirOwn) {
    const TestFolder folder;
    Runtime runtime;
    SessionOptions options = to_file("T1", folder / "a.etl", mode::private_logger);
    options.guid = some_guid;
    ASSERT_TRUE(runtime.start(options));
    options.name = "T2";
    options.guid = tea;
    const auto second = runtime.start(options);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->query()->file, (folder / "a.etl_") + std::to_string(::getpid()));
}

TEST(Runtime, KeepsTheFullPath) {
    const TestFolder folder;
    Runtime runtime;
    const auto relative = std::filesystem::relative(folder / "a.etl");
    const auto session = runtime.start(to_file("T1", relative.string()));
    ASSERT_TRUE(session);
    EXPECT_TRUE(std::filesystem::path(session->query()->options.file).is_absolute());
    EXPECT_TRUE(session->stop());
    EXPECT_FALSE(written_to(folder / "a.etl").error);
}

} // namespace
} // namespace etl::session::runtime_start_test
