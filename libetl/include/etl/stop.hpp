// Stop: asks work on another thread to end early.
#pragma once

#include <atomic>

namespace etl {

/// A request that work ends early, which the work looks for often. Stays where it is: the work
/// refers to it. Thread-safe.
class Stop {
public:
    Stop() noexcept = default;
    Stop(const Stop&) = delete;
    Stop& operator=(const Stop&) = delete;
    ~Stop() = default;

    void request() noexcept { is_requested_.store(true, std::memory_order_relaxed); }

    bool is_requested() const noexcept { return is_requested_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> is_requested_ = false;
};

} // namespace etl
