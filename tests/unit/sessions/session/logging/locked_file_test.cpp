// Log files belong to the session that writes them: other sessions of this process and of others
// are refused, readers are not. docs/sessions.md#files
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#if !defined(_WIN32)
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace etl::session::locked_file_test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// A process of its own that runs `act`, says whether that was true, and waits to be killed.
class OtherProcess {
public:
    template <typename Act>
    explicit OtherProcess(Act act) {
        std::array<int, 2> ends{};
        EXPECT_EQ(::pipe(ends.data()), 0);
        id_ = ::fork();
        if (id_ == 0) {
            const char answer = act() ? 'y' : 'n';
            if (::write(ends[1], &answer, 1) == 1) {
                for (;;) {
                    ::pause();
                }
            }
            ::_exit(1);
        }
        char answer = 'n';
        ::close(ends[1]);
        EXPECT_EQ(::read(ends[0], &answer, 1), 1);
        EXPECT_EQ(answer, 'y');
        ::close(ends[0]);
    }

    OtherProcess(const OtherProcess&) = delete;
    OtherProcess& operator=(const OtherProcess&) = delete;

    ~OtherProcess() { kill(); }

    void kill() {
        if (id_ > 0) {
            ::kill(id_, SIGKILL);
            ::waitpid(id_, nullptr, 0);
            id_ = 0;
        }
    }

private:
    pid_t id_ = 0;
};

SessionOptions to(const std::string& file, std::uint32_t chosen = 0) {
    return {.name = "Morning", .buffer_kb = 4, .mode = chosen, .file = file};
}

/// Another process with a session that writes `file` until it is killed.
OtherProcess writer_of(const SessionOptions& options) {
    return OtherProcess([&] {
        static auto* const runtime = new Runtime; // outlives the function, as the process does
        return runtime->start(options).has_value();
    });
}

constexpr auto refused = "ERROR_BAD_PATHNAME";

TEST(LockedFile, IsRefusedToAnotherRuntimeOfTheProcess) {
    const TestFolder folder;
    Runtime one;
    Runtime two;
    const auto session = one.start(to(folder / "a.etl"));
    ASSERT_TRUE(session);
    const auto provider = one.add(tea);
    ASSERT_TRUE(session->enable(tea));
    write_number(*provider, 7);
    ASSERT_TRUE(session->flush());
    const auto other = two.start(to(folder / "a.etl"));
    EXPECT_EQ(said(other), refused);
    EXPECT_NE(other.error().os_code, 0);
    EXPECT_EQ(said(two.start(to(folder / "a.etl", mode::append))), refused);
    ASSERT_TRUE(session->stop());
    EXPECT_THAT(numbers_in(written_to(folder / "a.etl")), ElementsAre(7)) << "it was left alone";
    EXPECT_EQ(said(two.start(to(folder / "a.etl"))), "ERROR_SUCCESS");
}

TEST(LockedFile, IsRefusedToAnotherProcessUntilItsWriterDies) {
    const TestFolder folder;
    OtherProcess other = writer_of(to(folder / "a.etl"));
    Runtime runtime;
    EXPECT_EQ(said(runtime.start(to(folder / "a.etl"))), refused);
    EXPECT_EQ(said(runtime.start(to(folder / "a.etl", mode::append))), refused);
    SessionOptions ring = to("", mode::buffering);
    ring.name = "Ring";
    const auto memory = runtime.start(ring);
    ASSERT_TRUE(memory);
    EXPECT_EQ(said(memory->flush(folder / "a.etl")), refused);
    const auto elsewhere = runtime.start(to(folder / "b.etl"));
    ASSERT_TRUE(elsewhere);
    EXPECT_EQ(said(elsewhere->update({.file = folder / "a.etl"})), refused);
    EXPECT_EQ(elsewhere->query()->file, folder / "b.etl");
    ASSERT_TRUE(elsewhere->stop());
    EXPECT_THAT(written_to(folder / "a.etl").buffers, SizeIs(1)) << "left alone";
    other.kill();
    EXPECT_EQ(said(runtime.start(to(folder / "a.etl"))), "ERROR_SUCCESS");
}

