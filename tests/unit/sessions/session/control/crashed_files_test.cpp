// What is left of a session with mapped buffers whose process was killed, in the way of a new one.
#include "host/memory.hpp"
#include "session/crashed_files.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <sys/wait.h>

namespace etl::session::crashed_files_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CrashedFilesTest : public testing::Test {
protected:
    void SetUp() override {
        if (!test::can_start_threads_in_child()) {
            GTEST_SKIP() << "ThreadSanitizer ends a child that starts a thread";
        }
    }
};

/// Runs `work` in a process that is killed then.
void kill_after(const std::function<void(Runtime&)>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        Runtime runtime;
        work(runtime);
        ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
}

SessionOptions mapped(const std::string& file, std::uint32_t mode = 0) {
    return {.name = "Mapped",
            .maximum_file_size = mode == 0 ? 0U : 1U,
            .mode = mode,
            .file = file,
            .crash_safety = CrashSafety::mapped_file,
            .processors = 1}; // however often the test moves to another
}

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(CrashedFilesTest, AreInTheWayAndTheMessageNamesThemAndTheRemedy) {
    const TestFolder folder;
    kill_after(
        [&](Runtime& runtime) { static_cast<void>(runtime.start(mapped(folder / "a.etl"))); });
    ASSERT_THAT(folder.names(), ElementsAre("a.etl", "a.etl.buffers"));
    Runtime runtime;
    const auto refused = runtime.start(mapped(folder / "a.etl"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().status, Status::already_exists);
    EXPECT_THAT(describe(refused.error()), HasSubstr(folder / "a.etl.buffers: "));
    EXPECT_THAT(describe(refused.error()), HasSubstr("`etl repair FILE`"));
    EXPECT_THAT(folder.names(), ElementsAre("a.etl", "a.etl.buffers"));
}

TEST_F(CrashedFilesTest, AreMovedAsideEachTimeUnderANameOfTheirOwn) {
    const TestFolder folder;
    SessionOptions options = mapped(folder / "a.etl");
    options.after_crash = AfterCrash::move_aside;
    for (int i = 0; i < 2; ++i) {
        kill_after([&](Runtime& runtime) { static_cast<void>(runtime.start(options)); });
    }
    const std::string log = content(folder / "a.etl");
    const std::string buffers = content(folder / "a.etl.buffers");
    {
        Runtime runtime;
        const auto started = runtime.start(options);
        ASSERT_TRUE(started) << describe(started.error());
        EXPECT_THAT(folder.names(), ElementsAre("a.etl", "a.etl.buffers", "a.etl.crashed-1",
                                                "a.etl.crashed-1.buffers", "a.etl.crashed-2",
                                                "a.etl.crashed-2.buffers"));
    }
    EXPECT_EQ(content(folder / "a.etl.crashed-2"), log);
    EXPECT_EQ(content(folder / "a.etl.crashed-2.buffers"), buffers);
}

TEST_F(CrashedFilesTest, AreMovedAsideByASessionWithoutMappedBuffers) {
    const TestFolder folder;
    kill_after(
        [&](Runtime& runtime) { static_cast<void>(runtime.start(mapped(folder / "a.etl"))); });
    Runtime runtime;
    SessionOptions options = mapped(folder / "a.etl");
    options.crash_safety = CrashSafety::none;
    options.after_crash = AfterCrash::move_aside;
    ASSERT_TRUE(runtime.start(options));
    EXPECT_THAT(folder.names(), ElementsAre("a.etl", "a.etl.crashed-1", "a.etl.crashed-1.buffers"));
}

TEST_F(CrashedFilesTest, OfASeriesAreAllOfItsFiles) {
    const TestFolder folder;
    std::ofstream(folder / "a9.etl") << "of an earlier session";
    std::ofstream(folder / "b1.etl") << "of another series";
    kill_after([&](Runtime& runtime) {
        const auto session = runtime.start(mapped(folder / "a%d.etl", mode::new_file));
        static_cast<void>(session->switch_to_next_file());
    });
    ASSERT_THAT(folder.names(),
                ElementsAre("a%d.etl.buffers", "a1.etl", "a2.etl", "a9.etl", "b1.etl"));
    const auto moved = move_crashed_files(folder / "a%d.etl");
    ASSERT_TRUE(moved) << describe(moved.error());
    ASSERT_EQ(moved->size(), 4U);
    EXPECT_EQ(moved->front().to, folder / "a2.etl.crashed-1");
    EXPECT_EQ(moved->back().to, folder / "a2.etl.crashed-1.buffers");
    EXPECT_THAT(folder.names(),
                ElementsAre("a1.etl.crashed-1", "a2.etl.crashed-1", "a2.etl.crashed-1.buffers",
                            "a9.etl.crashed-1", "b1.etl"));
}

/// Numbers of events of 100 bytes that a trace contains.
std::size_t events_in(const std::string& path) {
    const auto reader = trace::Reader::open(*io::InputFile::map(path));
    EXPECT_TRUE(reader);
    std::size_t count = 0;
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        count += static_cast<std::size_t>(std::ranges::count_if(run, [](const flow::Event& event) {
            return format::is_event(event.kind) && flow::read_header(event).id == 77;
        }));
    }
    return count;
}

