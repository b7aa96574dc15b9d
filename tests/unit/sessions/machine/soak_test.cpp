// Fifty producers that come and go: nothing is lost uncounted, and the host does not grow.
#include "tests/support/sanitizers.hpp"
#include "tests/unit/sessions/machine/producers.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace etl::machine::test::soak_test {

namespace {

using session::write_number;

struct Counts {
    std::uint64_t processes = 0, written = 0, lost = 0;

    Counts& operator+=(const Counts& other) {
        processes += other.processes;
        written += other.written;
        lost += other.lost;
        return *this;
    }
};

/// Keeps fifty producers alive until `end`, each of which writes some events and leaves.
class Crowd {
public:
    explicit Crowd(std::string directory) : directory_(std::move(directory)) {
        if (::pipe(ends_.data()) == 0) {
            ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
        }
    }

    Crowd(const Crowd&) = delete;
    Crowd& operator=(const Crowd&) = delete;

    ~Crowd() {
        ::close(ends_[0]);
        ::close(ends_[1]);
    }

    Counts run_until(std::chrono::steady_clock::time_point end) {
        constexpr int producers = 50;
        Counts sum;
        int alive = 0;
        while (std::chrono::steady_clock::now() < end || alive > 0) {
            while (alive < producers && std::chrono::steady_clock::now() < end) {
                alive += spawn() ? 1 : 0;
            }
            int status = 0;
            while (::waitpid(-1, &status, WNOHANG) > 0) {
                EXPECT_EQ(status, 0);
                --alive;
            }
            Counts one;
            while (::read(ends_[0], &one, sizeof one) == sizeof one) {
                sum += one;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return sum;
    }

private:
    bool spawn() {
        const pid_t child = ::fork();
        if (child == 0) {
            ::_exit(write_some() ? 0 : 1);
        }
        return child > 0;
    }

    bool write_some() const {
        constexpr std::uint32_t events = 1'000, burst = 100;
        session::Runtime runtime;
        const auto provider = runtime.add(tea);
        const auto attached = session::attach(runtime, {.directory = directory_, .wait = patience});
        if (!attached || !eventually([&] { return provider->is_enabled(); })) {
            return false;
        }
        Counts counts{.processes = 1};
        for (std::uint32_t i = 0; i < events; ++i) {
            const auto result = write_number(*provider, i);
            counts.written += result.written;
            counts.lost += result.lost;
            if (i % burst == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        }
        return ::write(ends_[1], &counts, sizeof counts) == sizeof counts;
    }

    std::string directory_;
    std::array<int, 2> ends_{-1, -1};
};

/// What a process holds.
struct Holdings {
    std::uint64_t resident_pages = 0;
    std::ptrdiff_t descriptors = 0, threads = 0;

    static Holdings of(pid_t process) {
        const std::filesystem::path directory = "/proc/" + std::to_string(process);
        const auto entries = [&](const char* of) {
            return std::distance(std::filesystem::directory_iterator(directory / of), {});
        };
        Holdings held{.descriptors = entries("fd"), .threads = entries("task")};
        std::uint64_t all = 0;
        std::ifstream(directory / "statm") >> all >> held.resident_pages;
        return held;
    }
};

TEST_F(ProcessesTest, ManyProducersThatComeAndGoLeaveNothingBehind) {
    const TestFolder folder;
    const pid_t host = start_host(folder / "host");
    ASSERT_GT(host, 0);
    const std::chrono::seconds whole(asked("ETL_TEST_SOAK_SECONDS", 3));
    constexpr int usual_rounds = 3;
    const std::chrono::seconds round =
        std::min<std::chrono::seconds>(whole / usual_rounds, std::chrono::minutes(1));
    Controller controller = connect_to(folder / "host");
    Crowd crowd(folder / "host");
    std::vector<Holdings> held;
    Counts sum;
    for (auto done = round; done <= whole; done += round) {
        begin(controller, folder / "a.etl");
        const Counts counts = crowd.run_until(std::chrono::steady_clock::now() + round);
        const auto stopped = controller.stop("A");
        ASSERT_TRUE(stopped);
        const auto written = written_to(folder / "a.etl");
        EXPECT_FALSE(written.error.has_value());
        EXPECT_GT(counts.processes, 0U);
        EXPECT_EQ(numbers_in(written).size() + stopped->events_lost, counts.written + counts.lost);
        if (stopped->events_lost == 0) {
            EXPECT_THAT(written.checked, testing::IsEmpty());
        }
        sum += counts;
        EXPECT_TRUE(eventually([&] { return controller.providers()->empty(); }));
        held.push_back(Holdings::of(host));
    }
    // The first round shows what is kept for reuse.
    constexpr std::uint64_t page = 4096, spare = (8U << 20U) / page;
    if (!etl::test::keeps_freed_memory) {
        EXPECT_LE(held.back().resident_pages, held.front().resident_pages + spare);
    }
    EXPECT_LE(held.back().descriptors, held.front().descriptors);
    EXPECT_LE(held.back().threads, held.front().threads);
    std::printf("%llu processes, %llu events, %llu lost; host: %.1f MB after the first round, %.1f "
                "MB after the last\n",
                static_cast<unsigned long long>(sum.processes),
                static_cast<unsigned long long>(sum.written + sum.lost),
                static_cast<unsigned long long>(sum.lost),
                static_cast<double>(held.front().resident_pages * page) / 1e6,
                static_cast<double>(held.back().resident_pages * page) / 1e6);
    ::kill(host, SIGKILL);
    ::waitpid(host, nullptr, 0);
}

} // namespace

} // namespace etl::machine::test::soak_test
