// Producers in processes of their own: order, kill -9, and stopped processes.
#include "tests/unit/sessions/machine/producers.hpp"

#include <gmock/gmock.h>

#include <map>
#include <numeric>

namespace etl::machine::test::processes_test {

namespace {

using session::Runtime;
using session::write_number;

TEST_F(ProcessesTest, EveryEventOfManyProcessesIsInTheFileOnceAndInOrder) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    begin(controller, folder / "a.etl");
    constexpr std::uint32_t processes = 100, each = 200;
    {
        std::vector<std::unique_ptr<Producer>> producers;
        for (std::uint32_t i = 0; i < processes; ++i) {
            producers.push_back(std::make_unique<Producer>(
                folder / "host", [i](const session::Registration& provider) {
                    for (std::uint32_t n = 0; n < each; ++n) {
                        while (write_number(provider, i * each + n).lost != 0) {
                        }
                    }
                }));
        }
        for (const auto& producer : producers) {
            EXPECT_EQ(producer->wait(), 0);
        }
    }
    const auto stopped = controller.stop("A");
    ASSERT_TRUE(stopped);
    const auto written = written_to(folder / "a.etl");
    EXPECT_FALSE(written.error.has_value());
    EXPECT_THAT(written.checked, testing::IsEmpty());
    std::map<std::uint32_t, std::uint32_t> count;
    for (const std::uint32_t number : numbers_in(written)) {
        ++count[number];
    }
    EXPECT_EQ(count.size(), processes * each);
    EXPECT_TRUE(std::ranges::all_of(count, [](const auto& one) { return one.second == 1; }));
}

TEST_F(ProcessesTest, KillingAProducerLosesNothingWhoseWriteHadReturned) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    const int rounds = asked("ETL_TEST_KILLS", 20);
    for (int round = 0; round < rounds; ++round) {
        const std::string file = folder / ("k" + std::to_string(round));
        begin(controller, file);
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        {
            Producer producer(folder / "host", [&](const session::Registration& provider) {
                for (std::uint32_t n = 0;; ++n) {
                    if (write_number(provider, n).lost == 0) {
                        [[maybe_unused]] const auto told = ::write(ends[1], &n, sizeof n);
                    }
                }
            });
            std::uint32_t first = 0;
            ASSERT_EQ(::read(ends[0], &first, sizeof first), 4);
            std::this_thread::sleep_for(std::chrono::milliseconds(round % 20));
            producer.send(SIGKILL);
            producer.wait();
        }
        ::close(ends[1]);
        std::uint32_t told = 1; // numbers whose write had returned
        for (std::uint32_t number = 0; ::read(ends[0], &number, sizeof number) == 4;) {
            ++told;
        }
        ::close(ends[0]);
        ASSERT_TRUE(controller.stop("A"));
        const auto written = written_to(file);
        // The event that was being written is lost, and counted.
        EXPECT_THAT(written.checked, testing::Each("the session lost events or buffers"));
        const auto numbers = numbers_in(written);
        EXPECT_GE(numbers.size(), told);
        EXPECT_LE(numbers.size(), told + 1);
    }
}

TEST_F(ProcessesTest, AHostThatAnswersLateLosesNothingOfAProcessThatStarts) {
    const TestFolder folder;
    const pid_t host = start_host(folder / "host");
    ASSERT_GT(host, 0);
    {
        Controller controller = connect_to(folder / "host");
        begin(controller, folder / "a.etl");
        ::kill(host, SIGSTOP); // as a machine that is very busy does
        std::thread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            ::kill(host, SIGCONT);
        });
        Runtime runtime;
        const auto attached = session::attach(runtime, {.directory = folder / "host"});
        const auto provider = runtime.add(tea);
        for (std::uint32_t n = 0; n < 10; ++n) {
            EXPECT_EQ(write_number(*provider, n).written, 1);
        }
        later.join();
        ASSERT_TRUE(controller.stop("A"));
        EXPECT_EQ(numbers_in(written_to(folder / "a.etl")).size(), 10);
    }
    ::kill(host, SIGKILL);
    ::waitpid(host, nullptr, 0);
}

