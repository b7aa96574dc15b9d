// What finding and controlling the sessions of a runtime answers. Rows of the table about the C
// structure: tests/unit/compat.
#include <etl/session.hpp>

#include "session/control/runtime_state.hpp"
#include "tests/support/failing_files.hpp"
#include "tests/unit/sessions/session/control/named_sessions.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace etl::session::runtime_test {

// What starting a session answers: the rows of the table that need more than options; those about
// the C structure: tests/unit/compat.

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

using testing::ElementsAre;

// Finding

TEST(ControlRows, UnknownName) {
    Runtime runtime;
    EXPECT_FALSE(runtime.find("nosuch"));
}

TEST(ControlRows, HandleOfNoSession) {
    Runtime runtime;
    EXPECT_FALSE(runtime.find(0x7777));
    EXPECT_FALSE(runtime.find(std::uint64_t{0}));
    EXPECT_EQ(runtime.state().running(0x7777).core, nullptr);
}

TEST(ControlRows, NameInAnotherCase) {
    Runtime runtime;
    const auto session = runtime.start(real_time("T1"));
    EXPECT_EQ(runtime.find("t1"), *session);
    EXPECT_EQ(runtime.find(session->handle()), *session);
}

TEST(ControlRows, UpdateToTheFileOfNow) {
    const TestFolder folder;
    Runtime runtime;
    const auto session = runtime.start(to_file("T1", folder / "a.etl"));
    EXPECT_EQ(said(session->update({.file = folder / "a.etl"})), "ERROR_BAD_PATHNAME");
}

TEST(ControlRows, UpdateToTheFileOfAnother) {
    const TestFolder folder;
    Runtime runtime;
    const auto session = runtime.start(to_file("T1", folder / "a.etl"));
    ASSERT_TRUE(runtime.start(to_file("T2", folder / "b.etl")));
    EXPECT_EQ(said(session->update({.file = folder / "b.etl"})), "ERROR_BAD_PATHNAME");
    EXPECT_EQ(session->query()->file, folder / "a.etl");
}

TEST(ControlRows, ZerosLeaveNumbersAsTheyAre) {
    const TestFolder folder;
    Runtime runtime;
    SessionOptions options = to_file("T1", folder / "a.etl");
    options.flush_timer = 5;
    options.maximum_buffers = 30;
    const auto session = runtime.start(options);
    const auto state = session->update({.flush_timer = 0, .maximum_buffers = 0});
    ASSERT_TRUE(state);
    EXPECT_EQ(state->options.flush_timer, 5U);
    EXPECT_EQ(state->options.maximum_buffers, 30U);
}

TEST(ControlRows, UpdateTurnsRealTimeOff) {
    const TestFolder folder;
    Runtime runtime;
    const auto session =
        runtime.start(to_file("T1", folder / "a.etl", mode::sequential | mode::real_time));
    const auto state = session->update({.real_time = false});
    EXPECT_EQ(state->options.mode, mode::sequential);
    EXPECT_EQ(said(LiveSource::listen(*session)), "ERROR_WMI_INSTANCE_NOT_FOUND");
}

TEST(ControlRows, UpdateTurnsRealTimeOn) {
    const TestFolder folder;
    Runtime runtime;
    const auto session = runtime.start(to_file("T1", folder / "a.etl", mode::sequential));
    EXPECT_EQ(said(LiveSource::listen(*session)), "ERROR_WMI_INSTANCE_NOT_FOUND");
    const auto state = session->update({.real_time = true});
    EXPECT_EQ(state->options.mode, mode::sequential | mode::real_time);
    EXPECT_EQ(state->options.flush_timer, 1U);
    EXPECT_EQ(said(LiveSource::listen(*session)), "ERROR_SUCCESS");
}

TEST(ControlRows, NextFileWithoutASeries) {
    const TestFolder folder;
    Runtime runtime;
    const auto session = runtime.start(to_file("T1", folder / "a.etl"));
    EXPECT_EQ(said(session->switch_to_next_file()), "ERROR_INVALID_PARAMETER");
}

