// kill -9 of controllers and consumers under load. Producers and hosts: processes_test.cpp.
#include "host/descriptor.hpp"
#include "tests/unit/sessions/machine/producers.hpp"

#include <gmock/gmock.h>

#include <array>
#include <fcntl.h>
#include <numeric>

namespace etl::machine::test::kills_test {

namespace {

using session::Runtime;
using session::write_number;

/// Writes 0, 1, ... until it is stopped; each until it is recorded.
class Load {
public:
    explicit Load(const std::string& directory)
        : provider_(*runtime_.add(tea)), attached_(attach_to(runtime_, directory)),
          thread_([this] { run(); }) {}

    ~Load() { stop(); }

    /// Returns how many were written.
    std::uint32_t stop() {
        is_stopping_ = true;
        if (thread_.joinable()) {
            thread_.join();
        }
        return written_;
    }

    std::uint32_t written() const { return written_; }

private:
    void run() {
        while (!is_stopping_) {
            if (write_number(provider_, written_).written == 1) {
                ++written_;
            }
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
    }

    Runtime runtime_;
    session::Registration provider_;
    session::Attachment attached_;
    std::atomic<bool> is_stopping_{false};
    std::atomic<std::uint32_t> written_{0};
    std::thread thread_;
};

/// Kills a child of this process that does something again and again.
void kill_at_work(int round, const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        for (;;) {
            work();
        }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + round % 20));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

std::vector<std::uint32_t> first_numbers(std::uint32_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

TEST_F(ProcessesTest, KillingControllersAtWorkLosesNothingAtAll) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    begin(controller, folder / "a.etl");
    Load load(folder / "host");
    const int rounds = asked("ETL_TEST_KILLS", 10);
    for (int round = 0; round < rounds; ++round) {
        kill_at_work(round, [&] {
            auto other =
                Controller::connect({.directory = folder / "host", .start = StartHost::never});
            if (other) {
                static_cast<void>(other->start({.name = "B", .file = folder / "b.etl"}));
                static_cast<void>(other->enable("B", tea));
                static_cast<void>(other->flush("A"));
                static_cast<void>(other->update("B", {.file = folder / "c.etl"}));
                static_cast<void>(other->capture_state("A", tea));
                static_cast<void>(other->stop("B"));
            }
        });
    }
    // What the last one left, also what the host executes only now, can be stopped.
    EXPECT_TRUE(eventually([&] {
        static_cast<void>(controller.stop("B"));
        return controller.start({.name = "B", .file = folder / "b.etl"}).has_value();
    }));
    const std::uint32_t written = load.stop();
    const auto stopped = controller.stop("A");
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->events_lost, 0);
    const auto recorded = written_to(folder / "a.etl");
    EXPECT_THAT(recorded.checked, testing::IsEmpty());
    auto numbers = numbers_in(recorded);
    std::ranges::sort(numbers);
    EXPECT_EQ(numbers, first_numbers(written));
}

/// All bytes that come out of a pipe.
std::vector<std::byte> read_all(const std::string& pipe) {
    const host::Descriptor end(::open(pipe.c_str(), O_RDONLY | O_CLOEXEC));
    std::vector<std::byte> all;
    std::array<std::byte, 65536> part{};
    ssize_t size = 0;
    while ((size = ::read(end.number(), part.data(), part.size())) > 0) {
        all.insert(all.end(), part.begin(), part.begin() + size);
    }
    return all;
}

TEST_F(ProcessesTest, KillingConsumersChangesNothingForOthers) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    ASSERT_TRUE(controller.start({.name = "A",
                                  .buffer_kb = 1024,
                                  .maximum_buffers = 100,
                                  .mode = session::mode::real_time,
                                  .file = folder / "a.etl"}));
    ASSERT_TRUE(controller.enable("A", tea));
    const host::TemporaryPipe pipe;
    std::vector<std::byte> delivered;
    std::thread consumer([&] { delivered = read_all(pipe.path()); });
    ASSERT_TRUE(controller.deliver("A", pipe.path()));
    Load load(folder / "host");
    const int rounds = asked("ETL_TEST_KILLS", 10);
    for (int round = 0; round < rounds; ++round) {
        const host::TemporaryPipe killed; // removed here: its owner cannot
        kill_at_work(round, [&] {
            auto other =
                Controller::connect({.directory = folder / "host", .start = StartHost::never});
            if (other && other->deliver("A", killed.path())) {
                read_all(killed.path());
            }
        });
    }
    EXPECT_TRUE(eventually([&] { return controller.query("A")->consumers == 1; }))
        << controller.query("A")->consumers;
    const std::uint32_t written = load.stop();
    const auto stopped = controller.stop("A");
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->events_lost, 0);
    consumer.join();
    for (const auto& recorded :
         {written_to(folder / "a.etl"), etl::test::read_written(delivered)}) {
        auto numbers = numbers_in(recorded);
        std::ranges::sort(numbers);
        EXPECT_EQ(numbers, first_numbers(written));
    }
}

} // namespace

} // namespace etl::machine::test::kills_test
