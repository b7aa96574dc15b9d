// Processes with a crash-safe session are killed at any moment, in every file mode. What they left
// - the log file and the file of live buffers beside it - is repaired: every event that a thread
// had written is there, in order, byte for byte; nothing is there twice, and nothing else.
// ETL_KILLS says how many processes, ETL_KILL_SEED repeats a run.

#include <etl/provider.hpp>
#include <etl/session.hpp>

#include "repair/repair.hpp"
#include "tests/support/traces/trace_content.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace etl::test {
namespace {

namespace fs = std::filesystem;
namespace mode = session::mode;

constexpr unsigned most_threads = 3;
const Guid coffee = provider::Provider("MyCompany.Coffee").guid();

std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}

/// Payload of event `n` of a thread: follows from these. Its size, too.
struct Story {
    std::array<std::uint64_t, 50> words{};
    std::size_t bytes = 0;

    Story(std::uint64_t seed, unsigned thread, std::uint64_t n) {
        const std::uint64_t hash = mixed(seed + 0x9E3779B97F4A7C15U * (n * most_threads + thread));
        bytes = 16 + hash % (sizeof words - 16);
        words[0] = thread;
        words[1] = n;
        for (std::size_t i = 2; i < words.size(); ++i) {
            words[i] = i % 3 == 0 ? mixed(hash + i) : hash;
        }
    }

    Bytes payload() const { return std::as_bytes(std::span(words)).first(bytes); }
};

struct Plan {
    std::uint64_t seed = 0;
    session::SessionOptions options;
    unsigned threads = 1;
    unsigned microseconds = 0;
    unsigned flush_every = 0;     // events; 0: never
    std::uint64_t events = ~0ULL; // of each thread, at most
};

Plan make_plan(std::uint64_t seed, const fs::path& folder) {
    std::mt19937_64 random(seed);
    const auto pick = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
    Plan plan;
    plan.seed = seed;
    session::SessionOptions& options = plan.options;
    options.name = "Killed";
    options.buffer_kb = 4U << pick(5);
    options.minimum_buffers = 4;
    options.maximum_buffers = 8 + pick(40);
    options.processors = static_cast<std::uint16_t>(1 + pick(3));
    options.crash_safety = session::CrashSafety::mapped_file;
    options.file = (folder / "t.etl").string();
    // Blocking ones lose nothing: then all numbers follow each other.
    options.mode = mode::private_logger | mode::private_in_proc | mode::blocking;
    switch (pick(5)) {
    case 0:
        options.mode |= mode::compressed;
        break;
    case 1:
        options.mode |= mode::preallocate;
        options.maximum_file_size = 64;
        break;
    case 2:
        options.mode |= mode::no_per_processor_buffering;
        break;
    case 3:
        options.mode |= mode::use_ms_flush_timer;
        options.flush_timer = 1 + pick(5);
        break;
    default:
        break;
    }
    plan.threads = 1 + pick(most_threads);
    plan.flush_every = pick(3) == 0 ? 1 + pick(200) : 0;
    plan.microseconds = pick(8000);
    if ((options.mode & mode::preallocate) != 0) { // never as many as would fill the file
        plan.flush_every = 0;
        plan.events = 30'000;
    }
    return plan;
}

/// What a process has done, in memory that outlives it.
struct Progress {
    std::array<std::atomic<std::uint64_t>, most_threads> written;
    std::atomic<std::uint64_t> failed; // status + 1
};

