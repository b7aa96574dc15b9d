#include "session/buffers/waiting.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

namespace etl::session::waiting_test {

namespace {

TEST(Gate, WaitsForNobodyWhenNobodyIsInside) {
    Gate gate;
    {
        const Gate::Pass pass(gate);
    }
    for (int i = 0; i < 3; ++i) {
        gate.wait_until_left();
    }
}

TEST(Gate, WaitsForThoseInsideAndNotForThoseWhoComeLater) {
    Gate gate;
    std::atomic<bool> has_left{false}, is_over{false};
    auto first = std::make_unique<Gate::Pass>(gate);
    std::thread waiting([&] {
        gate.wait_until_left();
        EXPECT_TRUE(has_left.load());
        is_over.store(true);
    });
    // Some inside at every moment, one after the other: the wait has an end all the same.
    std::unique_ptr<Gate::Pass> even, odd;
    for (std::uint64_t i = 0; !is_over.load(); ++i) {
        even = std::make_unique<Gate::Pass>(gate);
        odd.reset();
        if (i == 1000) {
            EXPECT_FALSE(is_over.load());
            has_left.store(true);
            first.reset();
        }
        odd = std::make_unique<Gate::Pass>(gate);
        even.reset();
    }
    waiting.join();
}

TEST(Gate, TwoMayWaitAtOnce) {
    Gate gate;
    for (int round = 0; round < 100; ++round) {
        std::atomic<int> inside{1};
        auto pass = std::make_unique<Gate::Pass>(gate);
        const auto wait = [&] {
            gate.wait_until_left();
            EXPECT_EQ(inside.load(), 0);
        };
        std::thread one(wait), other(wait);
        std::this_thread::yield();
        inside.store(0);
        pass.reset();
        one.join();
        other.join();
    }
}

TEST(Gate, ForgetsThoseOfAnotherProcess) {
    Gate gate;
    auto* const lost = new Gate::Pass(gate); // as of a thread that a fork has left behind
    gate.forget();
    gate.wait_until_left();
    ::operator delete(lost, sizeof(Gate::Pass)); // without leaving
}

} // namespace

} // namespace etl::session::waiting_test
