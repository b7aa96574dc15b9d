// LinkWait: in the child of a fork, the link to the host is made by a thread that is only starting.
// Until it is there, writers of events that machine sessions wanted from the parent wait.
// docs/machine-sessions-internals.md#link
#pragma once

#include "host/shared_memory.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace etl::session {

class LinkWait {
    using Clock = std::chrono::steady_clock;

public:
    /// From now on, for so long at most.
    void begin(std::chrono::milliseconds longest) noexcept {
        deadline_ = Clock::now() + longest;
        is_pending_.store(1, std::memory_order_release);
    }

    /// The link is there, or there is none to be had.
    void end() noexcept {
        is_pending_.store(0, std::memory_order_release);
        host::wake_waiting(is_pending_);
    }

    /// Returns after end(); false: the time is over.
    bool wait() const noexcept {
        while (is_pending_.load(std::memory_order_acquire) != 0) {
            const auto left =
                std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
            if (left <= 0) {
                return false;
            }
            host::wait_while(is_pending_, 1, left);
        }
        return true;
    }

private:
    std::atomic<std::uint32_t> is_pending_{0}; // a futex
    Clock::time_point deadline_{};             // before the other one
};

} // namespace etl::session