TEST(ControlRows, NextFileOfASeries) {
    const TestFolder folder;
    Runtime runtime;
    SessionOptions series = to_file("T1", folder / "a%d.etl", mode::new_file);
    series.maximum_file_size = 1;
    const auto session = runtime.start(series);
    EXPECT_EQ(session->query()->file, folder / "a1.etl");
    const auto next = session->switch_to_next_file();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->file, folder / "a2.etl");
}

TEST(QueryAllRows, PrivateSessionsAreNotListed) {
    const TestFolder folder;
    Runtime runtime;
    ASSERT_TRUE(runtime.start(real_time("T1")));
    ASSERT_TRUE(runtime.start(to_file("T2", folder / "a.etl", private_in_proc)));
    ASSERT_THAT(runtime.sessions(), SizeIs(1));
    EXPECT_EQ(runtime.sessions()[0].options.name, "T1");
    EXPECT_THAT(runtime.sessions(Runtime::Private::included), SizeIs(2));
    EXPECT_FALSE(runtime.find("T2"));
}

// Controlling

TEST(Session, OfNothingIsAnInvalidHandle) {
    const Session session;
    EXPECT_EQ(said(session.query()), "ERROR_INVALID_HANDLE");
    EXPECT_EQ(said(session.stop()), "ERROR_INVALID_HANDLE");
    EXPECT_EQ(said(session.enable(tea)), "ERROR_INVALID_HANDLE");
    EXPECT_EQ(session.handle(), 0U);
}

TEST(Session, ThatWasStoppedIsNotFound) {
    Runtime runtime;
    const auto session = runtime.start(real_time("T1"));
    ASSERT_TRUE(session->stop());
    EXPECT_EQ(said(session->stop()), "ERROR_WMI_INSTANCE_NOT_FOUND");
    EXPECT_EQ(said(session->query()), "ERROR_WMI_INSTANCE_NOT_FOUND");
    ASSERT_TRUE(runtime.start(real_time("T1")));
    EXPECT_EQ(said(session->query()), "ERROR_WMI_INSTANCE_NOT_FOUND") << "another one";
}

TEST(Session, SaysWhatItIs) {
    Runtime runtime;
    SessionOptions options = real_time("T1");
    options.processors = 4;
    const auto session = runtime.start(options);
    const auto state = session->query();
    ASSERT_TRUE(state);
    EXPECT_EQ(state->id, 1);
    EXPECT_EQ(state->options.minimum_buffers, 8U);
    EXPECT_EQ(state->number_of_buffers, 8U);
    EXPECT_EQ(state->free_buffers, 8U);
    EXPECT_EQ(state->buffers_written, 0U);
    EXPECT_NE(state->logger_thread_id, 0U);
    EXPECT_GT(state->now.ticks, Filetime::unix_epoch);
}

TEST(Session, CountsItsHeaderBufferAsWritten) {
    const TestFolder folder;
    Runtime runtime;
    const auto session = runtime.start(to_file("T1", folder / "a.etl"));
    EXPECT_EQ(session->query()->buffers_written, 1U);
}

TEST(Session, NamesTheProvidersItEnabledInTheirOrder) {
    Runtime runtime;
    const auto session = runtime.start(real_time("T1"));
    ASSERT_TRUE(session->enable(tea, {.level = 3, .match_any = 5}));
    ASSERT_TRUE(session->enable(some_guid));
    const auto state = session->query();
    ASSERT_THAT(state->providers, SizeIs(2));
    EXPECT_EQ(state->providers[0].guid, tea);
    EXPECT_EQ(state->providers[0].level, 3);
    EXPECT_EQ(state->providers[1].guid, some_guid);
    ASSERT_TRUE(session->disable(tea));
    EXPECT_THAT(session->query()->providers, SizeIs(1));
}

