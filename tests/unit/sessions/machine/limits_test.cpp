// What a host refuses, and what groups reach.
#include <etl/provider.hpp>

#include "host/local_socket.hpp"
#include "host/memory.hpp"
#include "host/places.hpp"
#include "host/process.hpp"
#include "link/messages.hpp"
#include "machine/accounts.hpp"
#include "machine/requests.hpp"
#include "tests/unit/sessions/machine/running_host.hpp"

#include <gmock/gmock.h>

#include <sys/wait.h>
#include <unistd.h>

namespace etl::machine::test::limits_test {

namespace {

using session::Runtime;
using session::Status;
using testing::ElementsAre;
using testing::IsEmpty;

/// What a host answers to a Hello of another version.
std::vector<std::byte> answer_to_other_version(const std::string& directory, link::Role role,
                                               const std::string& program = "later") {
    const auto socket = host::LocalSocket::connect(host::MeetingPlace{directory}.socket());
    link::Hello hello{.version = link::protocol_version + 1, .role = role, .program = program};
    EXPECT_EQ(socket->send(encode(hello)), host::LocalSocket::Sent::done);
    socket->wait(std::nullopt);
    std::vector<std::byte> packet(4096);
    packet.resize(socket->receive(packet).size);
    return packet;
}

/// Returns the lines that a host reports while `use` talks to it.
std::vector<std::string> reported(const std::function<void(const std::string& place)>& use) {
    const TestFolder folder;
    const std::string place = folder / "host";
    std::vector<std::string> lines;
    {
        const RunningHost host(HostOptions{
            .directory = place, .report = [&](const std::string& line) { lines.push_back(line); }});
        EXPECT_TRUE(host.is_running());
        use(place);
    }
    return lines;
}

TEST(LimitsTest, ProgramsOfAnotherVersionAreRefusedAndReportedOnce) {
    const auto lines = reported([](const std::string& place) {
        for (int i = 0; i < 3; ++i) {
            const auto answer = answer_to_other_version(place, link::Role::provider);
            EXPECT_EQ(link::decode_refusal(answer),
                      (link::Refusal{.reason = link::Refusal::Reason::version}));
        }
        const auto answer = answer_to_other_version(place, link::Role::controller);
        EXPECT_EQ(link::decode_refusal(answer),
                  (link::Refusal{.reason = link::Refusal::Reason::version}));
    });
    EXPECT_THAT(lines, ElementsAre("refused later of user " + std::to_string(::getuid()) + ": " +
                                   link::describe(link::Refusal::Reason::version)));
}

TEST(LimitsTest, AProgramOfManyNamesDoesNotFloodTheLogOrTheTerminal) {
    const auto lines = reported([](const std::string& place) {
        for (int i = 0; i < 40; ++i) {
            answer_to_other_version(place, link::Role::provider,
                                    "\x1b]0;title\a\n" + std::to_string(i) +
                                        std::string(2000, 'x'));
        }
    });
    ASSERT_EQ(lines.size(), 17);
    EXPECT_THAT(lines.front(), testing::StartsWith("refused ?]0;title??0xxx"));
    EXPECT_LT(lines.front().size(), 200);
    EXPECT_EQ(lines.back(), "more refusals are not reported for up to a minute");
}

TEST(LimitsTest, RequestsOfASecondAreCountedWithoutAConnection) {
    constexpr std::uint32_t user = 54321;
    Accounts accounts;
    const auto now = Account::Clock::now();
    for (std::uint32_t i = 0; i < user_limits.requests_per_second; ++i) {
        EXPECT_EQ(accounts.of(user, false, now)->delay_of_request(now).count(), 0);
    }
    EXPECT_GT(accounts.of(user, false, now)->delay_of_request(now).count(), 0);
    EXPECT_EQ(accounts.of(user + 1, false, now)->delay_of_request(now).count(), 0);
    EXPECT_EQ(accounts.of(user, true, now)->delay_of_request(now).count(), 0);
    const auto later = now + std::chrono::seconds(2);
    EXPECT_EQ(accounts.of(user, false, later)->delay_of_request(later).count(), 0);
}

TEST(LimitsTest, TheFactsOfAProcessAreThoseOfTheKernel) {
    const TestFolder folder;
    const auto listening = host::LocalSocket::listen(folder / "socket", 0600);
    ASSERT_TRUE(listening);
    const auto own = host::LocalSocket::connect(folder / "socket");
    const auto facts = listening->accept()->peer_process();
    EXPECT_EQ(facts.start_key, host::process_start_key());
    EXPECT_EQ(facts.program, host::executable_name());
    const pid_t child = ::fork();
    if (child == 0) {
        const auto socket = host::LocalSocket::connect(folder / "socket");
        ::_exit(socket ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    EXPECT_EQ(listening->accept()->peer_process().start_key, 0U) << "its ID may be another's";
}

TEST(EventsTest, ControllersSeeWhatBecomesOfSessions) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    constexpr std::chrono::milliseconds none{0}, second{1000};
    const auto first = controller.events(0, none);
    ASSERT_TRUE(first);
    EXPECT_THAT(first->events, IsEmpty());
    std::thread other([&] {
        Controller controls = connect_to(folder / "host");
        EXPECT_TRUE(controls.start({.name = "A", .file = folder / "a.etl"}));
        EXPECT_TRUE(controls.stop("A"));
    });
    std::vector<session::SessionEvent> seen;
    std::uint64_t next = first->next;
    EXPECT_TRUE(eventually([&] {
        auto more = controller.events(next, second);
        next = more->next;
        EXPECT_EQ(more->missed, 0);
        std::ranges::move(more->events, std::back_inserter(seen));
        return seen.size() == 2;
    }));
    other.join();
    EXPECT_EQ(seen[0].kind, session::SessionEvent::Kind::started);
    EXPECT_EQ(seen[1].kind, session::SessionEvent::Kind::stopped);
    EXPECT_EQ(seen[1].session_name, "A");
    EXPECT_EQ(controller.events(next + 100, second)->next, next) << "of another host";
    for (int i = 0; i < 150; ++i) {
        ASSERT_TRUE(controller.start({.name = "B", .mode = session::mode::buffering}));
        ASSERT_TRUE(controller.stop("B"));
    }
    const auto late = controller.events(next, none);
    EXPECT_EQ(late->events.size(), 256);
    EXPECT_EQ(late->missed, 300 - 256);
}

TEST(LimitsTest, BuffersOfAllSessionsHaveAQuarterOfTheMemory) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    constexpr std::uint32_t large = 16384, kilobyte = 1024;
    const auto max = static_cast<std::uint32_t>(host::memory_of_machine() / 4 / large / kilobyte);
    ASSERT_GT(max, 8);
    if (max > 4000) {
        GTEST_SKIP() << "a session has at most 64 GB";
    }
    const auto start = [&](const std::string& name, std::uint32_t buffers) {
        return session::said(controller.start({.name = name,
                                               .buffer_kb = large,
                                               .minimum_buffers = 2,
                                               .maximum_buffers = buffers,
                                               .mode = session::mode::no_per_processor_buffering,
                                               .file = folder / name}));
    };
    EXPECT_EQ(start("A", max + 1), "ERROR_NO_SYSTEM_RESOURCES");
    EXPECT_EQ(start("A", max - 4), "ERROR_SUCCESS");
    EXPECT_EQ(start("B", 8), "ERROR_NO_SYSTEM_RESOURCES");
    EXPECT_EQ(start("B", 4), "ERROR_SUCCESS");
    EXPECT_EQ(session::said(controller.update("B", {.maximum_buffers = 8})),
              "ERROR_NO_SYSTEM_RESOURCES");
    EXPECT_TRUE(controller.update("B", {.maximum_buffers = 4}));
    EXPECT_TRUE(controller.stop("A"));
    EXPECT_TRUE(controller.update("B", {.maximum_buffers = 8}));
}

TEST(LimitsTest, AGroupReachesTheProvidersOfAllProcessesButThoseOfTheList) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    const Guid group = session::some_guid;
    const provider::Provider member("Etl.Tests.Member", {.group = group});
    Runtime runtime;
    const auto provider = runtime.add(member);
    const auto attached = attach_to(runtime, folder / "host");
    ASSERT_TRUE(controller.start({.name = "A", .file = folder / "a.etl"}));
    EXPECT_THAT(*controller.disallowed("A"), IsEmpty());
    ASSERT_TRUE(controller.disallow("A", {member.guid()}));
    EXPECT_THAT(*controller.disallowed("A"), ElementsAre(member.guid()));
    ASSERT_TRUE(controller.enable(
        "A", group, confirmed({.property = session::enable_property::provider_group})));
    EXPECT_FALSE(provider->is_enabled());
    ASSERT_TRUE(controller.disallow("A", {}));
    EXPECT_TRUE(eventually([&] { return provider->is_enabled(); }));
    EXPECT_EQ(session::said(controller.disallow("B", {})), "ERROR_WMI_INSTANCE_NOT_FOUND");
}

} // namespace

} // namespace etl::machine::test::limits_test
