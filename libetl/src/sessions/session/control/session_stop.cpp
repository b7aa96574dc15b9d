// Ends of sessions: asked for, by themselves, with their runtime.
#include "host/process.hpp"
#include "session/control/runtime_state.hpp"
#include "session/control/session_records.hpp"

#include <chrono>
#include <exception>
#include <new>
#include <thread>
#include <utility>

namespace etl::session {

namespace {

using Phase = SessionCore::Phase;

void wait_for_holders(const SessionCore& core) {
    for (std::uint32_t left = core.holds.load(); left != 0; left = core.holds.load()) {
        core.holds.wait(left);
    }
}

} // namespace

// docs/sessions.md#stopping
Outcome<SessionState> Runtime::State::finish(SessionCore& core, const std::string& file,
                                             Status why) {
    {
        const std::lock_guard lock(mutex);
        core.busy = std::this_thread::get_id();
    }
    wait_for_holders(core);
    if ((core.options.mode & (mode::circular | mode::buffering)) != 0) {
        record_all_enablements(*this, {&core, core.ticket}); // its oldest events are overwritten
    }
    registrations.forget({&core, core.ticket});
    core.buffers.close();
    Outcome<void> stopped;
    if ((core.options.mode & mode::buffering) != 0 && !file.empty()) {
        stopped = core.logger->snapshot(file);
    }
    if (auto finished = core.logger->stop(); stopped) {
        stopped = finished;
    }
    auto state = last_state(core);
    std::unique_ptr<Logger> logger;
    {
        const std::lock_guard lock(mutex);
        logger = std::move(core.logger);
    }
    logger.reset();
    core.buffers.release();
    tell(core, SessionEvent::Kind::stopped, why);
    set_free(core);
    if (!stopped) {
        return std::unexpected(stopped.error());
    }
    return state;
}

/// There is none when there is no memory for it; the session has ended all the same.
Outcome<SessionState> Runtime::State::last_state(SessionCore& core) const {
    try {
        return state_of(core);
    } catch (const std::bad_alloc&) {
        return refuse(Status::not_enough_memory, "final state of a session");
    }
}

void Runtime::State::undo_open(SessionCore& core) {
    core.buffers.close();
    core.buffers.release();
    core.live.end();
}

void Runtime::State::give_up(SessionCore& core) {
    undo_open(core);
    set_free(core);
}

void Runtime::State::set_free(SessionCore& core) noexcept {
    const std::lock_guard lock(mutex);
    core.phase = Phase::free;
    core.busy = {};
    core.name.clear();
    core.path = {};
    core.path_aside = {};
    core.options = {};
    core.bit = 0;
    core.freed.fetch_add(1);
    core.freed.notify_all();
}

void Runtime::State::end_by_itself(SessionCore& core, std::uint32_t number, Status why) {
    {
        const std::lock_guard lock(mutex);
        if (core.number != number || core.ended_with) {
            return;
        }
        core.ended_with = why;
    }
    begin_ending(core);
}

// A thread of its own: who waits for the logger, or for locks that callbacks need, may be any.
void Runtime::State::begin_ending(SessionCore& core) {
    const std::lock_guard lock(mutex);
    if (core.phase != Phase::running || !core.ended_with) {
        return;
    }
    core.phase = Phase::ending;
    core.open_ticket = 0;
    try {
        core.ending = std::thread(
            [this, &core, why = *core.ended_with] { static_cast<void>(finish(core, {}, why)); });
    } catch (const std::exception&) {
        // No thread to be had: who needs its slot or file, or the end of the runtime, finishes it.
        core.ending = {};
    }
}

void Runtime::State::wait_for_end(SessionCore& core, std::unique_lock<std::mutex>& lock) {
    if (core.phase == Phase::ending && !core.ending.joinable()) {
        core.phase = Phase::stopping;
        lock.unlock();
        static_cast<void>(finish(core, {}, *core.ended_with));
        lock.lock();
        return;
    }
    if (core.phase == Phase::starting) { // nobody tells when it runs
        lock.unlock();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        lock.lock();
        return;
    }
    const std::uint32_t before = core.freed.load();
    lock.unlock();
    core.freed.wait(before);
    lock.lock();
}

void Runtime::State::stop_all() {
    for (const std::atomic<SessionCore*>& slot : cores) {
        if (SessionCore* const core = slot.load(); core != nullptr) {
            stop_or_wait(*core);
        }
    }
}

void Runtime::State::stop_or_wait(SessionCore& core) {
    std::unique_lock lock(mutex);
    while (core.phase != Phase::free) {
        const bool is_logger =
            core.logger != nullptr && core.logger->counts().thread_id == host::thread_id();
        if (is_logger || core.busy == std::this_thread::get_id()) {
            return;
        }
        if (core.phase != Phase::running) {
            wait_for_end(core, lock);
            continue;
        }
        core.phase = Phase::stopping;
        core.open_ticket = 0;
        lock.unlock();
        static_cast<void>(finish(core, {}, Status::success));
        lock.lock();
    }
    std::thread ended = std::move(core.ending); // others may want to join it, too
    lock.unlock();
    if (ended.joinable()) {
        ended.join(); // it has done all but to return
    }
}

void Runtime::State::leave() {
    if (!Registrations::is_in_callback()) {
        stop_all();
        return;
    }
    for (const std::atomic<SessionCore*>& slot : cores) {
        if (SessionCore* const core = slot.load(); core != nullptr) {
            leave(*core);
        }
    }
}

// Whoever holds the session may be waiting for this very callback, and whoever stops it for them:
// neither is waited for, and all that they may touch stays.
void Runtime::State::leave(SessionCore& core) {
    constexpr auto pause = std::chrono::milliseconds(10);
    constexpr int most_pauses = 200;
    std::unique_lock lock(mutex);
    for (int i = 0; core.phase != Phase::free && core.phase != Phase::running; ++i) {
        if (i == most_pauses) {
            return;
        }
        lock.unlock();
        std::this_thread::sleep_for(pause);
        lock.lock();
    }
    if (core.phase == Phase::running) {
        core.phase = Phase::stopping;
        core.open_ticket = 0;
        lock.unlock();
        core.buffers.close();
        static_cast<void>(core.logger->stop());
    }
}

} // namespace etl::session
