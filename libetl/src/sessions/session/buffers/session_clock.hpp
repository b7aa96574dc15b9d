// SessionClock: time stamps of a session. They never go back, not even where the system's time
// does: then they count on until it has come up. Any thread. docs/session-internals.md#clocks
#pragma once

#include "format/logfile_header.hpp"
#include "host/clock.hpp"

#include <atomic>
#include <cstdint>

namespace etl::session {

class SessionClock {
public:
    /// A session begins; nobody else looks. With `given`, its clock is that number (plus the
    /// difference, for system time), and it is asked for by ClockType::unknown.
    void begin(format::ClockType clock, const std::atomic<std::int64_t>* given) noexcept {
        const bool is_difference_needed =
            given == nullptr || clock == format::ClockType::system_time;
        ahead_.store(is_difference_needed ? difference() : 0, std::memory_order_relaxed);
        given_ = given;
    }

    std::int64_t now(format::ClockType clock) const noexcept {
        if (clock == format::ClockType::cpu_cycles) {
            return host::cycles();
        }
        if (clock == format::ClockType::unknown) [[unlikely]] {
            return given_->load(std::memory_order_relaxed) + ahead_.load(std::memory_order_relaxed);
        }
        const std::int64_t ticks = host::monotonic_ticks();
        return clock == format::ClockType::system_time
                   ? ticks + ahead_.load(std::memory_order_relaxed)
                   : ticks;
    }

    /// Follows a system time that was put forward. Now and then.
    void follow() noexcept {
        constexpr std::int64_t slack = 10'000; // 1 ms: corrections that are no more than this
        const std::int64_t ahead = difference();
        std::int64_t known = ahead_.load(std::memory_order_relaxed);
        while (ahead > known + slack && !ahead_.compare_exchange_weak(known, ahead)) {
        }
    }

private:
    /// Of the two clocks at one moment, as close as some tries bring them.
    static std::int64_t difference() noexcept {
        constexpr std::int64_t close = 10; // 1 us
        constexpr int tries = 5;
        std::int64_t best = 0;
        std::int64_t least = INT64_MAX;
        for (int i = 0; i < tries && least > close; ++i) {
            const std::int64_t before = host::monotonic_ticks();
            const std::int64_t time = host::system_time().ticks;
            const std::int64_t took = host::monotonic_ticks() - before;
            if (took < least) {
                least = took;
                best = time - before - took / 2;
            }
        }
        return best;
    }

    std::atomic<std::int64_t> ahead_{0}; // of the monotonic clock
    const std::atomic<std::int64_t>* given_ = nullptr;
};

} // namespace etl::session
