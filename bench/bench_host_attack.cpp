// How long requests to a host take while another user attacks it (tests/support/host_attack.hpp).
// Prints the median and the 95th and 99th percentiles of 1000 queries, and of 200 sessions that are
// started and stopped, in microseconds: of a quiet host, then of one that is attacked. As root.
//     bench_host_attack DIRECTORY
#include <etl/machine.hpp>

#include "tests/support/host_attack.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <sys/wait.h>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;
using etl::machine::Controller;

constexpr uid_t attacker = 54321, other = 54322;

void print(const char* state, const char* what, std::vector<double> times) {
    std::ranges::sort(times);
    const auto at = [&](std::size_t percent) { return times[(times.size() - 1) * percent / 100]; };
    std::printf("%-9s %-14s %8.0f %8.0f %8.0f\n", state, what, at(50), at(95), at(99));
}

template <typename Ask>
std::vector<double> times_of(int count, const Ask& ask) {
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        const auto begin = Clock::now();
        if (!ask()) {
            std::puts("a request failed");
        }
        times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
        std::this_thread::sleep_for(std::chrono::milliseconds(3)); // fewer than the limit
    }
    return times;
}

bool measure(const std::string& place, const std::string& folder, const char* state) {
    auto controller =
        Controller::connect({.directory = place, .start = etl::machine::StartHost::never});
    if (!controller || !controller->start({.name = "Other", .file = folder + "/a.etl"})) {
        return false;
    }
    print(state, "query", times_of(1000, [&] { return controller->query("Other").has_value(); }));
    print(state, "start, stop", times_of(200, [&] {
              return controller->start({.name = "Next", .file = folder + "/b.etl"}) &&
                     controller->stop("Next");
          }));
    std::fflush(stdout);
    return controller->stop("Other").has_value();
}

int run(const std::string& directory) {
    const std::string place = directory + "/host";
    for (const uid_t user : {attacker, other}) {
        const std::string own = directory + '/' + std::to_string(user);
        std::filesystem::create_directories(own);
        if (::chown(own.c_str(), user, user) != 0) {
            return 2;
        }
    }
    const pid_t host = ::fork();
    if (host == 0) {
        std::signal(SIGPIPE, SIG_IGN);
        auto opened = etl::machine::Host::open({.directory = place, .is_for_all_users = true});
        if (opened) {
            opened->run();
        }
        ::_exit(2);
    }
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const auto measure_as_other = [&](const char* state) {
        int status = 0;
        ::waitpid(
            etl::test::start_as(
                other,
                [&] { return measure(place, directory + '/' + std::to_string(other), state); }),
            &status, 0);
        return status;
    };
    std::printf("%-24s %8s %8s %8s\n", "microseconds", "50%", "95%", "99%");
    std::fflush(stdout);
    int status = measure_as_other("quiet");
    const pid_t attack = etl::test::start_as(attacker, [&] {
        etl::test::HostAttack(place, directory + '/' + std::to_string(attacker)).run();
        return true;
    });
    std::this_thread::sleep_for(std::chrono::seconds(2));
    status |= measure_as_other("attacked");
    for (const pid_t one : {attack, host}) {
        ::kill(one, SIGKILL);
        ::waitpid(one, nullptr, 0);
    }
    return status == 0 ? 0 : 2;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: bench_host_attack DIRECTORY\n", stderr);
        return 64;
    }
    return run(arguments[1]);
}
