// WakeUp: how writers wake the one thread that waits for full buffers, without a lock.
// docs/session-internals.md#switching
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <semaphore>

namespace etl::session {

class WakeUp {
public:
    /// There are `count` now: enough for who waits?
    void tell(std::uint32_t count) noexcept {
        if (count >= wanted_.load()) {
            wake();
        }
    }

    void wake() noexcept {
        if (!is_awake_.load() && !is_awake_.exchange(true)) {
            bell_.release();
        }
    }

    /// Until wake(), or tell() of `wanted`; `count` says how many there are.
    template <typename Count>
    void wait(std::uint32_t wanted, std::optional<std::int64_t> milliseconds, Count count) {
        wanted_.store(wanted);
        if (count() < wanted && ring(milliseconds)) {
            is_awake_.store(false); // before what it was told of is looked at
        }
        wanted_.store(nobody);
    }

private:
    static constexpr std::uint32_t nobody = UINT32_MAX;

    bool ring(std::optional<std::int64_t> milliseconds) {
        if (!milliseconds) {
            bell_.acquire();
            return true;
        }
        // As far as all clocks reach.
        constexpr std::int64_t most = std::int64_t{1000} * 60 * 60 * 24 * 365;
        return bell_.try_acquire_for(
            std::chrono::milliseconds(*milliseconds < most ? *milliseconds : most));
    }

    std::counting_semaphore<> bell_{0}; // at most 1
    std::atomic<bool> is_awake_{false};
    std::atomic<std::uint32_t> wanted_{nobody};
};

} // namespace etl::session
