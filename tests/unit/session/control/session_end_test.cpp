// Sessions that end by themselves, stops that meet other calls, and forks.
#include <etl/session/runtime.hpp>

#include "session/control/runtime_state.hpp"
#include "tests/support/failing_files.hpp"
#include "tests/unit/session/door.hpp"
#include "tests/unit/session/traced.hpp"

#include <gmock/gmock.h>

#include <cerrno>
#include <sys/wait.h>
#include <thread>

namespace etl::session {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

SessionOptions small_file(const std::string& file) {
    SessionOptions options;
    options.name = "Morning";
    options.buffer_kb = 4;
    options.maximum_file_size = 12; // the header buffer and two others
    options.mode = mode::use_kbytes_for_size;
    options.processors = 1;
    options.file = file;
    return options;
}

/// Writes until the runtime tells that the session has ended.
void fill(const SeenEvents& seen, const Registration& provider) {
    for (std::uint32_t i = 0; seen.count(SessionEvent::Kind::stopped) == 0; ++i) {
        write_number(provider, i, 1000);
        std::this_thread::yield();
    }
}

TEST(SessionEnd, ComesWhenTheFileIsFull) {
    const TestFolder folder;
    SeenEvents seen;
    Runtime runtime({.watch = seen.watch()});
    const auto provider = runtime.add(tea);
    const auto session = runtime.start(small_file(folder / "a.etl"));
    ASSERT_TRUE(session);
    ASSERT_TRUE(session->enable(tea));
    fill(seen, *provider);

    EXPECT_FALSE(provider->is_enabled());
    EXPECT_EQ(said(session->query()), "ERROR_WMI_INSTANCE_NOT_FOUND");
    EXPECT_EQ(said(session->stop()), "ERROR_WMI_INSTANCE_NOT_FOUND");
    EXPECT_FALSE(runtime.find("Morning"));
    EXPECT_THAT(runtime.sessions(), IsEmpty());
    EXPECT_EQ(seen.count(SessionEvent::Kind::file_full), 1U);
    EXPECT_EQ(seen.last(SessionEvent::Kind::stopped)->status, Status::log_file_full);

    const test::Written written = written_to(folder / "a.etl");
    EXPECT_THAT(written.checked, testing::ElementsAre("the session itself lost events or buffers"));
    EXPECT_NE(written.info.header.end_time, 0);
    EXPECT_GT(written.info.header.buffers_lost, 0U);
    EXPECT_THAT(numbers_in(written), SizeIs(testing::Gt(3U)));
    EXPECT_LE(std::filesystem::file_size(folder / "a.etl"), 12U << 10U);
    EXPECT_TRUE(runtime.start(small_file(folder / "a.etl"))) << "name and file are free";
}

TEST(SessionEnd, IsNoneInRealTime) {
    const TestFolder folder;
    SeenEvents seen;
    Runtime runtime({.watch = seen.watch()});
    const auto provider = runtime.add(tea);
    SessionOptions options = small_file(folder / "a.etl");
    options.mode |= mode::real_time;
    options.backlog_bytes = 1U << 20U;
    const auto session = runtime.start(options);
    ASSERT_TRUE(session);
    ASSERT_TRUE(session->enable(tea));
    for (std::uint32_t i = 0; seen.count(SessionEvent::Kind::file_full) == 0; ++i) {
        write_number(*provider, i, 1000);
        std::this_thread::yield();
    }
    EXPECT_EQ(said(session->query()), "ERROR_SUCCESS");
    EXPECT_TRUE(provider->is_enabled());
    EXPECT_EQ(said(session->stop()), "ERROR_SUCCESS");
}

TEST(SessionEnd, ComesWhenTheDiskStaysFull) {
    io::MemoryFiles memory;
    test::FailingFiles disk(memory);
    SeenEvents seen;
    Runtime runtime({.watch = seen.watch()});
    const auto provider = runtime.add(tea);
    SessionOptions options = small_file("a.etl");
    options.maximum_file_size = 0;
    options.mode = 0;
    options.files = &disk;
    disk.fail({.call = test::DiskCall::write,
               .nth = 4,
               .os_code = ENOSPC,
               .times = test::DiskFailure::for_ever});
    const auto session = runtime.start(options);
    ASSERT_TRUE(session);
    ASSERT_TRUE(session->enable(tea));
    fill(seen, *provider);
    EXPECT_EQ(seen.last(SessionEvent::Kind::stopped)->status, Status::disk_full);
    EXPECT_FALSE(provider->is_enabled());
    EXPECT_FALSE(runtime.find("Morning"));
}

TEST(SessionEnd, LeavesTheNameToWhoStartsTheNext) {
    const TestFolder folder;
    SeenEvents seen;
    Runtime runtime({.watch = seen.watch()});
    const auto provider = runtime.add(tea);
    for (int round = 0; round < 20; ++round) {
        const auto session = runtime.start(small_file(folder / "a.etl"));
        ASSERT_TRUE(session) << describe(session.error());
        ASSERT_TRUE(session->enable(tea));
        while (session->query()) {
            write_number(*provider, 1, 1000);
        }
    }
}

TEST(SessionEnd, IsWaitedForByTheRuntime) {
    const TestFolder folder;
    {
        Runtime runtime;
        const auto provider = runtime.add(tea);
        const auto session = runtime.start(small_file(folder / "a.etl"));
        ASSERT_TRUE(session->enable(tea));
        while (session->query()) {
            write_number(*provider, 1, 1000);
        }
    }
    EXPECT_NE(written_to(folder / "a.etl").info.header.end_time, 0);
}

TEST(ControlRows, V179_CallsWhileItIsBeingStopped) {
    Door in_callback;
    Door answered;
    Runtime runtime;
    const auto provider = runtime.add(tea, [&](const EnableNotice& notice) {
        if (notice.is_enabled == 0) {
            in_callback.open();
            answered.pass();
        }
    });
    SessionOptions options;
    options.name = "T1";
    options.mode = mode::real_time;
    const auto session = runtime.start(options);
    ASSERT_TRUE(session->enable(tea, {.timeout = std::nullopt}));
    std::string first;
    std::thread stopper([&] { first = said(session->stop()); });
    in_callback.pass();
    EXPECT_EQ(said(session->stop()), "ERROR_ACTIVE_CONNECTIONS");
    EXPECT_EQ(said(runtime.find("T1")->query()), "ERROR_ACTIVE_CONNECTIONS");
    EXPECT_EQ(said(runtime.start(options)), "ERROR_ALREADY_EXISTS");
    EXPECT_THAT(runtime.sessions(), IsEmpty());
    answered.open();
    stopper.join();
    EXPECT_EQ(first, "ERROR_SUCCESS");
    EXPECT_EQ(said(session->stop()), "ERROR_WMI_INSTANCE_NOT_FOUND");
    EXPECT_TRUE(runtime.start(options));
}

TEST(SessionEnd, IsWaitedForWhereAnotherThreadStopsIt) {
    const TestFolder folder;
    Door in_callback;
    Door answered;
    Runtime runtime;
    const auto provider = runtime.add(tea, [&](const EnableNotice& notice) {
        if (notice.is_enabled == 0) {
            in_callback.open();
            answered.pass();
        }
    });
    const auto session = runtime.start({.name = "Morning", .file = folder / "a.etl"});
    ASSERT_TRUE(session->enable(tea));
    std::thread stopper([&] { static_cast<void>(session->stop()); });
    in_callback.pass();
    std::int64_t end_time = 0;
    std::thread leaver([&] {
        runtime.state().stop_all();
        end_time = written_to(folder / "a.etl").info.header.end_time;
    });
    answered.open();
    leaver.join();
    stopper.join();
    EXPECT_NE(end_time, 0);
}

TEST(SessionEnd, IsNotWaitedForByItsOwnLogger) {
    const TestFolder folder;
    Runtime* of_watch = nullptr;
    std::atomic<bool> has_left{false};
    Runtime runtime({.watch = [&](const SessionEvent& event) {
        if (event.kind == SessionEvent::Kind::file_full) { // as if the process ended in it
            of_watch->state().stop_all();
            has_left = true;
        }
    }});
    of_watch = &runtime;
    const auto provider = runtime.add(tea);
    const auto session = runtime.start(small_file(folder / "a.etl"));
    ASSERT_TRUE(session->enable(tea));
    while (!has_left.load()) {
        write_number(*provider, 1, 1000);
        std::this_thread::yield();
    }
}

TEST(ControlRows, StopIsAfterCallsThatAreUnderWay) {
    Door in_callback;
    Door go_on;
    Runtime runtime;
    const auto provider = runtime.add(tea, [&](const EnableNotice& notice) {
        if (notice.is_enabled == 1) {
            in_callback.open();
            go_on.pass();
        }
    });
    SessionOptions options;
    options.name = "T1";
    options.mode = mode::real_time;
    const auto session = runtime.start(options);
    std::string enabled;
    std::thread enabler([&] { enabled = said(session->enable(tea, {.timeout = std::nullopt})); });
    in_callback.pass();
    std::string stopped;
    std::thread stopper([&] { stopped = said(session->stop()); });
    while (said(session->query()) == "ERROR_SUCCESS") {
        std::this_thread::yield();
    }
    go_on.open();
    enabler.join();
    stopper.join();
    EXPECT_EQ(enabled, "ERROR_SUCCESS");
    EXPECT_EQ(stopped, "ERROR_SUCCESS");
    EXPECT_FALSE(provider->is_enabled());
}

/// ThreadSanitizer ends a child that starts a thread.
constexpr bool can_start_threads_in_child() {
#if defined(__SANITIZE_THREAD__)
    return false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
    return false;
#else
    return true;
#endif
#else
    return true;
#endif
}

/// What the child of a fork answers.
int exit_code_of(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// In the child: writes, has sessions of its own, and touches nothing of the parent's. The number
/// of the first thing that is not as it should be.
int act_as_child(Runtime& runtime, const Registration& provider, const Session& of_parent,
                 const TestFolder& folder) {
    if (provider.is_enabled() || !runtime.sessions(Runtime::Private::listed).empty()) {
        return 1;
    }
    for (std::uint32_t i = 1000; i < 1100; ++i) {
        if (write_number(provider, i).written != 0) {
            return 2;
        }
    }
    if (of_parent.query() || of_parent.stop() || runtime.find("Morning")) {
        return 3;
    }
    if (said(runtime.start({.name = "Morning", .file = folder / "a.etl"})) !=
        "ERROR_BAD_PATHNAME") {
        return 4;
    }
    const auto own = runtime.start({.name = "Morning", .file = folder / "child.etl"});
    if (!own || of_parent.query()) {
        return 5;
    }
    if (!own->enable(tea) || !provider.is_enabled()) {
        return 6;
    }
    for (std::uint32_t i = 2000; i < 2100; ++i) {
        if (write_number(provider, i).written != 1) {
            return 7;
        }
    }
    return own->stop() ? 0 : 8;
}

TEST(SessionFork, ChildHasNoSessionsAndCanStartItsOwn) {
    if (!can_start_threads_in_child()) {
        GTEST_SKIP() << "the sanitizer does not know threads in children";
    }
    const TestFolder folder;
    Runtime runtime;
    const auto provider = runtime.add(tea);
    const auto session = runtime.start({.name = "Morning", .file = folder / "a.etl"});
    const auto ring = runtime.start({.name = "Ring", .mode = mode::buffering});
    ASSERT_TRUE(session->enable(tea));
    ASSERT_TRUE(ring->enable(tea));
    for (std::uint32_t i = 0; i < 100; ++i) {
        write_number(*provider, i);
    }
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(act_as_child(runtime, *provider, *session, folder));
    }
    for (std::uint32_t i = 100; i < 200; ++i) {
        write_number(*provider, i);
    }
    EXPECT_EQ(exit_code_of(child), 0);
    ASSERT_TRUE(session->stop());
    const test::Written of_parent = written_to(folder / "a.etl");
    EXPECT_THAT(of_parent.checked, IsEmpty());
    std::vector<std::uint32_t> numbers = numbers_in(of_parent);
    EXPECT_THAT(numbers, SizeIs(200));
    EXPECT_LT(*std::ranges::max_element(numbers), 200U);
    const test::Written of_child = written_to(folder / "child.etl");
    EXPECT_THAT(of_child.checked, IsEmpty());
    EXPECT_THAT(numbers_in(of_child), SizeIs(100));
}

TEST(SessionFork, ChildThatDestroysTheRuntimeLeavesTheParentsFileAlone) {
    const TestFolder folder;
    auto runtime = std::make_unique<Runtime>();
    const auto session = runtime->start({.name = "Morning", .file = folder / "a.etl"});
    const pid_t child = ::fork();
    if (child == 0) {
        runtime.reset();
        ::_exit(0);
    }
    EXPECT_EQ(exit_code_of(child), 0);
    EXPECT_EQ(written_to(folder / "a.etl").info.header.end_time, 0) << "it is still written";
    EXPECT_TRUE(session->stop());
    EXPECT_NE(written_to(folder / "a.etl").info.header.end_time, 0);
}

TEST(SessionFork, MayMeetRuntimesThatComeAndGo) {
    std::atomic<bool> is_over{false};
    std::thread maker([&] {
        while (!is_over.load()) {
            const Runtime runtime;
        }
    });
    for (int i = 0; i < 100; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::_exit(0);
        }
        EXPECT_EQ(exit_code_of(child), 0);
    }
    is_over = true;
    maker.join();
}

TEST(SessionFork, HappensWhileOthersStartAndStop) {
    if (!can_start_threads_in_child()) {
        GTEST_SKIP() << "the sanitizer does not know threads in children";
    }
    const TestFolder folder;
    Runtime runtime;
    const auto provider = runtime.add(tea);
    std::atomic<bool> is_over{false};
    std::vector<std::thread> others;
    for (int i = 0; i < 3; ++i) {
        others.emplace_back([&, i] {
            const std::string name = "S" + std::to_string(i);
            while (!is_over.load()) {
                const auto session = runtime.start({.name = name, .file = folder / name});
                if (session && session->enable(tea)) {
                    write_number(*provider, 1);
                    static_cast<void>(session->flush());
                    static_cast<void>(session->stop());
                }
            }
        });
    }
    for (int i = 0; i < 20; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            const auto own = runtime.start({.name = "Own", .file = folder / "child.etl"});
            const bool is_well =
                own && own->enable(tea) && write_number(*provider, 1).written == 1 && own->stop();
            ::_exit(is_well ? 0 : 1);
        }
        EXPECT_EQ(exit_code_of(child), 0);
    }
    is_over = true;
    for (std::thread& other : others) {
        other.join();
    }
}

} // namespace
} // namespace etl::session
