// Sessions that come and go, many of them and many at once: nothing is left of them.
#include <etl/session.hpp>

#include "tests/support/sanitizers.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

namespace etl::session::session_races_test {
namespace {

/// ETL_STARTS=10000 for the long form.
unsigned rounds() {
    constexpr unsigned brief = 300;
    const char* chosen = std::getenv("ETL_STARTS");
    return chosen != nullptr ? static_cast<unsigned>(std::atoi(chosen)) : brief;
}

std::size_t entries_of(const char* folder) {
    std::error_code none;
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        static_cast<void>(entry);
        ++count;
    }
    return count; // 0 where the system does not tell
}

/// Bytes of address space and of memory, where the system tells.
std::pair<std::size_t, std::size_t> memory_use() {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0;
    std::size_t resident = 0;
    file >> all >> resident;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return {all * page, resident * page};
}

/// One life of a session, every fourth with mapped buffers, every third a ring.
void live_once(Runtime& runtime, const Registration& provider, unsigned round,
               const TestFolder& folder) {
    io::MemoryFiles files;
    SessionOptions options;
    options.name = "Morning";
    options.buffer_kb = 4;
    if (round % 4 == 1) {
        options.file = folder / "a.etl";
        options.crash_safety = CrashSafety::mapped_file;
    } else if (round % 3 == 1) {
        options.mode = mode::buffering;
    } else {
        options.mode = mode::real_time;
        options.file = "a.etl";
        options.files = &files;
    }
    const auto session = runtime.start(options);
    ASSERT_TRUE(session) << describe(session.error());
    ASSERT_TRUE(session->enable(tea, {.level = 5}));
    EXPECT_EQ(write_number(provider, round).written, 1);
    if ((options.mode & mode::real_time) != 0) {
        auto live = LiveSource::listen(*session);
        EXPECT_TRUE(live);
    }
    ASSERT_TRUE(session->stop());
}

TEST(ManySessions, LeaveNothingBehind) {
    const TestFolder folder;
    Runtime runtime;
    const auto provider = runtime.add(tea);
    for (unsigned i = 0; i < 24; ++i) { // what is allocated once
        live_once(runtime, *provider, i, folder);
    }
    const std::size_t descriptors = entries_of("/proc/self/fd");
    const std::size_t threads = entries_of("/proc/self/task");
    const auto [space, memory] = memory_use();
    for (unsigned i = 0; i < rounds() && !HasFailure(); ++i) {
        live_once(runtime, *provider, i, folder);
    }
    EXPECT_EQ(entries_of("/proc/self/fd"), descriptors);
    EXPECT_EQ(entries_of("/proc/self/task"), threads);
    if (!test::keeps_freed_memory) {
        constexpr std::size_t allowed = 16U << 20U; // the allocator's own
        EXPECT_LT(memory_use().second, memory + allowed);
        constexpr std::size_t arenas = 512U << 20U; // of threads, reserved by the allocator
        EXPECT_LT(memory_use().first, space + arenas);
    }
    EXPECT_THAT(folder.names(), testing::ElementsAre("a.etl"));
}

/// Controllers that do all there is to do, to the same few sessions.
class Controller {
public:
    Controller(Runtime& runtime, const TestFolder& folder, unsigned seed)
        : runtime_(runtime), folder_(folder), random_(seed) {}

    void act() {
        const std::string name = "S" + std::to_string(random_() % 3);
        const auto session = runtime_.find(name);
        if (!session) {
            start(name);
            return;
        }
        control(*session);
    }

private:
    void start(const std::string& name) {
        SessionOptions options;
        options.name = name;
        options.buffer_kb = 4;
        options.mode = random_() % 2 == 0 ? mode::real_time : 0U;
        options.file = folder_ / name;
        if (const auto session = runtime_.start(options)) {
            static_cast<void>(session->enable(tea));
        }
    }

    void control(const Session& session) {
        switch (random_() % 8) {
        case 0:
            static_cast<void>(session.stop());
            break;
        case 1:
            static_cast<void>(session.flush());
            break;
        case 2:
            static_cast<void>(session.update({.real_time = random_() % 2 == 0,
                                              .flush_timer = 1,
                                              .maximum_buffers = 40,
                                              .enable_flags = {},
                                              .file = {}}));
            break;
        case 3:
            static_cast<void>(session.enable(tea, {.level = 5}));
            break;
        case 4:
            static_cast<void>(session.disable(tea));
            break;
        case 5:
            static_cast<void>(LiveSource::listen(session));
            break;
        case 6:
            static_cast<void>(runtime_.sessions());
            static_cast<void>(runtime_.providers());
            break;
        default:
            static_cast<void>(session.query());
            break;
        }
    }

    Runtime& runtime_;
    const TestFolder& folder_;
    std::minstd_rand random_;
};

TEST(ManySessions, AreControlledByManyThreadsWhileOthersWrite) {
    const TestFolder folder;
    Runtime runtime;
    const auto provider = runtime.add(tea);
    std::atomic<bool> is_over{false};
    std::atomic<std::uint64_t> accepted{0};
    std::vector<std::thread> writers;
    for (unsigned i = 0; i < 3; ++i) {
        writers.emplace_back([&, i] {
            while (!is_over.load()) {
                accepted += write_number(*provider, i).written;
            }
        });
    }
    std::vector<std::thread> controllers;
    for (unsigned i = 0; i < 4; ++i) {
        controllers.emplace_back([&, i] {
            Controller controller(runtime, folder, i + 1);
            for (unsigned round = 0; round < rounds() / 2; ++round) {
                controller.act();
            }
        });
    }
    for (std::thread& controller : controllers) {
        controller.join();
    }
    is_over = true;
    for (std::thread& writer : writers) {
        writer.join();
    }
    for (const SessionState& state : runtime.sessions()) {
        EXPECT_TRUE(runtime.find(state.handle)->stop());
    }
    EXPECT_FALSE(provider->is_enabled());
    for (const std::string& name : folder.names()) {
        EXPECT_NE(written_to(folder / name).info.header.end_time, 0) << name;
    }
}

TEST(ManySessions, OfOneNameAreStartedOnce) {
    Runtime runtime;
    for (unsigned round = 0; round < rounds() / 10; ++round) {
        std::atomic<int> started{0};
        std::atomic<int> refused{0};
        std::vector<std::thread> starters;
        for (int i = 0; i < 4; ++i) {
            starters.emplace_back([&] {
                SessionOptions options;
                options.name = "Morning";
                options.mode = mode::buffering;
                const auto session = runtime.start(options);
                (session ? started : refused) += 1;
                EXPECT_TRUE(session || session.error().status == Status::already_exists);
            });
        }
        for (std::thread& starter : starters) {
            starter.join();
        }
        EXPECT_EQ(started, 1);
        EXPECT_EQ(refused, 3);
        ASSERT_TRUE(runtime.find("Morning")->stop());
    }
}

TEST(ManySessions, AreStoppedByOneOfThoseWhoTry) {
    Runtime runtime;
    for (unsigned round = 0; round < rounds() / 10; ++round) {
        SessionOptions options;
        options.name = "Morning";
        options.mode = mode::real_time;
        const auto session = runtime.start(options);
        ASSERT_TRUE(session);
        std::atomic<int> stopped{0};
        std::vector<std::thread> stoppers;
        for (int i = 0; i < 4; ++i) {
            stoppers.emplace_back([&] { stopped += session->stop() ? 1 : 0; });
        }
        for (std::thread& stopper : stoppers) {
            stopper.join();
        }
        EXPECT_EQ(stopped, 1);
    }
}

} // namespace
} // namespace etl::session::session_races_test
