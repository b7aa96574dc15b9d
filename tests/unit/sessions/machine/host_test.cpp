#include "tests/unit/sessions/machine/running_host.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <sys/wait.h>
#include <unistd.h>

namespace etl::machine::test::host_test {

namespace {

using session::EnableNotification;
using session::ProviderState;
using session::Runtime;
using session::Status;
using session::write_number;
using testing::ElementsAre;
using testing::IsEmpty;

/// Registrations of `tea` that the host knows.
std::size_t registered(Controller& controller) {
    const auto providers = controller.providers();
    const auto found = std::ranges::find(*providers, tea, &ProviderState::guid);
    return found == providers->end() || !found->is_registered ? 0 : found->instances.size();
}

TEST(HostTest, ListsTheProvidersOfProcesses) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    EXPECT_THAT(*controller.providers(), IsEmpty());

    Runtime runtime;
    const auto early = runtime.add(tea);
    const auto attached = attach_to(runtime, folder / "host");
    EXPECT_TRUE(attached.is_linked());
    EXPECT_EQ(registered(controller), 1);
    {
        const auto late = runtime.add(tea);
        EXPECT_EQ(registered(controller), 2);
        const auto providers = *controller.providers();
        EXPECT_EQ(providers[0].instances[1].process_id, static_cast<std::uint32_t>(::getpid()));
    }
    EXPECT_TRUE(eventually([&] { return registered(controller) == 1; }));
}

TEST(HostTest, RegistrationsEndWithTheirProcess) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    {
        Runtime runtime;
        const auto provider = runtime.add(tea);
        const auto attached = attach_to(runtime, folder / "host");
        EXPECT_EQ(registered(controller), 1);
    }
    EXPECT_TRUE(eventually([&] { return registered(controller) == 0; }));
}

TEST(HostTest, NoRegistrationOfManyShortProcessesRemains) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    ASSERT_TRUE(controller.start({.name = "A", .file = folder / "a.etl"}));
    ASSERT_TRUE(controller.enable("A", tea)); // so that the drain is busy
    for (int i = 0; i < 100; ++i) {
        Runtime runtime;
        const auto attached = attach_to(runtime, folder / "host");
        const auto provider = runtime.add(tea);
        write_number(*provider, 1);
    }
    EXPECT_TRUE(eventually([&] { return registered(controller) == 0; }));
}

TEST(HostTest, FindsProcessesThatStartedBefore) {
    const TestFolder folder;
    Runtime runtime;
    const auto provider = runtime.add(tea);
    const auto attached = attach_to(runtime, folder / "host");
    EXPECT_FALSE(attached.is_linked());
    const RunningHost host(folder / "host");
    EXPECT_TRUE(eventually([&] { return attached.is_linked(); }));
    Controller controller = connect_to(folder / "host");
    EXPECT_EQ(registered(controller), 1);
}

TEST(HostTest, TwoHostsExcludeEachOther) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    EXPECT_FALSE(RunningHost(folder / "host").is_running());
}

TEST(HostTest, DirectoriesOthersCanWriteToAreNotUsed) {
    const TestFolder folder;
    const std::string open = folder / "open";
    std::filesystem::create_directory(open);
    std::filesystem::permissions(open, std::filesystem::perms::all);
    EXPECT_FALSE(RunningHost(open).is_running());
    Runtime runtime;
    EXPECT_EQ(session::attach(runtime, {.directory = open}).error().status, Status::access_denied);
}

TEST(HostTest, RecordsEventsOfAProcess) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    Runtime runtime;
    const auto provider = runtime.add(tea);
    const auto attached = attach_to(runtime, folder / "host");

    ASSERT_TRUE(controller.start({.name = "A", .file = folder / "a.etl"}));
    EXPECT_FALSE(provider->is_enabled());
    ASSERT_TRUE(controller.enable("a", tea, confirmed({.level = 4})));
    EXPECT_TRUE(provider->is_enabled());
    std::vector<std::uint32_t> expected(1000);
    std::iota(expected.begin(), expected.end(), 0U);
    for (const std::uint32_t number : expected) {
        EXPECT_EQ(write_number(*provider, number).written, 1);
    }
    const auto stopped = controller.stop("A");
    ASSERT_TRUE(stopped) << describe(stopped.error());
    EXPECT_EQ(stopped->events_lost, 0);
    EXPECT_TRUE(eventually([&] { return !provider->is_enabled(); }));

    const auto written = written_to(folder / "a.etl");
    EXPECT_FALSE(written.error.has_value());
    auto numbers = numbers_in(written);
    std::ranges::sort(numbers);
    EXPECT_EQ(numbers, expected);
    EXPECT_EQ(controller.query("A").error().status, Status::wmi_instance_not_found);
}

