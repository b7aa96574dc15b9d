// How programs that measure without a framework state what they measure: the best of five runs.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>

namespace etl::bench {

/// Of one run.
inline double seconds(const std::function<void()>& work) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

inline double best_seconds(const std::function<void()>& work) {
    constexpr int rounds = 5;
    double best = 1e9;
    for (int i = 0; i < rounds; ++i) {
        best = std::min(best, seconds(work));
    }
    return best;
}

} // namespace etl::bench
