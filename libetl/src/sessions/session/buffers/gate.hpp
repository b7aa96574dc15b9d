// Gate: lets one wait until all are gone who were inside when he came, without keeping anybody out.
// Any thread. docs/session-internals.md#switching
#pragma once

#include "session/buffers/back_off.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace etl::session {

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

    /// Nobody is inside: the threads that were are not of this process (fork).
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

} // namespace etl::session
