// Starting a session: a slot for it, its buffers, its logger.
#include "base/text.hpp"
#include "host/clock.hpp"
#include "host/process.hpp"
#include "session/control/adoption.hpp"
#include "session/control/asked_options.hpp"
#include "session/control/runtime_state.hpp"
#include "session/control/session_names.hpp"
#include "session/control/session_records.hpp"
#include "session/control/start_checks.hpp"
#include "session/crashed_files.hpp"
#include "trace/recording.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace etl::session {

namespace {

using Phase = SessionCore::Phase;

/// What runs, to a session that is to be started. Those that end by themselves are not found any
/// more, but hold their slots for a moment.
Running what_runs(const Runtime::State& state, const SessionOptions& asked) {
    const bool is_private = (asked.mode & mode::private_logger) != 0;
    const std::u16string name = folded_name(asked.name);
    Running running{.most_sessions = state.options.sessions};
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
                   backlog_bytes(adopted),
                   [&core](std::uint32_t most) { core.buffers.admit(most); });
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

} // namespace etl::session