TEST(Session, CannotBeControlledInACallbackOfAProvider) {
    Runtime runtime;
    const auto session = runtime.start(real_time("T1"));
    std::vector<std::string> answers;
    const auto provider = runtime.add(tea, [&](const EnableNotification& notice) {
        if (notice.is_enabled == 1 && answers.empty()) {
            answers = {said(session->query()), said(session->flush()), said(session->stop()),
                       said(session->enable(some_guid)), said(runtime.start(real_time("T2")))};
        }
    });
    ASSERT_TRUE(provider);
    ASSERT_TRUE(session->enable(tea, {.timeout = std::nullopt}));
    const std::string deadlock = "ERROR_POSSIBLE_DEADLOCK";
    EXPECT_THAT(answers, ElementsAre(deadlock, deadlock, deadlock, deadlock, deadlock));
}

TEST(Session, InPrivateHasNoRealTime) {
    const TestFolder folder;
    Runtime runtime;
    const auto session = runtime.start(to_file("T1", folder / "a.etl", private_in_proc));
    EXPECT_EQ(said(session->update({.real_time = true})), "ERROR_INVALID_PARAMETER");
    EXPECT_EQ(said(session->switch_to_real_time()), "ERROR_INVALID_PARAMETER");
    EXPECT_EQ(said(session->update({.real_time = false, .flush_timer = 9})), "ERROR_SUCCESS");
}

TEST(Session, OfSystemLoggersAloneTakesOtherEnableFlags) {
    Runtime runtime;
    SessionOptions options = real_time("T1");
    options.enable_flags = 3;
    const auto ordinary = runtime.start(options);
    options.name = "T2";
    options.mode |= mode::system_logger;
    const auto system = runtime.start(options);
    EXPECT_EQ(ordinary->update({.enable_flags = 8})->options.enable_flags, 3U);
    EXPECT_EQ(system->update({.enable_flags = 8})->options.enable_flags, 8U);
}

TEST(Session, MappedBuffersNeedAFileOnTheDisk) {
    Runtime runtime;
    SessionOptions options = real_time("T1");
    options.crash_safety = CrashSafety::mapped_file;
    EXPECT_EQ(said(runtime.start(options)), "ERROR_INVALID_PARAMETER");
}

TEST(Runtime, TellsOfSessionsThatComeAndGo) {
    SeenEvents seen;
    Runtime runtime({.observer = seen.watch()});
    const auto session = runtime.start(real_time("Morning"));
    EXPECT_EQ(seen.last(SessionEvent::Kind::started)->session_name, "Morning");
    ASSERT_TRUE(session->stop());
    EXPECT_EQ(seen.last(SessionEvent::Kind::stopped)->session_id, 1);
}

TEST(Runtime, StopsItsSessionsWhenItIsDestroyed) {
    const TestFolder folder;
    {
        Runtime runtime;
        ASSERT_TRUE(runtime.start(to_file("T1", folder / "a.etl")));
        ASSERT_TRUE(runtime.start(to_file("T2", folder / "b.etl", private_in_proc)));
    }
    EXPECT_NE(written_to(folder / "a.etl").info.header.end_time, 0);
    EXPECT_NE(written_to(folder / "b.etl").info.header.end_time, 0);
}

TEST(Runtime, GivesEachSessionABitOfItsOwnAsLongAsThereAreAny) {
    Runtime runtime({.sessions = 256});
    std::set<std::uint64_t> bits;
    for (int i = 0; i < 50; ++i) {
        const auto session = runtime.start(real_time("S" + std::to_string(i)));
        ASSERT_TRUE(session);
        const SessionRef ref = runtime.state().running(session->handle());
        ASSERT_NE(ref.core, nullptr);
        if (const std::uint64_t bit = ref.core->bit; bit != 0) {
            EXPECT_TRUE(bits.insert(bit).second);
        }
    }
    EXPECT_THAT(bits, SizeIs(48));
}

} // namespace

} // namespace etl::session::runtime_test
