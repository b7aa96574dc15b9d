// Sessions and forks.
#include <etl/session.hpp>

#include "session/control/runtime_state.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <sys/wait.h>
#include <thread>

namespace etl::session::session_fork_test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

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
    if (provider.is_enabled() || !runtime.sessions(Runtime::Private::included).empty()) {
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
    if (!test::can_start_threads_in_child()) {
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
    if (!test::can_start_threads_in_child()) {
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
} // namespace etl::session::session_fork_test
