#include "session/control/runtime_state.hpp"

#include "host/clock.hpp"
#include "session/control/asked_options.hpp"
#include "session/control/session_records.hpp"
#include "session/control/start_checks.hpp"

#include <algorithm>
#include <utility>

namespace etl::session {

namespace {

using Phase = SessionCore::Phase;

constexpr std::uint16_t least_sessions = 32, most_sessions = 256;

/// Of handles: a private session.
constexpr std::uint64_t private_bit = 0x0100'0000;

} // namespace

Runtime::State::State(RuntimeOptions chosen)
    : options(std::move(chosen)),
      registrations(options.registrations, [this](const TakeOver& what) { tell(what); }) {
    options.sessions = std::clamp(options.sessions, least_sessions, most_sessions);
    cores = Cores(options.sessions + most_private_sessions);
    watch();
}

Runtime::State::~State() {
    end_watch();
    for (const std::atomic<SessionCore*>& core : cores) {
        delete core.load();
    }
    // Those of a parent are left alone: their threads and locks are not of this process.
}

SessionRef Runtime::State::running(std::uint64_t handle) const noexcept {
    const std::uint64_t id = handle & ~private_bit;
    if (id == 0 || id > cores.size() || handle_of(static_cast<std::uint16_t>(id)) != handle) {
        return {};
    }
    SessionCore* const core = cores[id - 1].load(std::memory_order_acquire);
    const std::uint32_t open =
        core == nullptr ? 0 : core->open_ticket.load(std::memory_order_acquire);
    return open == 0 ? SessionRef{} : SessionRef{core, static_cast<std::uint16_t>(open - 1)};
}

std::uint64_t Runtime::State::handle_of(std::uint16_t id) const noexcept {
    return is_private(id) ? id | private_bit : id;
}

void Runtime::State::for_each_core(const std::function<void(SessionCore&)>& take) const {
    for (const std::atomic<SessionCore*>& core : cores) {
        if (SessionCore* const made = core.load(); made != nullptr && made->phase != Phase::free) {
            take(*made);
        }
    }
}

Outcome<SessionCore*> Runtime::State::find(std::uint16_t id, std::uint32_t number) const {
    if (Registrations::is_in_callback()) {
        return refuse(Status::possible_deadlock, "called in a provider callback");
    }
    SessionCore* const core = id == 0 || id > cores.size() ? nullptr : cores[id - 1U].load();
    const bool is_there = core != nullptr && core->number == number &&
                          (core->phase == Phase::running || core->phase == Phase::stopping);
    if (!is_there) {
        return refuse(Status::wmi_instance_not_found, "the session has ended");
    }
    if (core->phase == Phase::stopping) {
        return refuse(Status::active_connections, "the session is being stopped");
    }
    return core;
}

Outcome<SessionHold> Runtime::State::hold(std::uint16_t id, std::uint32_t number) {
    const std::lock_guard lock(mutex);
    const auto core = find(id, number);
    if (!core) {
        return std::unexpected(core.error());
    }
    return SessionHold(**core);
}

Outcome<SessionCore*> Runtime::State::claim_stop(std::uint16_t id, std::uint32_t number,
                                                 const std::string& file) {
    LogPath on_disk = LogPath::of(file, nullptr);
    const std::lock_guard lock(mutex);
    auto core = find(id, number);
    if (!core) {
        return core;
    }
    SessionCore& found = **core;
    if ((found.options.mode & mode::buffering) != 0 && !file.empty()) {
        if (auto usable = check_path(file); !usable) {
            return std::unexpected(usable.error());
        }
        LogPath path = is_on_disk(found.options.files) ? std::move(on_disk)
                                                       : LogPath::of(file, found.options.files);
        if (is_written(path, &found)) {
            return refuse(Status::bad_pathname, "another session is writing this file");
        }
        found.path = std::move(path);
    }
    found.phase = Phase::stopping;
    found.open_ticket = 0;
    return core;
}

SessionState Runtime::State::state_of(SessionCore& core) const {
    SessionState state;
    {
        const std::lock_guard lock(mutex);
        state.options = core.options;
    }
    state.id = core.id;
    state.handle = handle_of(core.id);
    const LoggerCounts counts = core.logger->counts();
    state.file = counts.file;
    state.number_of_buffers = core.buffers.number_of_buffers();
    state.free_buffers = core.buffers.free_buffers();
    state.buffers_written = counts.buffers_written;
    state.log_buffers_lost = counts.log_buffers_lost;
    state.real_time_buffers_lost = counts.real_time_buffers_lost;
    state.events_lost = core.buffers.events_lost();
    state.logger_thread_id = counts.thread_id;
    state.consumers = core.live.consumers();
    state.now = host::system_time();
    state.providers = registrations.enabled_by({&core, core.ticket});
    return state;
}

void Runtime::State::tell(const SessionCore& core, SessionEvent::Kind kind, Status status) const {
    if (!options.observer) {
        return;
    }
    try {
        SessionEvent event;
        event.kind = kind;
        event.session_id = core.id;
        event.status = status;
        {
            const std::lock_guard lock(mutex);
            event.session_name = core.options.name;
            event.file = core.options.file;
        }
        options.observer(event);
    } catch (...) { // NOLINT(bugprone-empty-catch): a watcher's trouble is none of the session's
    }
}

void Runtime::State::tell(const TakeOver& what) const {
    try {
        SessionEvent event;
        event.kind = what.has_returned ? SessionEvent::Kind::provider_returned
                                       : SessionEvent::Kind::provider_taken_over;
        event.session_id = what.session.core->id;
        event.provider = what.provider;
        {
            const std::lock_guard lock(mutex);
            event.session_name = what.session.core->options.name;
            event.other_session = what.by.core->options.name;
        }
        record_take_over(*this, what, event.other_session);
        if (options.observer) {
            options.observer(event);
        }
    } catch (...) { // NOLINT(bugprone-empty-catch): a watcher's trouble is none of the session's
    }
}

std::uint32_t Runtime::State::next_sequence(SessionCore& core) noexcept {
    const std::uint32_t bits = core.mode.load(std::memory_order_relaxed);
    if ((bits & mode::use_global_sequence) != 0) {
        return global_sequence.fetch_add(1, std::memory_order_relaxed) + 1;
    }
    if ((bits & mode::use_local_sequence) != 0) {
        return core.sequence.fetch_add(1, std::memory_order_relaxed) + 1;
    }
    return 0;
}

bool Runtime::State::is_written(const LogPath& path, const SessionCore* except) const {
    const auto meets = [&](const SessionCore& core) {
        return &core != except && core.phase != Phase::free &&
               (core.path.meets(path) || core.path_aside.meets(path));
    };
    bool found = std::ranges::any_of(of_parent, [&](const auto* core) { return meets(*core); });
    for_each_core([&](const SessionCore& core) { found = found || meets(core); });
    return found;
}

void Runtime::State::before_fork() noexcept {
    mutex.lock();
    registrations.before_fork();
}

void Runtime::State::in_parent() noexcept {
    registrations.after_fork();
    mutex.unlock();
}

void Runtime::State::in_child() noexcept {
    for (std::atomic<SessionCore*>& slot : cores) {
        SessionCore* const core = slot.exchange(nullptr);
        if (core == nullptr) {
            continue;
        }
        core->open_ticket = 0;
        core->buffers.forget_in_child();
        core->live.forget_in_child();
        if (core->logger != nullptr) {
            core->logger->forget_in_child();
        }
        of_parent.push_back(core);
    }
    registrations.forget_in_child();
    mutex.unlock();
}

} // namespace etl::session
