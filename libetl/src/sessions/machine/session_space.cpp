#include "machine/session_space.hpp"

#include "session/control/runtime_state.hpp"

#include <algorithm>
#include <thread>

namespace etl::machine {

namespace {

/// Between two looks at full buffers.
constexpr std::chrono::microseconds pause{200};

/// How long a logger may write no buffer until it is not waited for.
constexpr std::chrono::seconds logger_patience{1};

/// The most that a turn waits in all, and how long a session that used it up is not waited for.
constexpr std::chrono::seconds max_of_turn{2};
constexpr std::chrono::seconds penalty{10};

/// What is written without a look at sessions while the processes have little space left.
constexpr std::uint64_t until_next_look = 64U << 10U;

/// What free buffers take in any case. Each processor can switch to one of them; half of each of
/// the others, since the next record may not fit into the rest. 0: one record.
std::uint64_t space_in(const session::Buffers& buffers, std::uint32_t available) noexcept {
    const std::uint32_t stripes = buffers.stripes();
    return available > stripes ? std::uint64_t{available - stripes} * buffers.buffer_size() / 2 : 0;
}

/// Whether the buffers of a session become free because a logger writes them to a file.
bool writes_file_only(std::uint32_t mode) noexcept {
    return (mode & (session::mode::buffering | session::mode::real_time)) == 0;
}

} // namespace

/// Whether the session, which has no free buffer, is going to have one.
bool SessionSpace::is_waited_for(Known& known, const session::SessionRef& session,
                                 Clock::time_point now) {
    if (known.session != session) {
        known = {.session = session, .progressed = now};
    }
    if (known.available != 0) { // until now
        known.available = 0;
        known.progressed = now;
    }
    if (now < known.waited_for_again) {
        return false;
    }
    if (now - known.progressed > logger_patience || waited_ > max_of_turn) {
        known.waited_for_again = now + penalty;
        return false;
    }
    return true;
}

void SessionSpace::look(FunctionRef<bool()> is_urgent) {
    for (;;) {
        const auto now = Clock::now();
        std::uint64_t left = UINT64_MAX;
        bool must_wait = false;
        for (std::size_t i = 0; i < known_.size(); ++i) {
            const session::SessionRef session = runtime_->state().running(i + 1);
            if (session.core == nullptr ||
                !writes_file_only(session.core->mode.load(std::memory_order_relaxed))) {
                continue;
            }
            session::Buffers& buffers = session.core->buffers;
            if (const std::uint32_t available = buffers.available(); available != 0) {
                known_.at(i).available = available;
                left = std::min(left, space_in(buffers, available));
            } else if (is_waited_for(known_.at(i), session, now)) {
                buffers.wake(); // the logger may wait for more full buffers
                must_wait = true;
            }
        }
        if (!must_wait || is_urgent()) {
            left_ = must_wait ? until_next_look : left;
            return;
        }
        std::this_thread::sleep_for(pause);
        waited_ += Clock::now() - now;
    }
}

} // namespace etl::machine
