
#include <etl/session.hpp>

#include "base/text.hpp"
#include "host/clock.hpp"
#include "host/process.hpp"
#include "session/control/runtime_state.hpp"
#include "session/control/session_names.hpp"
#include "session/control/session_records.hpp"
#include "session/control/start_options.hpp"
#include "session/crashed_files.hpp"
#include "trace/recording.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace etl::session {

namespace {

using Phase = SessionCore::Phase;

constexpr std::uint16_t min_sessions = 32, max_sessions = 256;

/// Of handles: a private session.
constexpr std::uint64_t private_bit = 0x0100'0000;

} // namespace

Runtime::State::State(RuntimeOptions chosen)
    : options(std::move(chosen)),
      registrations(options.registrations, [this](const TakeOver& what) { tell(what); }) {
    options.sessions = std::clamp(options.sessions, min_sessions, max_sessions);
    cores = Cores(options.sessions + max_private_sessions);
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

// Starting a session: a slot for it, its buffers, its logger.

namespace {

using Phase = SessionCore::Phase;

/// What runs, to a session that is to be started. Those that end by themselves are not found any
/// more, but hold their slots for a moment.
Running what_runs(const Runtime::State& state, const SessionOptions& asked) {
    const bool is_private = (asked.mode & mode::private_logger) != 0;
    const std::u16string name = folded_name(asked.name);
    Running running{.max_sessions = state.options.sessions};
    state.for_each_core([&](const SessionCore& core) {
        const bool is_of_kind = state.is_private(core.id) == is_private;
        (state.is_private(core.id) ? running.private_sessions : running.sessions) += 1;
        if (!state.is_private(core.id) && is_system_logger(core.options)) {
            ++running.system_loggers;
        }
        if (core.phase != Phase::ending) {
            running.has_name = running.has_name || core.name == name;
            running.has_guid = running.has_guid || (is_of_kind && !asked.guid.is_zero() &&
                                                    core.options.guid == asked.guid);
        }
    });
    return running;
}

std::int64_t raw_now(std::uint32_t clock) {
    switch (static_cast<format::ClockType>(clock)) {
    case format::ClockType::system_time:
        return host::system_time().ticks;
    case format::ClockType::cpu_cycles:
        return host::cycles();
    case format::ClockType::qpc:
    case format::ClockType::unknown:
        break;
    }
    return host::monotonic_ticks();
}

/// LogFileMode as files have it. docs/sessions.md#modes
std::uint32_t stored_mode(std::uint32_t adopted) {
    return adopted &
           ~(mode::real_time | mode::stop_on_hybrid_shutdown | mode::persist_on_hybrid_shutdown);
}

trace::Recording recording_of(const SessionOptions& options, std::uint16_t id) {
    constexpr std::uint32_t kilobyte = 1024;
    const auto clock = static_cast<format::ClockType>(options.clock);
    trace::Recording recording =
        trace::begin_recording(host::system_time(), stripes(options), clock);
    recording.reference_time = raw_now(options.clock);
    recording.process_id = host::process_id();
    recording.thread_id = host::thread_id();
    recording.logger_id = id;
    format::LogfileHeader& header = recording.header;
    header.buffer_size = options.buffer_kb * kilobyte;
    header.maximum_file_size = options.maximum_file_size;
    header.log_file_mode = stored_mode(options.mode);
    header.start_buffers = 1;
    header.session_name = to_utf16(options.name);
    header.boot_time = host::boot_time().ticks;
    header.perf_freq = host::monotonic_frequency;
    header.cpu_speed_mhz = host::cycle_frequency().value_or(0);
    header.time_zone.bias = host::time_zone_bias();
    if (header.time_zone.bias != 0) { // then it is not UTC, but nobody knows its name
        header.time_zone.standard_name.clear();
        header.time_zone.daylight_name.clear();
    }
    return recording;
}

BufferPlan buffer_plan(const SessionOptions& options, const std::atomic<std::int64_t>* time) {
    constexpr std::uint32_t kilobyte = 1024;
    const auto has = [&](std::uint32_t bits) { return (options.mode & bits) == bits; };
    return {.buffer_size = options.buffer_kb * kilobyte,
            .minimum = options.minimum_buffers,
            .maximum = options.maximum_buffers,
            .stripes = stripes(options),
            .clock = static_cast<format::ClockType>(options.clock),
            .time = time,
            .is_ring = has(mode::buffering),
            .may_wait = has(mode::private_logger | mode::blocking),
            .mapped_file = options.crash_safety == CrashSafety::mapped_file
                               ? buffers_path(options.file)
                               : std::string()};
}

std::uint64_t backlog_bytes(const SessionOptions& options) {
    constexpr std::uint64_t usual = 100U << 20U;
    if (options.backlog_bytes != 0) {
        return options.backlog_bytes;
    }
    const bool is_in_kilobytes = (options.mode & mode::use_kbytes_for_size) != 0;
    const std::uint64_t limit = std::uint64_t{options.maximum_file_size}
                                << (is_in_kilobytes ? 10U : 20U);
    return limit != 0 ? std::min(limit, usual) : usual;
}

StartPaths paths_of(const SessionOptions& asked) {
    StartPaths paths;
    paths.file = full_path(asked.file, asked.files);
    paths.path = LogPath::of(paths.file, asked.files);
    constexpr std::uint32_t kinds = mode::private_logger | mode::private_in_proc;
    if (!paths.file.empty() && (asked.mode & kinds) == mode::private_logger) {
        paths.file_of_process = paths.file + '_';
        append_decimal(paths.file_of_process, host::process_id());
        paths.path_of_process = LogPath::of(paths.file_of_process, asked.files);
    }
    return paths;
}

Outcome<void> check_own_options(const SessionOptions& asked) {
    if (asked.crash_safety == CrashSafety::mapped_file &&
        (asked.file.empty() || !is_on_disk(asked.files))) {
        return refuse(Status::invalid_parameter, "mapped buffers require a log file on disk");
    }
    return {};
}

} // namespace

SessionCore* Runtime::State::free_core(bool is_private_one) {
    const std::size_t first = is_private_one ? options.sessions : 0;
    const std::size_t end = is_private_one ? cores.size() : options.sessions;
    for (std::size_t i = first; i < end; ++i) {
        SessionCore* core = cores[i].load();
        if (core == nullptr) {
            core = new SessionCore;
            core->id = static_cast<std::uint16_t>(i + 1);
            cores[i].store(core, std::memory_order_release);
        }
        if (core->phase == Phase::free) {
            if (core->ending.joinable()) {
                core->ending.join(); // it has done all but to return
            }
            return core;
        }
    }
    return nullptr;
}

std::uint64_t Runtime::State::free_bit(bool is_private_one) const {
    constexpr std::uint64_t private_bits = 0x0000'FFFF'0000'0000; // as providers know them
    std::uint64_t left = is_private_one ? private_bits : ~private_bits;
    for_each_core([&](const SessionCore& core) { left &= ~core.bit.load(); });
    return left == 0 ? 0 : std::uint64_t{1} << static_cast<unsigned>(std::countr_zero(left));
}

SessionCore* Runtime::State::ending_core(const LogPath& path) const {
    SessionCore* found = nullptr;
    for_each_core([&](SessionCore& core) {
        if (core.phase == Phase::ending && (path.path.empty() || core.path.meets(path))) {
            found = &core;
        }
    });
    return found;
}

Outcome<LogPath> Runtime::State::settle_path(SessionOptions& adopted, const StartPaths& paths,
                                             SessionCore*& wait_for) const {
    if (adopted.file.empty()) {
        return LogPath{};
    }
    adopted.file = paths.file;
    if (!is_written(paths.path, nullptr)) {
        return paths.path;
    }
    wait_for = ending_core(paths.path);
    if (!paths.file_of_process.empty() && !is_written(paths.path_of_process, nullptr)) {
        adopted.file = paths.file_of_process;
        return paths.path_of_process;
    }
    return refuse(Status::bad_pathname, "another session is writing this file");
}

Outcome<SessionCore*> Runtime::State::try_claim(const SessionOptions& asked, const Machine& machine,
                                                const StartPaths& paths, SessionCore*& wait_for) {
    const auto checked = check_start(asked, what_runs(*this, asked));
    if (!checked) {
        if (checked.error().status == Status::no_system_resources) {
            wait_for = ending_core({});
        }
        return std::unexpected(checked.error());
    }
    if (auto path = check_path(paths.file); !path) { // of a name relative to a long directory
        return std::unexpected(path.error());
    }
    SessionOptions adopted = adopt(asked, machine);
    auto path = settle_path(adopted, paths, wait_for);
    if (wait_for != nullptr) {
        return nullptr;
    }
    if (!path) {
        return std::unexpected(path.error());
    }
    const bool is_private_one = (adopted.mode & mode::private_logger) != 0;
    SessionCore* const core = free_core(is_private_one);
    if (core == nullptr) {
        return refuse(Status::no_system_resources, "too many sessions");
    }
    core->name = folded_name(adopted.name);
    // Nothing fails from here on: the slot is taken as a whole.
    core->bit = free_bit(is_private_one);
    core->phase = Phase::starting;
    core->busy = std::this_thread::get_id();
    core->number = ++starts;
    core->path = std::move(*path);
    core->ended_with.reset();
    core->options = std::move(adopted);
    return core;
}

Outcome<SessionCore*> Runtime::State::claim_start(const SessionOptions& asked) {
    if (Registrations::is_in_callback()) {
        return refuse(Status::possible_deadlock, "called in a provider callback");
    }
    if (auto own = check_own_options(asked); !own) {
        return std::unexpected(own.error());
    }
    constexpr std::uint32_t cycle_clock = 3;
    const Machine machine{.processors = host::processor_count(),
                          .has_cycle_clock = asked.clock == cycle_clock &&
                                             options.time == nullptr &&
                                             host::cycle_frequency().has_value(),
                          .fresh_guid = host::new_guid()};
    for (;;) {
        SessionCore* wait_for = nullptr;
        const StartPaths paths = paths_of(asked);
        std::unique_lock lock(mutex);
        auto core = try_claim(asked, machine, paths, wait_for);
        if (wait_for == nullptr) {
            return core;
        }
        wait_for_end(*wait_for, lock);
    }
}

Outcome<void> Runtime::State::open(SessionCore& core) {
    const SessionOptions& adopted = core.options;
    const trace::Recording recording = recording_of(adopted, core.id);
    if (is_on_disk(adopted.files)) {
        const auto cleared = clear_crashed_files(adopted.file, adopted.after_crash);
        if (!cleared) {
            return std::unexpected(cleared.error());
        }
    }
    const BufferPlan plan = buffer_plan(adopted, options.time);
    const auto ticket = core.buffers.open(plan);
    if (!ticket) {
        return std::unexpected(ticket.error());
    }
    core.ticket = *ticket;
    core.mode = adopted.mode;
    core.owner = adopted.owner;
    core.sequence = 0;
    core.live.open(recording, plan.buffer_size, (adopted.mode & mode::real_time) != 0,
                   backlog_bytes(adopted), [&core](std::uint32_t max) { core.buffers.admit(max); });
    auto logger =
        Logger::start({.options = adopted,
                       .recording = recording,
                       .session_id = core.id,
                       .observer = [this, ref = SessionRef{&core, core.ticket}](
                                       const SessionEvent& event) { observe(ref, event); },
                       .end_session = [this, &core, number = core.number](
                                          Status why) { end_by_itself(core, number, why); }},
                      core.buffers, core.live);
    if (!logger) {
        return std::unexpected(logger.error());
    }
    LogPath made = LogPath::of(adopted.file, adopted.files); // it is there now, and has an id
    const std::lock_guard lock(mutex);
    core.path = std::move(made);
    core.logger = std::move(*logger);
    core.phase = Phase::running;
    core.busy = {};
    core.open_ticket.store(core.ticket + 1U, std::memory_order_release);
    return {};
}

/// By the logger.
void Runtime::State::observe(const SessionRef& session, const SessionEvent& event) const {
    if (event.kind == SessionEvent::Kind::new_file) {
        record_all_enablements(*this, session);
    }
    if (options.observer) {
        options.observer(event);
    }
}

bool Runtime::State::take_file_of_process(SessionCore& core, const SessionOptions& asked) {
    StartPaths paths = paths_of(asked);
    const std::lock_guard lock(mutex);
    if (paths.file_of_process.empty() || core.options.file != paths.file ||
        is_written(paths.path_of_process, &core)) {
        return false;
    }
    core.options.file = std::move(paths.file_of_process);
    core.path = std::move(paths.path_of_process);
    return true;
}

Outcome<Session> Runtime::start(const SessionOptions& asked) {
    SessionCore* core = nullptr;
    Session session;
    try {
        const auto claimed = state_->claim_start(asked);
        if (!claimed) {
            return std::unexpected(claimed.error());
        }
        core = *claimed;
        session = Session(*this, core->id, core->number);
        auto opened = state_->open(*core);
        if (!opened && opened.error().status == Status::bad_pathname &&
            state_->take_file_of_process(*core, asked)) { // another process writes the first one
            state_->undo_open(*core);
            opened = state_->open(*core);
        }
        if (!opened) {
            state_->give_up(*core);
            return std::unexpected(opened.error());
        }
    } catch (const std::exception&) { // no memory, or a FileFactory's trouble
        if (core != nullptr) {
            state_->give_up(*core);
        }
        return refuse(Status::not_enough_memory, "cannot create the session");
    }
    state_->tell(*core, SessionEvent::Kind::started, Status::success);
    state_->begin_ending(*core);
    return session;
}

// Ends of sessions: asked for, by themselves, with their runtime.

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
    constexpr int max_pauses = 200;
    std::unique_lock lock(mutex);
    for (int i = 0; core.phase != Phase::free && core.phase != Phase::running; ++i) {
        if (i == max_pauses) {
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

namespace {

using Phase = SessionCore::Phase;

bool is_found(const SessionCore& core) {
    return core.phase == Phase::running || core.phase == Phase::stopping;
}

} // namespace

Runtime::Runtime(RuntimeOptions options) : state_(std::make_unique<State>(std::move(options))) {}

Runtime::~Runtime() {
    state_->stop_all();
}

std::optional<Session> Runtime::find(std::string_view name) const {
    const std::u16string folded = folded_name(name);
    std::optional<Session> found;
    const std::lock_guard lock(state_->mutex);
    state_->for_each_core([&](const SessionCore& core) {
        if (is_found(core) && !state_->is_private(core.id) && core.name == folded) {
            found = Session(const_cast<Runtime&>(*this), core.id, core.number);
        }
    });
    return found;
}

std::optional<Session> Runtime::find(std::uint64_t handle) const {
    std::optional<Session> found;
    const std::lock_guard lock(state_->mutex);
    state_->for_each_core([&](const SessionCore& core) {
        if (is_found(core) && state_->handle_of(core.id) == handle) {
            found = Session(const_cast<Runtime&>(*this), core.id, core.number);
        }
    });
    return found;
}

std::vector<SessionState> Runtime::sessions(Private which) const {
    std::vector<SessionHold> held;
    {
        const std::lock_guard lock(state_->mutex);
        state_->for_each_core([&](SessionCore& core) {
            const bool is_asked_for = which == Private::included || !state_->is_private(core.id);
            if (core.phase == Phase::running && is_asked_for) {
                held.emplace_back(core);
            }
        });
    }
    std::vector<SessionState> states;
    states.reserve(held.size());
    for (const SessionHold& hold : held) {
        states.push_back(state_->state_of(hold.core()));
    }
    return states;
}

Outcome<Registration> Runtime::add(const provider::Provider& provider, EnableCallback callback) {
    auto added = add(provider.guid(), std::move(callback));
    if (added) {
        if (auto set = added->set_traits(provider.traits()); !set) {
            return std::unexpected(set.error());
        }
    }
    return added;
}

Outcome<Registration> Runtime::add(const Guid& provider, EnableCallback callback,
                                   ProviderKind kind) {
    const auto node = state_->registrations.add(provider, kind, std::move(callback));
    if (!node) {
        return std::unexpected(node.error());
    }
    return Registration(*this, (*node)->handle, (*node)->state);
}

std::vector<ProviderState> Runtime::providers() const {
    return state_->registrations.list();
}

} // namespace etl::session