TEST(HostTest, EnabledBeforeRegisteredRecordsTheFirstEvent) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    ASSERT_TRUE(controller.start({.name = "A", .file = folder / "a.etl"}));
    ASSERT_TRUE(controller.enable("A", tea));
    Runtime runtime;
    const auto attached = attach_to(runtime, folder / "host");
    std::vector<std::uint32_t> seen;
    const auto provider = runtime.add(
        tea, [&](const EnableNotification& notice) { seen.push_back(notice.is_enabled); });
    EXPECT_EQ(write_number(*provider, 7).written, 1);
    EXPECT_THAT(seen, ElementsAre(1));
    ASSERT_TRUE(controller.stop("A"));
    EXPECT_THAT(numbers_in(written_to(folder / "a.etl")), ElementsAre(7));
}

TEST(HostTest, EventsOfAProcessThatCameAfterTheEnablingReachTheFileByThemselves) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    {
        Controller controller = connect_to(folder / "host");
        ASSERT_TRUE(controller.start({.name = "A", .flush_timer = 1, .file = folder / "a.etl"}));
        ASSERT_TRUE(controller.enable("A", tea));
    }
    Runtime runtime;
    const auto attached = attach_to(runtime, folder / "host");
    const auto provider = runtime.add(tea);
    EXPECT_EQ(write_number(*provider, 7).written, 1);
    EXPECT_TRUE(eventually([&] { return !numbers_in(written_to(folder / "a.etl")).empty(); }));
}

TEST(HostTest, AProviderRegisteredAgainIsRecorded) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    ASSERT_TRUE(controller.start({.name = "A", .file = folder / "a.etl"}));
    ASSERT_TRUE(controller.enable("A", tea));
    Runtime runtime;
    const auto attached = attach_to(runtime, folder / "host");
    std::vector<std::uint32_t> expected(500);
    std::iota(expected.begin(), expected.end(), 0U);
    for (const std::uint32_t number : expected) {
        const auto provider = runtime.add(tea);
        EXPECT_EQ(write_number(*provider, number).written, 1);
        std::this_thread::sleep_for(std::chrono::microseconds(number % 100));
    }
    EXPECT_TRUE(eventually([&] { return registered(controller) == 0; }));
    ASSERT_TRUE(controller.stop("A"));
    auto numbers = numbers_in(written_to(folder / "a.etl"));
    std::ranges::sort(numbers);
    EXPECT_EQ(numbers, expected);
}

TEST(HostTest, CallbacksReceiveTheAggregateAndStateRequests) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    Runtime runtime;
    std::mutex mutex;
    std::vector<std::string> seen;
    const auto provider = runtime.add(tea, [&](const EnableNotification& notice) {
        const std::lock_guard lock(mutex);
        seen.push_back(std::to_string(notice.is_enabled) + " level " +
                       std::to_string(notice.level));
    });
    const auto attached = attach_to(runtime, folder / "host");
    for (const char* name : {"A", "B"}) {
        ASSERT_TRUE(controller.start({.name = name, .file = folder / name}));
    }
    ASSERT_TRUE(controller.enable("A", tea, confirmed({.level = 2, .match_any = 1})));
    ASSERT_TRUE(controller.enable("B", tea, confirmed({.level = 5, .match_any = 2})));
    ASSERT_TRUE(controller.capture_state("A", tea, confirmed()));
    ASSERT_TRUE(controller.disable("B", tea, confirmed()));
    ASSERT_TRUE(controller.disable("A", tea, confirmed()));
    const std::lock_guard lock(mutex);
    EXPECT_THAT(seen, ElementsAre("1 level 2", "1 level 5", "2 level 5", "1 level 2", "0 level 0"));
}