void write_events(Runtime& runtime, Session& session, int count) {
    const provider::Provider coffee("MyCompany.Coffee");
    const auto events = runtime.add(coffee);
    ASSERT_TRUE(events);
    ASSERT_TRUE(session.enable(coffee.guid(), {.level = 5}));
    for (int i = 0; i < count; ++i) {
        EXPECT_EQ(events->write({.id = 77, .level = 4}, {}).written, 1U);
    }
}

TEST_F(CrashedFilesTest, AreRepairedFirstAndRemoved) {
    const TestFolder folder;
    SessionOptions options = mapped(folder / "a.etl");
    options.after_crash = AfterCrash::repair;
    for (int i = 1; i <= 2; ++i) {
        kill_after([&](Runtime& runtime) {
            auto session = runtime.start(options);
            write_events(runtime, *session, 10 * i);
        });
    }
    Runtime runtime;
    const auto started = runtime.start(options);
    ASSERT_TRUE(started) << describe(started.error());
    EXPECT_THAT(folder.names(),
                ElementsAre("a.etl", "a.etl.buffers", "a.etl.repaired-1", "a.etl.repaired-2"));
    EXPECT_EQ(events_in(folder / "a.etl.repaired-1"), 10U);
    EXPECT_EQ(events_in(folder / "a.etl.repaired-2"), 20U);
}

TEST_F(CrashedFilesTest, OfASeriesAreRepairedWithTheLastOne) {
    const TestFolder folder;
    kill_after([&](Runtime& runtime) {
        auto session = runtime.start(mapped(folder / "a%d.etl", mode::new_file));
        static_cast<void>(session->switch_to_next_file());
        write_events(runtime, *session, 10);
    });
    const auto cleared = clear_crashed_files(folder / "a%d.etl", AfterCrash::repair);
    ASSERT_TRUE(cleared) << describe(cleared.error());
    EXPECT_EQ(cleared->repaired, folder / "a2.etl.repaired-1");
    EXPECT_TRUE(cleared->report.are_losses_known);
    EXPECT_EQ(events_in(cleared->repaired), 10U);
    EXPECT_THAT(folder.names(), ElementsAre("a1.etl.crashed-1", "a2.etl.repaired-1"));
    ASSERT_EQ(cleared->moved.size(), 1U);
}

TEST_F(CrashedFilesTest, ThatLackTheLogFileAreRepaired) {
    const TestFolder folder;
    kill_after([&](Runtime& runtime) {
        auto session = runtime.start(mapped(folder / "a.etl"));
        write_events(runtime, *session, 10);
    });
    std::filesystem::remove(folder / "a.etl");
    const auto cleared = clear_crashed_files(folder / "a.etl", AfterCrash::repair);
    ASSERT_TRUE(cleared);
    EXPECT_EQ(events_in(cleared->repaired), 10U);
    EXPECT_THAT(folder.names(), ElementsAre("a.etl.repaired-1"));
}

