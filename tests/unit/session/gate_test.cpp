#include "session/gate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

namespace etl::session {
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
    std::optional<Gate::Pass> first(gate);
    std::thread waiting([&] {
        gate.wait_until_left();
        EXPECT_TRUE(has_left.load());
        is_over.store(true);
    });
    // Some inside at every moment, one after the other: the wait has an end all the same.
    std::optional<Gate::Pass> even, odd;
    for (std::uint64_t i = 0; !is_over.load(); ++i) {
        even.emplace(gate);
        odd.reset();
        if (i == 1000) {
            EXPECT_FALSE(is_over.load());
            has_left.store(true);
            first.reset();
        }
        odd.emplace(gate);
        even.reset();
    }
    waiting.join();
}

TEST(Gate, TwoMayWaitAtOnce) {
    Gate gate;
    for (int round = 0; round < 100; ++round) {
        std::atomic<int> inside{1};
        std::optional<Gate::Pass> pass(gate);
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
} // namespace etl::session
