// killed_burst session FILE | mapped FILE | machine [PID]: a child that writes events faster than
// its session takes them, and is killed with SIGKILL in the middle; or process PID is, and the
// child after it. Prints what the child counted, in memory that outlives it, for a shell to
// evaluate. `session` and `mapped`: a session of its own, without and with mapped buffers;
// `machine`: it is attached to the host in ETL_HOST.
#include <etl/machine.hpp>
#include <etl/provider.hpp>
#include <etl/session.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace etl;

/// The result of write() before the kill; the event that it interrupts is in `begun` only.
struct Counts {
    std::atomic<std::uint64_t> begun, written, lost;
    std::atomic<bool> has_failed;
};

const provider::Provider& burst() {
    static const provider::Provider made("MyCompany.Burst");
    return made;
}

[[noreturn]] void fail(Counts& counts, const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    counts.has_failed = true;
    ::_exit(1);
}

[[noreturn]] void write_without_end(const session::Registration& events, Counts& counts) {
    const std::array<std::byte, 64> payload{};
    const Bytes bytes(payload);
    for (;;) {
        ++counts.begun;
        const auto result = events.write(format::EventDescriptor{.id = 1, .level = 4}, {&bytes, 1});
        counts.written += result.written;
        counts.lost += result.lost;
    }
}

[[noreturn]] void run(std::string_view what, const char* file, Counts& counts) {
    session::Runtime runtime;
    const auto events = runtime.add(burst());
    if (!events) {
        fail(counts, describe(events.error()));
    }
    if (what == "machine") {
        const auto attached = session::attach(runtime);
        while (attached && !events->is_enabled()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        if (!attached) {
            fail(counts, describe(attached.error()));
        }
        write_without_end(*events, counts);
    }
    auto started =
        runtime.start({.name = "Burst",
                       .buffer_kb = 4,
                       .minimum_buffers = 2,
                       .maximum_buffers = 2,
                       .file = file,
                       .crash_safety = what == "mapped" ? session::CrashSafety::mapped_file
                                                        : session::CrashSafety::none,
                       .processors = 1});
    if (!started) {
        fail(counts, describe(started.error()));
    }
    if (const auto enabled = started->enable(burst().guid(), {.level = 5}); !enabled) {
        fail(counts, describe(enabled.error()));
    }
    write_without_end(*events, counts);
}

void kill_and_wait(pid_t child, std::optional<pid_t> other) {
    if (other) {
        ::kill(*other, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    void* const shared =
        ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return 1;
    }
    auto& counts = *new (shared) Counts{};
    const pid_t child = ::fork();
    if (child == 0) {
        run(what, argc > 2 ? argv[2] : "", counts);
    }
    // A machine session takes what its process has space for, and loses the rest by itself.
    const bool is_machine = what == "machine";
    const auto has_written_enough = [&] {
        return is_machine ? counts.begun >= 100'000 : counts.written >= 1000 && counts.lost >= 1000;
    };
    while (!has_written_enough() && !counts.has_failed) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    const bool kills_other = is_machine && argc > 2;
    kill_and_wait(child, kills_other ? std::optional<pid_t>(std::atoi(argv[2])) : std::nullopt);
    std::printf("begun=%llu written=%llu lost=%llu\n",
                static_cast<unsigned long long>(counts.begun),
                static_cast<unsigned long long>(counts.written),
                static_cast<unsigned long long>(counts.lost));
    return counts.has_failed ? 1 : 0;
}
