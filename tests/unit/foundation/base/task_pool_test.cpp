#include "base/task_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

namespace etl::task_pool_test {
namespace {

TEST(TaskPool, WithoutThreadsRunsOnTheCaller) {
    TaskPool pool(0);
    EXPECT_EQ(pool.threads(), 0U);
    std::thread::id ran_on;
    pool.submit([&] { ran_on = std::this_thread::get_id(); });
    EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST(TaskPool, RunsWhatWasSubmittedBeforeItEnds) {
    std::atomic<int> ran = 0;
    {
        TaskPool pool(3);
        EXPECT_EQ(pool.threads(), 3U);
        for (int i = 0; i < 1'000; ++i) {
            pool.submit([&] { ran.fetch_add(1); });
        }
    }
    EXPECT_EQ(ran.load(), 1'000);
}

TEST(TaskPool, LetsWhoWaitsRunTheNextTask) {
    std::promise<void> release;
    std::promise<void> begun;
    std::thread::id ran_by;
    TaskPool pool(1);
    pool.submit([&, gate = release.get_future().share()] {
        begun.set_value();
        gate.wait();
    });
    begun.get_future().wait(); // the only thread is busy now
    pool.submit([&] { ran_by = std::this_thread::get_id(); });
    EXPECT_TRUE(pool.run_one());
    EXPECT_EQ(ran_by, std::this_thread::get_id());
    EXPECT_FALSE(pool.run_one()) << "what runs already is not run again";
    release.set_value();
}

TEST(TaskPool, WithOneThreadKeepsTheOrder) {
    std::vector<int> order;
    {
        TaskPool pool(1);
        for (int i = 0; i < 100; ++i) {
            pool.submit([&order, i] { order.push_back(i); });
        }
    }
    ASSERT_EQ(order.size(), 100U);
    EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST(TaskPool, RunsTasksAtTheSameTime) {
    // Each task waits for the other: with one thread alone this would never end.
    std::atomic<int> arrived = 0;
    TaskPool pool(2);
    for (int i = 0; i < 2; ++i) {
        pool.submit([&] {
            arrived.fetch_add(1);
            while (arrived.load() < 2) {
                std::this_thread::yield();
            }
        });
    }
    while (arrived.load() < 2) {
        std::this_thread::yield();
    }
    EXPECT_EQ(arrived.load(), 2);
}

TEST(TaskPool, ReturnsWhatATaskReturnsOrThrows) {
    for (const unsigned threads : {0U, 1U, 3U}) {
        TaskPool pool(threads);
        std::future<int> sum = pool.start([] { return 2 + 3; });
        std::future<void> thrown = pool.start([] { throw std::runtime_error("no"); });
        pool.wait(sum);
        EXPECT_EQ(sum.get(), 5);
        EXPECT_THROW(thrown.get(), std::runtime_error);
    }
}

TEST(TaskPool, RunsOtherTasksWhileItWaits) {
    TaskPool pool(1);
    std::promise<void> opened;
    std::future<void> blocked = pool.start([gate = opened.get_future().share()] { gate.wait(); });
    std::future<void> opening = pool.start([&] { opened.set_value(); });
    pool.wait(blocked); // only this thread is free to open the gate
    EXPECT_EQ(blocked.wait_for(std::chrono::seconds(0)), std::future_status::ready);
    opening.get();
}

TEST(TaskPool, KnowsTheMachine) {
    EXPECT_GE(hardware_threads(), 1U);
}

} // namespace
} // namespace etl::task_pool_test
