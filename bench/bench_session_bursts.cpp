// Writes events of 32 bytes in bursts to a session with a file. Says the time of the median burst,
// in ns per event of one thread; how many were written and lost. bench/lttng/run compares it with
// an LTTng tracepoint.
//     bench_session_bursts THREADS BURSTS EVENTS PAUSE_MS FILE
// FILE `-`: to a machine session that has the provider enabled.
#include <etl/machine.hpp>
#include <etl/session.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Plan {
    unsigned threads = 1;
    std::size_t bursts = 100, events = 10'000;
    std::chrono::milliseconds pause{20};
    std::string file;
};

struct Outcome {
    std::vector<double> times; // of bursts in the first thread, ns per event
    std::atomic<std::uint64_t> written = 0, lost = 0;
};

constexpr etl::format::EventDescriptor descriptor{.id = 1, .level = 4, .keyword = 1};

void run(const Plan& plan, bool is_first, const etl::session::Registration& provider,
         std::barrier<>& together, Outcome& outcome) {
    std::array<std::byte, 32> payload{};
    const std::array<etl::Bytes, 1> parts{payload};
    std::uint64_t written = 0;
    std::uint64_t lost = 0;
    for (std::size_t burst = 0; burst < plan.bursts; ++burst) {
        together.arrive_and_wait();
        const auto begin = Clock::now();
        for (std::size_t i = 0; i < plan.events; ++i) {
            payload[0] = static_cast<std::byte>(i);
            const auto result = provider.write(descriptor, parts);
            written += result.written;
            lost += result.lost;
        }
        const std::chrono::duration<double, std::nano> took = Clock::now() - begin;
        if (is_first) {
            outcome.times.push_back(took.count() / static_cast<double>(plan.events));
        }
        together.arrive_and_wait();
        std::this_thread::sleep_for(plan.pause);
    }
    outcome.written += written;
    outcome.lost += lost;
}

const etl::Guid guid = *etl::parse_guid("9e7a3f52-0c41-4a86-b5ad-4c1f7ad2e606");

void run_threads(const Plan& plan, const etl::session::Registration& provider, Outcome& outcome) {
    std::barrier together(plan.threads);
    std::vector<std::thread> others;
    for (unsigned i = 1; i < plan.threads; ++i) {
        others.emplace_back([&] { run(plan, false, provider, together, outcome); });
    }
    run(plan, true, provider, together, outcome);
    for (std::thread& other : others) {
        other.join();
    }
}

void print(Outcome& outcome) {
    std::ranges::sort(outcome.times);
    std::printf("%.1f %llu %llu\n", outcome.times[outcome.times.size() / 2],
                static_cast<unsigned long long>(outcome.written),
                static_cast<unsigned long long>(outcome.lost));
}

int measure_machine(const Plan& plan) {
    etl::session::Runtime runtime;
    const auto provider = runtime.add(guid);
    const auto attached = etl::session::attach(runtime, {});
    const auto deadline = Clock::now() + std::chrono::seconds(10);
    while (provider && attached && !provider->is_enabled() && Clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (!provider || !attached || !provider->is_enabled()) {
        std::fputs("no machine session has enabled the provider\n", stderr);
        return 2;
    }
    Outcome outcome;
    run_threads(plan, *provider, outcome);
    print(outcome);
    return 0;
}

int measure(const Plan& plan) {
    etl::session::Runtime runtime;
    const auto provider = runtime.add(guid);
    // As many bytes as bench/lttng/run gives LTTng for two processors.
    const auto session = runtime.start({.name = "Bursts",
                                        .buffer_kb = 256,
                                        .minimum_buffers = 64,
                                        .maximum_buffers = 64,
                                        .file = plan.file});
    if (!provider || !session || !session->enable(guid, {.level = 4})) {
        std::fputs("no session\n", stderr);
        return 2;
    }
    Outcome outcome;
    run_threads(plan, *provider, outcome);
    const auto state = session->stop();
    if (!state || state->events_lost != outcome.lost) {
        std::fputs("lost events are counted wrongly\n", stderr);
        return 1;
    }
    print(outcome);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 6) {
        std::fputs("usage: bench_session_bursts THREADS BURSTS EVENTS PAUSE_MS FILE\n", stderr);
        return 64;
    }
    const auto number = [&](int i) { return std::strtoul(argv[i], nullptr, 10); };
    const Plan plan{.threads = static_cast<unsigned>(number(1)),
                    .bursts = number(2),
                    .events = number(3),
                    .pause = std::chrono::milliseconds(number(4)),
                    .file = argv[5]};
    if (plan.threads == 0 || plan.bursts == 0 || plan.events == 0) {
        return 64;
    }
    return plan.file == "-" ? measure_machine(plan) : measure(plan);
}