[[noreturn]] void write_without_end(const Plan& plan, Progress& progress) {
    session::Runtime runtime;
    auto started = runtime.start(plan.options);
    auto provider = runtime.add(coffee);
    if (!started || !provider || !started->enable(coffee, {.level = 5})) {
        progress.failed = started ? 1 : static_cast<std::uint64_t>(started.error().status) + 1;
        ::_exit(1);
    }
    const auto write = [&](unsigned thread) {
        for (std::uint64_t n = 0; n < plan.events; ++n) {
            const Story story(plan.seed, thread, n);
            const Bytes payload = story.payload();
            const auto result =
                provider->write(format::EventDescriptor{.id = 1, .level = 4}, {&payload, 1});
            if (result.written != 1) {
                progress.failed = static_cast<std::uint64_t>(result.status) + 1;
                ::_exit(1);
            }
            progress.written[thread].store(n + 1, std::memory_order_release);
            if (plan.flush_every != 0 && n % plan.flush_every == 0) {
                static_cast<void>(started->flush());
            }
        }
        for (;;) {
            ::pause();
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < plan.threads; ++i) {
        threads.emplace_back(write, i);
    }
    write(0);
    ::_exit(0);
}

std::uint64_t run_and_kill(const Plan& plan, Progress& progress) {
    for (auto& written : progress.written) {
        written = 0;
    }
    progress.failed = 0;
    const pid_t child = ::fork();
    if (child == 0) {
        write_without_end(plan, progress);
    }
    while (progress.written[0] == 0 && progress.failed == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(plan.microseconds));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    std::uint64_t all = 0;
    for (const auto& written : progress.written) {
        all += written;
    }
    return all;
}

/// Payloads of the events of each thread, in the order in which each of them wrote.
void check_events(const Plan& plan, const Image& file, const Progress& progress) {
    DiagnosticList findings;
    auto reader = trace::Reader::open(in_memory(file), {.diagnostics = &findings});
    ASSERT_TRUE(reader) << describe(reader.error());
    std::array<std::uint64_t, most_threads> seen{};
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        for (const flow::Event& event : run) {
            if (!format::is_event(event.kind) || flow::read_header(event).provider != coffee) {
                continue; // of the session itself
            }
            const Bytes payload = event.bytes().subspan(0x50);
            ASSERT_GE(payload.size(), 16U);
            const auto thread = load_le<std::uint64_t>(payload.data());
            ASSERT_LT(thread, plan.threads);
            const std::uint64_t n = seen[thread]++;
            ASSERT_EQ(load_le<std::uint64_t>(payload.data() + 8), n) << "of thread " << thread;
            const Story story(plan.seed, static_cast<unsigned>(thread), n);
            ASSERT_TRUE(std::ranges::equal(payload, story.payload()));
        }
    }
    EXPECT_EQ((*reader)->damage(), 0U);
    for (unsigned i = 0; i < plan.threads; ++i) {
        EXPECT_GE(seen[i], progress.written[i]) << "of thread " << i;
        EXPECT_LE(seen[i], progress.written[i] + 1) << "of thread " << i;
    }
}

void repair_and_check(const Plan& plan, const Progress& progress) {
    const auto log = io::InputFile::map(plan.options.file);
    ASSERT_TRUE(log);
    const auto live = io::InputFile::map(plan.options.file + ".buffers");
    ASSERT_TRUE(live) << describe(live.error());
    io::MemoryFiles files;
    repair::Options options;
    options.files = &files;
    options.live_buffers = *live;
    const auto report = repair::run(*log, "repaired.etl", options);
    ASSERT_TRUE(report) << describe(report.error());
    EXPECT_TRUE(report->is_complete);
    for (const repair::Loss& loss : report->losses) {
        ADD_FAILURE() << name(loss.kind) << " at " << loss.where.value << ", " << loss.bytes;
    }
    check_events(plan, files.files().at("repaired.etl"), progress);
}

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

TEST(KilledSession, LosesNoEventThatWasWritten) {
    const std::uint64_t seed = number_from("ETL_KILL_SEED", std::random_device{}());
    const std::uint64_t kills = number_from("ETL_KILLS", 15);
    std::printf("ETL_KILL_SEED=%llu\n", static_cast<unsigned long long>(seed));
    void* const shared = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    auto* const progress = new (shared) Progress{};
    const fs::path folder =
        fs::temp_directory_path() / ("etl-killed-session-" + std::to_string(::getpid()));
    std::uint64_t events = 0;
    for (std::uint64_t i = 0; i < kills && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE("ETL_KILLS=1 ETL_KILL_SEED=" + std::to_string(seed + i));
        fs::remove_all(folder);
        fs::create_directory(folder);
        const Plan plan = make_plan(seed + i, folder);
        events += run_and_kill(plan, *progress);
        ASSERT_EQ(progress->failed, 0U);
        repair_and_check(plan, *progress);
        if (testing::Test::HasFailure()) {
            std::printf("what it left: %s\n", folder.c_str());
        }
    }
    if (!testing::Test::HasFailure()) {
        fs::remove_all(folder);
    }
    std::printf("%llu processes killed, %llu events\n", static_cast<unsigned long long>(kills),
                static_cast<unsigned long long>(events));
    ::munmap(shared, sizeof(Progress));
}

} // namespace
} // namespace etl::test
