// SessionSpace: makes the drain wait while the buffers of a session are full and its logger writes
// them: the rings of the processes then hold what the session cannot. It never waits for a
// consumer, nor for a logger that makes no progress. One thread.
// docs/machine-sessions-internals.md#space
#pragma once

#include <etl/session.hpp>

#include "base/function_ref.hpp"
#include "link/region.hpp"
#include "session/logging/session_core.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace etl::machine {

class SessionSpace {
public:
    explicit SessionSpace(session::Runtime& runtime) noexcept : runtime_(&runtime) {}

    /// A turn of the drain begins.
    void begin_turn() noexcept {
        left_ = 0;
        waited_ = {};
    }

    /// Before a record of this size is written: waits until every session has space for it, or is
    /// not waited for. `is_urgent`: the processes have little space left, so it stops waiting.
    void wait_for(std::size_t size, FunctionRef<bool()> is_urgent) {
        if (size + max_added > left_) [[unlikely]] {
            look(is_urgent);
        }
        left_ -= std::min<std::uint64_t>(left_, size + max_added);
    }

private:
    using Clock = std::chrono::steady_clock;

    /// What sessions add to a record, except large traits.
    static constexpr std::size_t max_added = 128;

    struct Known {
        session::SessionRef session;
        std::uint32_t available = 0; // buffers
        Clock::time_point progressed{}, waited_for_again{};
    };

    void look(FunctionRef<bool()> is_urgent);
    bool is_waited_for(Known& known, const session::SessionRef& session, Clock::time_point now);

    session::Runtime* runtime_;
    std::array<Known, link::max_machine_sessions> known_{};
    std::uint64_t left_ = 0;   // bytes that every session can take
    Clock::duration waited_{}; // in this turn
};

} // namespace etl::machine
