// How threads wait for each other: BackOff, Gate, and WakeUp.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <semaphore>
#include <thread>

namespace etl::session {

/// BackOff: waits for another thread that is in the middle of something short. Yielding alone would
/// spin for ever where the caller's priority keeps the other one from running.
class BackOff {
public:
    static constexpr std::chrono::microseconds nap{100};

    void pause() noexcept {
        constexpr std::uint32_t max = 1000;
        if (yields_ < max) {
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

/// Gate: lets one wait until all are gone who were inside when he came, without keeping anybody
/// out. Any thread. docs/session-internals.md#switching
class Gate {
public:
    class Pass {
    public:
        explicit Pass(Gate& gate) noexcept : inside_(&gate.inside()) {
            inside_->fetch_add(1); // in one order with the words that are looked at next
        }

        Pass(const Pass&) = delete;
        Pass& operator=(const Pass&) = delete;

        ~Pass() { inside_->fetch_sub(1, std::memory_order_release); }

    private:
        std::atomic<std::uint32_t>* inside_;
    };

    /// Whoever was inside is not any more. New ones go to the other side meanwhile, so that there
    /// is an end to it.
    void wait_until_left() noexcept {
        const std::uint32_t first = side_.fetch_add(1) & 1U;
        wait_for(sides_[first]);
        side_.fetch_add(1);
        wait_for(sides_[1 - first]);
    }

    /// Makes it empty: the threads that were inside are not of this process (fork).
    void forget() noexcept {
        for (Side& side : sides_) {
            side.inside.store(0);
        }
    }

private:
    struct alignas(64) Side {
        std::atomic<std::uint32_t> inside{0};
    };

    static void wait_for(const Side& side) noexcept {
        for (BackOff wait; side.inside.load() != 0;) {
            wait.pause();
        }
    }

    std::atomic<std::uint32_t>& inside() noexcept { return sides_[side_.load() & 1U].inside; }

    std::array<Side, 2> sides_;
    std::atomic<std::uint32_t> side_{0};
};

/// WakeUp: how writers wake the one thread that waits for full buffers, without a lock.
/// docs/session-internals.md#switching
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

    /// Waits until wake(), or tell() of `wanted`; `count` returns how many there are.
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
        // A time that all clocks can add.
        constexpr std::int64_t max = std::int64_t{1000} * 60 * 60 * 24 * 365;
        return bell_.try_acquire_for(
            std::chrono::milliseconds(*milliseconds < max ? *milliseconds : max));
    }

    std::counting_semaphore<> bell_{0}; // at most 1
    std::atomic<bool> is_awake_{false};
    std::atomic<std::uint32_t> wanted_{nobody};
};

} // namespace etl::session