TEST(HostTest, EachSessionRecordsWhatItEnabled) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    Runtime runtime;
    const auto provider = runtime.add(tea);
    const auto attached = attach_to(runtime, folder / "host");

    // write_number has level 4 and keyword 1.
    struct Asked {
        const char* name;
        session::EnableOptions how;
        bool records;
    };

    const std::vector<Asked> all{
        {"level", {.level = 3}, false},
        {"keyword", {.match_any = 2}, false},
        {"all", {}, true},
        {"id", {.filters = {session::make_event_exclusion_filter({1})}}, false},
        {"pid", {.filters = {session::make_process_filter({1})}}, false},
        {"own",
         {.filters = {session::make_process_filter({static_cast<std::uint32_t>(::getpid())})}},
         true},
        {"exe", {.filters = {session::make_executable_filter("etl_machine_test")}}, true}};
    for (const Asked& one : all) {
        ASSERT_TRUE(controller.start({.name = one.name, .file = folder / one.name}));
        ASSERT_TRUE(controller.enable(one.name, tea, confirmed(one.how)));
    }
    write_number(*provider, 7);
    for (const Asked& one : all) {
        ASSERT_TRUE(controller.stop(one.name));
        EXPECT_EQ(numbers_in(written_to(folder / one.name)).size(), one.records ? 1 : 0)
            << one.name;
    }
}

TEST(HostTest, NamesAndLimitsAreThoseOfTheMachine) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    Controller other = connect_to(folder / "host");
    ASSERT_TRUE(controller.start({.name = "Some", .file = folder / "a.etl"}));
    EXPECT_EQ(other.start({.name = "sOME", .file = folder / "b.etl"}).error().status,
              Status::already_exists);
    EXPECT_EQ(other.start({.name = "B", .file = folder / "a.etl"}).error().status,
              Status::sharing_violation);
    for (int i = 0; i < 9; ++i) {
        const std::string name = "S" + std::to_string(i);
        ASSERT_TRUE(other.start({.name = name, .file = folder / name}));
        const auto enabled = other.enable(name, tea);
        EXPECT_EQ(enabled ? Status::success : enabled.error().status,
                  i < 8 ? Status::success : Status::no_system_resources);
    }
    EXPECT_EQ(other.sessions()->size(), 10);
}

TEST(HostTest, PrivateSessionsAreOfAProcess) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    const auto started =
        controller.start({.name = "A",
                          .guid = tea,
                          .mode = session::mode::private_logger | session::mode::private_in_proc,
                          .file = folder / "a.etl"});
    EXPECT_EQ(session::said(started), "ERROR_INVALID_PARAMETER");
    EXPECT_TRUE(controller.start({.name = "A", .guid = tea, .file = folder / "a.etl"}));
}

TEST(HostTest, ProgramsGoOnWhenTheHostEndsAndFindTheNext) {
    const TestFolder folder;
    auto host = std::make_unique<RunningHost>(folder / "host");
    Runtime runtime;
    std::atomic<int> disabled{0};
    const auto provider = runtime.add(
        tea, [&](const EnableNotification& notice) { disabled += notice.is_enabled == 0 ? 1 : 0; });
    const auto attached = attach_to(runtime, folder / "host");
    {
        Controller controller = connect_to(folder / "host");
        ASSERT_TRUE(controller.start({.name = "A", .file = folder / "a.etl"}));
        ASSERT_TRUE(controller.enable("A", tea, confirmed()));
        write_number(*provider, 1);
    }
    host.reset();
    EXPECT_TRUE(eventually([&] { return !provider->is_enabled() && disabled == 1; }));
    EXPECT_EQ(write_number(*provider, 2).written, 0);
    EXPECT_THAT(numbers_in(written_to(folder / "a.etl")), ElementsAre(1));

    const RunningHost next(folder / "host");
    EXPECT_TRUE(eventually([&] { return attached.is_linked(); }));
    Controller controller = connect_to(folder / "host");
    ASSERT_TRUE(controller.start({.name = "A", .file = folder / "b.etl"}));
    ASSERT_TRUE(controller.enable("A", tea, confirmed()));
    write_number(*provider, 3);
    ASSERT_TRUE(controller.stop("A"));
    EXPECT_THAT(numbers_in(written_to(folder / "b.etl")), ElementsAre(3));
}

} // namespace

} // namespace etl::machine::test::host_test
