// How programs that measure without a framework state what they measure: the best of five runs.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>

namespace etl::bench {

inline double best_seconds(const std::function<void()>& work) {
    using Clock = std::chrono::steady_clock;
    constexpr int rounds = 5;
    double best = 1e9;
    for (int i = 0; i < rounds; ++i) {
        const auto start = Clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
}

} // namespace etl::bench