TEST_F(ProcessesTest, AHostThatDoesNotAnswerDelaysAProgramOnce) {
    const TestFolder folder;
    const pid_t host = start_host(folder / "host");
    ASSERT_GT(host, 0);
    constexpr std::chrono::milliseconds wait{200};
    {
        Runtime runtime;
        const auto attached =
            session::attach(runtime, {.directory = folder / "host", .wait = wait});
        ASSERT_TRUE(eventually([&] { return attached->is_linked(); }));
        ::kill(host, SIGSTOP);
        const auto before = std::chrono::steady_clock::now();
        std::vector<session::Registration> providers;
        for (int i = 0; i < 100; ++i) {
            providers.push_back(std::move(*runtime.add(tea)));
        }
        EXPECT_LT(std::chrono::steady_clock::now() - before, 50 * wait);
        ::kill(host, SIGCONT);
    }
    ::kill(host, SIGKILL);
    ::waitpid(host, nullptr, 0);
}

TEST_F(ProcessesTest, KillingTheHostLeavesProgramsAndWhatWasFlushed) {
    const TestFolder folder;
    const int rounds = asked("ETL_TEST_KILLS", 5);
    for (int round = 0; round < rounds; ++round) {
        const std::string file = folder / ("h" + std::to_string(round));
        const pid_t killed = start_host(folder / "host");
        ASSERT_GT(killed, 0);
        Runtime runtime;
        const auto provider = runtime.add(tea);
        const auto attached = attach_to(runtime, folder / "host");
        ASSERT_TRUE(eventually([&] { return attached.is_linked(); }));
        {
            Controller controller = connect_to(folder / "host");
            begin(controller, file);
            ASSERT_TRUE(eventually([&] { return provider->is_enabled(); }));
            for (std::uint32_t n = 0; n < 100; ++n) {
                ASSERT_EQ(write_number(*provider, n).written, 1);
            }
            ASSERT_TRUE(controller.flush("A"));
            for (int n = 0; n < 1000 * (round % 20); ++n) {
                write_number(*provider, 1000);
            }
            ::kill(killed, SIGKILL);
            ::waitpid(killed, nullptr, 0);
            EXPECT_FALSE(controller.query("A"));
        }
        EXPECT_TRUE(eventually([&] { return !provider->is_enabled(); }));
        EXPECT_EQ(write_number(*provider, 1).written, 0);
        auto numbers = numbers_in(written_to(file));
        std::erase(numbers, 1000U);
        std::ranges::sort(numbers);
        std::vector<std::uint32_t> flushed(100);
        std::iota(flushed.begin(), flushed.end(), 0U);
        EXPECT_EQ(numbers, flushed);

        const RunningHost next(folder / "host");
        EXPECT_TRUE(eventually([&] { return attached.is_linked(); }));
    }
}

TEST_F(ProcessesTest, KillingAControllerChangesNothing) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    const pid_t killed = ::fork();
    if (killed == 0) {
        Controller controller = connect_to(folder / "host");
        begin(controller, folder / "a.etl");
        ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(killed, nullptr, 0);
    Controller controller = connect_to(folder / "host");
    Runtime runtime;
    const auto provider = runtime.add(tea);
    const auto attached = attach_to(runtime, folder / "host");
    EXPECT_EQ(write_number(*provider, 1).written, 1);
    ASSERT_TRUE(controller.stop("A"));
    EXPECT_THAT(numbers_in(written_to(folder / "a.etl")), testing::ElementsAre(1));
}

TEST_F(ProcessesTest, AStoppedProcessHoldsUpNobody) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    begin(controller, folder / "a.etl");
    Producer stopped(folder / "host", [](const session::Registration& provider) {
        for (;;) {
            write_number(provider, 1000);
        }
    });
    Runtime runtime;
    const auto provider = runtime.add(tea);
    const auto attached = attach_to(runtime, folder / "host");
    ASSERT_TRUE(eventually([&] { return provider->is_enabled(); }));
    stopped.send(SIGSTOP);
    for (std::uint32_t n = 0; n < 100; ++n) {
        ASSERT_EQ(write_number(*provider, n).written, 1);
    }
    ASSERT_TRUE(controller.flush("A"));
    ASSERT_TRUE(controller.stop("A"));
    const auto numbers = numbers_in(written_to(folder / "a.etl"));
    EXPECT_EQ(std::ranges::count_if(numbers, [](std::uint32_t n) { return n < 100; }), 100);
    stopped.send(SIGCONT);
}

} // namespace

} // namespace etl::machine::test::processes_test
