// Children of a fork.
#include "tests/unit/sessions/machine/producers.hpp"

#include <gmock/gmock.h>

namespace etl::machine::test::children_test {

namespace {

using session::Runtime;
using session::write_number;

class ChildrenTest : public ProcessesTest {};

TEST_F(ChildrenTest, ALinkEndsWithItsProcessThoughAChildOfItLives) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    begin(controller, folder / "a.etl");
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    {
        Producer producer(folder / "host", [&](const session::Registration&) {
            const pid_t child = ::fork();
            if (child == 0) {
                for (;;) {
                    ::pause();
                }
            }
            [[maybe_unused]] const auto told = ::write(ends[1], &child, sizeof child);
        });
        pid_t child = -1;
        ASSERT_EQ(::read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
        EXPECT_EQ(producer.wait(), 0);
        EXPECT_TRUE(eventually([&] {
            const auto providers = *controller.providers();
            return std::ranges::none_of(
                providers, [](const auto& provider) { return provider.is_registered; });
        }));
        ::kill(child, SIGKILL);
    }
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_F(ChildrenTest, ChildrenOfAForkAreRecordedIfAsked) {
    const TestFolder folder;
    const pid_t host = start_host(folder / "host");
    ASSERT_GT(host, 0);
    Controller controller = connect_to(folder / "host");
    begin(controller, folder / "a.etl");
    const pid_t parent = ::fork();
    if (parent == 0) {
        Runtime runtime;
        const auto provider = runtime.add(tea);
        const auto attached =
            session::attach(runtime, {.directory = folder / "host", .with_children = true});
        bool is_well = write_number(*provider, 1).written == 1;
        const pid_t child = ::fork();
        if (child == 0) { // at once: it waits for the link
            const bool is_recorded =
                provider->is_enabled() && write_number(*provider, 2).written == 1;
            const auto another = runtime.add(tea);
            const pid_t grandchild = ::fork();
            if (grandchild == 0) {
                ::_exit(write_number(*another, 4).written == 1 ? 0 : 1);
            }
            int status = -1;
            ::waitpid(grandchild, &status, 0);
            ::_exit(is_recorded && status == 0 && write_number(*another, 5).written == 1 ? 0 : 1);
        }
        int status = -1;
        ::waitpid(child, &status, 0);
        is_well = is_well && status == 0 && write_number(*provider, 3).written == 1;
        ::_exit(is_well ? 0 : 1);
    }
    int status = -1;
    ::waitpid(parent, &status, 0);
    EXPECT_EQ(status, 0);
    ASSERT_TRUE(controller.stop("A"));
    auto numbers = numbers_in(written_to(folder / "a.etl"));
    std::ranges::sort(numbers);
    EXPECT_THAT(numbers, testing::ElementsAre(1, 2, 3, 4, 5));
    ::kill(host, SIGKILL);
    ::waitpid(host, nullptr, 0);
}

TEST_F(ChildrenTest, WhatFindsNoLinkInTimeIsLostAndCounted) {
    const TestFolder folder;
    const pid_t host = start_host(folder / "host");
    ASSERT_GT(host, 0);
    Controller controller = connect_to(folder / "host");
    begin(controller, folder / "a.etl");
    const pid_t parent = ::fork();
    if (parent == 0) {
        Runtime runtime;
        const auto provider = runtime.add(tea);
        const auto attached = session::attach(runtime, {.directory = folder / "host",
                                                        .wait = std::chrono::milliseconds(100),
                                                        .with_children = true});
        eventually([&] { return provider->is_enabled(); });
        ::kill(host, SIGSTOP);
        const pid_t child = ::fork();
        if (child == 0) {
            const auto lost = write_number(*provider, 1);
            const bool says_so =
                lost.status == session::Status::not_enough_memory && lost.lost == 1;
            ::kill(host, SIGCONT);
            const bool is_linked =
                eventually([&] { return write_number(*provider, 2).written == 1; });
            ::_exit(says_so && is_linked ? 0 : 1);
        }
        int status = -1;
        ::waitpid(child, &status, 0);
        ::_exit(status == 0 ? 0 : 1);
    }
    int status = -1;
    ::waitpid(parent, &status, 0);
    EXPECT_EQ(status, 0);
    ::kill(host, SIGCONT);
    const auto stopped = controller.stop("A");
    ASSERT_TRUE(stopped);
    EXPECT_GE(stopped->events_lost, 1U);
    EXPECT_THAT(numbers_in(written_to(folder / "a.etl")), testing::ElementsAre(2));
    ::kill(host, SIGKILL);
    ::waitpid(host, nullptr, 0);
}

} // namespace

} // namespace etl::machine::test::children_test
