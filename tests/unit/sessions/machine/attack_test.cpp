// A user without rights who takes all that a host gives, and another one who does not notice.
#include "tests/support/host_attack.hpp"
#include "tests/unit/sessions/machine/host_process.hpp"

#include <gmock/gmock.h>

#include <sys/stat.h>

namespace etl::machine::test::attack_test {

namespace {

using etl::test::HostAttack;
using etl::test::start_as;

constexpr uid_t attacker = 54321, other = 54322;

/// docs/machine-sessions.md#limits: what one user can hold of a host.
constexpr std::size_t max_threads = 40, max_descriptors = 450, max_memory = 400'000; // KB

/// 200 requests, each of which has to succeed.
bool does_its_work(const std::string& place, const std::string& folder) {
    for (int i = 0; i < 40; ++i) {
        auto controller = Controller::connect({.directory = place, .start = StartHost::never});
        const std::string name = "Other" + std::to_string(i);
        if (!controller || !controller->start({.name = name, .file = folder + "/" + name}) ||
            !controller->enable(name, tea) || !controller->query(name) ||
            !controller->flush(name) || !controller->stop(name)) {
            return false;
        }
    }
    return true;
}

TEST(AttackTest, NobodyElseNotices) {
    if (::geteuid() != 0 || !etl::test::can_start_threads_in_child()) {
        GTEST_SKIP() << "only root can become another user";
    }
    const TestFolder folder;
    for (const uid_t user : {attacker, other}) {
        const std::string own = folder / std::to_string(user);
        std::filesystem::create_directory(own);
        ASSERT_EQ(::chown(own.c_str(), user, user), 0);
    }
    const std::string place = folder / "host";
    HostProcess host(place, true);
    ASSERT_TRUE(host.is_running());
    const std::size_t threads = host.threads(), descriptors = host.descriptors(),
                      memory = host.memory();
    const pid_t attack = start_as(attacker, [&] {
        HostAttack(place, folder / std::to_string(attacker)).run();
        return true;
    });
    // All sessions and 32 controllers; where the host is slow, it refuses some of these before.
    EXPECT_TRUE(eventually([&] { return host.threads() > threads + 20; })) << host.threads();
    const pid_t work =
        start_as(other, [&] { return does_its_work(place, folder / std::to_string(other)); });
    constexpr std::size_t of_other_threads = 4, of_other_descriptors = 8;
    int status = -1;
    std::size_t seen_threads = 0, seen_descriptors = 0, seen_memory = 0;
    while (::waitpid(work, &status, WNOHANG) == 0) {
        seen_threads = std::max(seen_threads, host.threads());
        seen_descriptors = std::max(seen_descriptors, host.descriptors());
        seen_memory = std::max(seen_memory, host.memory());
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(status, 0) << "all requests of the other user succeed";
    EXPECT_LE(seen_threads, threads + max_threads + of_other_threads);
    EXPECT_LE(seen_descriptors, descriptors + max_descriptors + of_other_descriptors);
    EXPECT_LE(seen_memory, memory + max_memory);
    std::printf("threads %zu, descriptors %zu, memory %zu KB; before %zu, %zu, %zu KB\n",
                seen_threads, seen_descriptors, seen_memory, threads, descriptors, memory);
    ::kill(attack, SIGKILL);
    ::waitpid(attack, nullptr, 0);
    constexpr std::size_t loggers = 7; // of the sessions, which go on
    EXPECT_TRUE(eventually([&] { return host.threads() <= threads + loggers; })) << host.threads();
    EXPECT_TRUE(eventually([&] { return host.descriptors() <= descriptors; }))
        << host.descriptors();
    EXPECT_EQ(host.terminate(), 0);
}

} // namespace

} // namespace etl::machine::test::attack_test
