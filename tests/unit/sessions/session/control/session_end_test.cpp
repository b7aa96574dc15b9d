// Sessions that end by themselves, and stops that meet other calls.
#include <etl/session.hpp>

#include "session/control/runtime_state.hpp"
#include "tests/support/failing_files.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <cerrno>
#include <latch>
#include <thread>

namespace etl::session::session_end_test {
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
    Runtime runtime({.observer = seen.watch()});
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
    EXPECT_THAT(written.checked, testing::ElementsAre("the session lost events or buffers"));
    EXPECT_NE(written.info.header.end_time, 0);
    EXPECT_GT(written.info.header.buffers_lost, 0U);
    EXPECT_THAT(numbers_in(written), SizeIs(testing::Gt(3U)));
    EXPECT_LE(std::filesystem::file_size(folder / "a.etl"), 12U << 10U);
    EXPECT_TRUE(runtime.start(small_file(folder / "a.etl"))) << "name and file are free";
}

TEST(SessionEnd, IsNoneInRealTime) {
    const TestFolder folder;
    SeenEvents seen;
    Runtime runtime({.observer = seen.watch()});
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
    Runtime runtime({.observer = seen.watch()});
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
    Runtime runtime({.observer = seen.watch()});
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

TEST(ControlRows, CallsWhileItIsBeingStopped) {
    std::latch in_callback{1};
    std::latch answered{1};
    Runtime runtime;
    const auto provider = runtime.add(tea, [&](const EnableNotification& notice) {
        if (notice.is_enabled == 0) {
            in_callback.count_down();
            answered.wait();
        }
    });
    SessionOptions options;
    options.name = "T1";
    options.mode = mode::real_time;
    const auto session = runtime.start(options);
    ASSERT_TRUE(session->enable(tea, {.timeout = std::nullopt}));
    std::string first;
    std::thread stopper([&] { first = said(session->stop()); });
    in_callback.wait();
    EXPECT_EQ(said(session->stop()), "ERROR_ACTIVE_CONNECTIONS");
    EXPECT_EQ(said(runtime.find("T1")->query()), "ERROR_ACTIVE_CONNECTIONS");
    EXPECT_EQ(said(runtime.start(options)), "ERROR_ALREADY_EXISTS");
    EXPECT_THAT(runtime.sessions(), IsEmpty());
    answered.count_down();
    stopper.join();
    EXPECT_EQ(first, "ERROR_SUCCESS");
    EXPECT_EQ(said(session->stop()), "ERROR_WMI_INSTANCE_NOT_FOUND");
    EXPECT_TRUE(runtime.start(options));
}

TEST(SessionEnd, IsWaitedForWhereAnotherThreadStopsIt) {
    const TestFolder folder;
    std::latch in_callback{1};
    std::latch answered{1};
    Runtime runtime;
    const auto provider = runtime.add(tea, [&](const EnableNotification& notice) {
        if (notice.is_enabled == 0) {
            in_callback.count_down();
            answered.wait();
        }
    });
    const auto session = runtime.start({.name = "Morning", .file = folder / "a.etl"});
    ASSERT_TRUE(session->enable(tea));
    std::thread stopper([&] { static_cast<void>(session->stop()); });
    in_callback.wait();
    std::int64_t end_time = 0;
    std::thread leaver([&] {
        runtime.state().stop_all();
        end_time = written_to(folder / "a.etl").info.header.end_time;
    });
    answered.count_down();
    leaver.join();
    stopper.join();
    EXPECT_NE(end_time, 0);
}

TEST(SessionEnd, IsNotWaitedForByItsOwnLogger) {
    const TestFolder folder;
    Runtime* of_watch = nullptr;
    std::atomic<bool> has_left{false};
    Runtime runtime({.observer = [&](const SessionEvent& event) {
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
    std::latch in_callback{1};
    std::latch go_on{1};
    Runtime runtime;
    const auto provider = runtime.add(tea, [&](const EnableNotification& notice) {
        if (notice.is_enabled == 1) {
            in_callback.count_down();
            go_on.wait();
        }
    });
    SessionOptions options;
    options.name = "T1";
    options.mode = mode::real_time;
    const auto session = runtime.start(options);
    std::string enabled;
    std::thread enabler([&] { enabled = said(session->enable(tea, {.timeout = std::nullopt})); });
    in_callback.wait();
    std::string stopped;
    std::thread stopper([&] { stopped = said(session->stop()); });
    while (said(session->query()) == "ERROR_SUCCESS") {
        std::this_thread::yield();
    }
    go_on.count_down();
    enabler.join();
    stopper.join();
    EXPECT_EQ(enabled, "ERROR_SUCCESS");
    EXPECT_EQ(stopped, "ERROR_SUCCESS");
    EXPECT_FALSE(provider->is_enabled());
}

} // namespace
} // namespace etl::session::session_end_test