TEST_F(CrashedFilesTest, ThatAreDamagedAreRepairedAndKept) {
    const TestFolder folder;
    kill_after([&](Runtime& runtime) {
        auto session = runtime.start(mapped(folder / "a.etl"));
        write_events(runtime, *session, 10);
        static_cast<void>(session->flush());
    });
    std::fstream log(folder / "a.etl", std::ios::binary | std::ios::in | std::ios::out);
    // The first record of the second buffer, behind its header.
    log.seekp(std::streamoff(std::filesystem::file_size(folder / "a.etl")) / 2 + 0x48);
    log << "damage, instead of a record";
    log.close();
    const auto cleared = clear_crashed_files(folder / "a.etl", AfterCrash::repair);
    ASSERT_TRUE(cleared);
    EXPECT_FALSE(cleared->report.is_complete);
    EXPECT_THAT(folder.names(),
                ElementsAre("a.etl.crashed-1", "a.etl.crashed-1.buffers", "a.etl.repaired-1"));
}

TEST_F(CrashedFilesTest, WithALogFileThatIsNoTraceAreKept) {
    const TestFolder folder;
    kill_after([&](Runtime& runtime) {
        auto session = runtime.start(mapped(folder / "a.etl"));
        write_events(runtime, *session, 10);
    });
    std::ofstream(folder / "a.etl") << std::string(15'000, 't');
    const auto cleared = clear_crashed_files(folder / "a.etl", AfterCrash::repair);
    ASSERT_TRUE(cleared);
    EXPECT_EQ(events_in(cleared->repaired), 10U);
    EXPECT_FALSE(cleared->report.is_complete);
    EXPECT_EQ(content(folder / "a.etl.crashed-1").size(), 15'000U);
    EXPECT_THAT(folder.names(),
                ElementsAre("a.etl.crashed-1", "a.etl.crashed-1.buffers", "a.etl.repaired-1"));
}

TEST_F(CrashedFilesTest, OfASessionThatRunsAreNotMoved) {
    const TestFolder folder;
    Runtime runtime, other;
    const auto session = runtime.start(mapped(folder / "a.etl"));
    ASSERT_TRUE(session);
    EXPECT_EQ(said(move_crashed_files(folder / "a.etl")), "ERROR_BAD_PATHNAME");
    const auto refused = other.start(mapped(folder / "a.etl"));
    ASSERT_FALSE(refused);
    EXPECT_THAT(describe(refused.error()), HasSubstr("a session that runs uses it"));
    EXPECT_THAT(folder.names(), ElementsAre("a.etl", "a.etl.buffers"));
}

TEST_F(CrashedFilesTest, AreNoneWithoutBuffers) {
    const TestFolder folder;
    std::ofstream(folder / "a.etl") << "a trace";
    const auto moved = move_crashed_files(folder / "a.etl");
    ASSERT_TRUE(moved);
    EXPECT_TRUE(moved->empty());
    EXPECT_THAT(folder.names(), ElementsAre("a.etl"));
}

TEST_F(CrashedFilesTest, ThatAreNoneOfOursAreKept) {
    const TestFolder folder;
    std::ofstream(folder / "a.etl.buffers") << "no buffers";
    std::ofstream(folder / "a.etl") << "no trace";
    const auto moved = move_crashed_files(folder / "a.etl");
    ASSERT_TRUE(moved) << describe(moved.error());
    EXPECT_EQ(content(folder / "a.etl.crashed-1"), "no trace");
    EXPECT_EQ(content(folder / "a.etl.crashed-1.buffers"), "no buffers");
}

TEST_F(CrashedFilesTest, ThatAreNoneOfOursCannotBeRepairedAndAreKept) {
    const TestFolder folder;
    std::ofstream(folder / "a.etl.buffers") << "no buffers";
    std::ofstream(folder / "a.etl") << "no trace";
    const auto cleared = clear_crashed_files(folder / "a.etl", AfterCrash::repair);
    ASSERT_TRUE(cleared) << describe(cleared.error());
    ASSERT_TRUE(cleared->failure);
    EXPECT_TRUE(cleared->repaired.empty());
    EXPECT_EQ(cleared->moved.size(), 2U);
    EXPECT_THAT(folder.names(), ElementsAre("a.etl.crashed-1", "a.etl.crashed-1.buffers"));
}

} // namespace
} // namespace etl::session::crashed_files_test
