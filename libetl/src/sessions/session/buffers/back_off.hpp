// BackOff: waits for another thread that is in the middle of something short. Yielding alone would
// spin for ever where the caller's priority keeps the other one from running.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

namespace etl::session {

class BackOff {
public:
    static constexpr std::chrono::microseconds nap{100};

    void pause() noexcept {
        constexpr std::uint32_t most = 1000;
        if (yields_ < most) {
            ++yields_;
            std::this_thread::yield();
        } else {
            ++naps_;
            std::this_thread::sleep_for(nap);
        }
    }

    /// Has slept so long. Counted in naps, not by a clock: a process that was stopped for a while
    /// has not waited.
    bool has_slept(std::chrono::milliseconds time) const noexcept { return naps_ * nap >= time; }

private:
    std::uint32_t yields_ = 0;
    std::int64_t naps_ = 0;
};

} // namespace etl::session