TEST(LockedFile, IsSkippedNeitherNorOverwrittenByASeries) {
    const TestFolder folder;
    OtherProcess other = writer_of(to(folder / "t2.etl"));
    SeenEvents seen;
    Runtime runtime({.observer = seen.watch()});
    SessionOptions series = to(folder / "t%d.etl", mode::new_file);
    series.maximum_file_size = 1;
    const auto session = runtime.start(series);
    ASSERT_TRUE(session);
    EXPECT_EQ(said(session->switch_to_next_file()), refused);
    EXPECT_EQ(seen.count(SessionEvent::Kind::file_switch_failed), 1U);
    other.kill();
    EXPECT_EQ(said(session->switch_to_next_file()), "ERROR_SUCCESS") << "the next attempt";
    EXPECT_EQ(session->query()->file, folder / "t2.etl");
}

TEST(LockedFile, IsThatOfTheProcessForAPrivateSession) {
    const TestFolder folder;
    const OtherProcess other = writer_of(to(folder / "a.etl"));
    Runtime runtime;
    SessionOptions own = to(folder / "a.etl", mode::private_logger);
    own.guid = some_guid;
    const auto session = runtime.start(own);
    ASSERT_TRUE(session);
    EXPECT_EQ(session->query()->file, folder / ("a.etl_" + std::to_string(::getpid())));
    own.name = "Second";
    own.mode |= mode::private_in_proc;
    EXPECT_EQ(said(runtime.start(own)), "ERROR_ALREADY_EXISTS") << "the GUID";
    own.guid = tea;
    EXPECT_EQ(said(runtime.start(own)), refused) << "its file has the name as given";
}

TEST(LockedFile, CanBeReadAndStaysLockedThen) {
    const TestFolder folder;
    Runtime one;
    Runtime two;
    const auto session = one.start(to(folder / "a.etl"));
    ASSERT_TRUE(session);
    EXPECT_THAT(written_to(folder / "a.etl").buffers, SizeIs(1));
    EXPECT_EQ(said(two.start(to(folder / "a.etl"))), refused) << "reading lets go of nothing";
}

TEST(LockedFile, IsNotHeldByAChildOfItsWriter) {
    const TestFolder folder;
    Runtime runtime;
    const auto session = runtime.start(to(folder / "a.etl"));
    ASSERT_TRUE(session);
    const OtherProcess idle([] { return true; });
    Runtime other;
    EXPECT_EQ(said(other.start(to(folder / "a.etl"))), refused) << "the fork let go of nothing";
    ASSERT_TRUE(session->stop());
    EXPECT_EQ(said(other.start(to(folder / "a.etl"))), "ERROR_SUCCESS");
}

TEST(LockedFile, IsNotHeldByAChildThatOutlivesItsWriter) {
    const TestFolder folder;
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    OtherProcess writer([&] {
        static auto* const runtime = new Runtime;
        const bool is_started = runtime->start(to(folder / "a.etl")).has_value();
        // A child lets go of the lock when it first runs, not when it is made.
        std::array<int, 2> runs{};
        EXPECT_EQ(::pipe(runs.data()), 0);
        char byte = 0;
        if (::fork() == 0) { // ends with the test: when it lets go of the pipe
            ::close(ends[1]);
            const bool is_told = ::write(runs[1], &byte, 1) == 1;
            ::_exit(is_told && ::read(ends[0], &byte, 1) == 0 ? 0 : 1);
        }
        ::close(ends[1]);
        return is_started && ::read(runs[0], &byte, 1) == 1;
    });
    Runtime runtime;
    EXPECT_EQ(said(runtime.start(to(folder / "a.etl"))), refused);
    writer.kill();
    EXPECT_EQ(said(runtime.start(to(folder / "a.etl"))), "ERROR_SUCCESS");
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(LockedFile, StaysLockedWhenAChildEnds) {
    const TestFolder folder;
    auto runtime = std::make_unique<Runtime>();
    const auto session = runtime->start(to(folder / "a.etl"));
    ASSERT_TRUE(session);
    const pid_t child = ::fork();
    if (child == 0) {
        runtime.reset();
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    Runtime other;
    EXPECT_EQ(said(other.start(to(folder / "a.etl"))), refused);
    EXPECT_TRUE(session->stop());
}

} // namespace
} // namespace etl::session::locked_file_test
#endif
