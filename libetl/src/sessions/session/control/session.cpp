
#include <etl/session.hpp>

#include "session/control/runtime_state.hpp"
#include "session/control/session_names.hpp"
#include "session/control/session_records.hpp"
#include "session/control/start_options.hpp"
#include "session/live_source.hpp"

#include <mutex>

namespace etl::session {

namespace {

bool has(const SessionCore& core, std::uint32_t bits) {
    return (core.mode.load() & bits) != 0;
}

/// Under the session's control lock and the runtime's mutex.
void set_mode(SessionCore& core, std::uint32_t adopted) {
    core.options.mode = adopted;
    core.mode = adopted;
}

void adopt_real_time(Runtime::State& state, SessionCore& core, bool on) {
    const std::lock_guard lock(state.mutex);
    const std::uint32_t before = core.options.mode;
    set_mode(core, on ? before | mode::real_time : before & ~mode::real_time);
    if (on && core.options.flush_timer == 0) {
        core.options.flush_timer = min_real_time_timer(before);
    }
}

void turn_real_time(Runtime::State& state, SessionCore& core, bool on) {
    adopt_real_time(state, core, on);
    core.logger->set_real_time(on);
    core.logger->set_flush_timer(flush_period(core.options));
}

/// Under the session's control lock: nobody else starts to write the file while this lives.
class FileAside {
public:
    /// The file of the session itself may be asked for, or not.
    enum class Own : std::uint8_t { may_be_the_same, must_be_another };

    FileAside(Runtime::State& state, SessionCore& core, LogPath path, Own own)
        : state_(state), core_(core) {
        const std::lock_guard lock(state_.mutex);
        const bool is_own = own == Own::must_be_another && core_.path.meets(path);
        is_taken_ = !is_own && !state_.is_written(path, &core_);
        if (is_taken_) {
            core_.path_aside = std::move(path);
        }
    }

    FileAside(const FileAside&) = delete;
    FileAside& operator=(const FileAside&) = delete;

    ~FileAside() {
        if (is_taken_) {
            const std::lock_guard lock(state_.mutex);
            core_.path_aside = {};
        }
    }

    bool is_taken() const noexcept { return is_taken_; }

private:
    Runtime::State& state_;
    SessionCore& core_;
    bool is_taken_ = false;
};

Outcome<void> write_ring(Runtime::State& state, SessionCore& core, const std::string& file) {
    if (file.empty()) {
        return refuse(Status::bad_pathname, "an in-memory session requires a file name to flush");
    }
    const std::string full = full_path(file, core.options.files);
    if (auto path = check_path(full); !path) {
        return path;
    }
    const FileAside aside(state, core, LogPath::of(full, core.options.files),
                          FileAside::Own::may_be_the_same);
    if (!aside.is_taken()) {
        return refuse(Status::bad_pathname, "another session is writing this file");
    }
    return core.logger->snapshot(full);
}

Outcome<void> switch_file(Runtime::State& state, SessionCore& core, const std::string& file) {
    const std::string full = full_path(file, core.options.files);
    if (auto path = check_path(full); !path) {
        return path;
    }
    if (has(core, mode::new_file) && !is_series_name(file)) {
        return refuse(Status::invalid_name,
                      "the file name of a series requires one %d and no other %");
    }
    // The logger writes the old one until it has returned.
    const FileAside aside(state, core, LogPath::of(full, core.options.files),
                          FileAside::Own::must_be_another);
    if (!aside.is_taken()) {
        return refuse(Status::bad_pathname, "the file is being written");
    }
    if (auto switched = core.logger->switch_to(full); !switched) {
        return switched;
    }
    LogPath path = LogPath::of(full, core.options.files); // it is there now, and has an id
    bool is_first = false;
    {
        const std::lock_guard lock(state.mutex);
        is_first = core.options.file.empty();
        core.path = std::move(path);
        core.options.file = full;
        if (!has(core, mode::circular)) {
            set_mode(core, core.options.mode | mode::sequential);
        }
    }
    if (is_first) { // the logger tells of later ones
        record_all_enablements(state, {&core, core.ticket});
    }
    return {};
}

void change_numbers(Runtime::State& state, SessionCore& core, const UpdateOptions& update) {
    {
        const std::lock_guard lock(state.mutex);
        SessionOptions& options = core.options;
        if (update.flush_timer.value_or(0) != 0) {
            options.flush_timer = *update.flush_timer;
        }
        if (update.maximum_buffers.value_or(0) != 0) {
            options.maximum_buffers = core.buffers.set_maximum(*update.maximum_buffers);
        }
        if (update.enable_flags && is_system_logger(options)) {
            options.enable_flags = *update.enable_flags;
        }
    }
    core.logger->set_maximum_buffers(core.options.maximum_buffers);
    core.logger->set_flush_timer(flush_period(core.options));
}

Outcome<void> apply(Runtime::State& state, SessionCore& core, const UpdateOptions& update) {
    const std::lock_guard control(core.control);
    const bool is_ring = has(core, mode::buffering);
    if (update.real_time.value_or(false) && has(core, mode::private_logger)) {
        return refuse(Status::invalid_parameter, "private sessions cannot be real-time");
    }
    if (!update.file.empty()) {
        const auto written =
            is_ring ? write_ring(state, core, update.file) : switch_file(state, core, update.file);
        if (!written) {
            return written;
        }
    }
    if (is_ring) {
        return {}; // has neither timer, nor real time, nor room to grow
    }
    if (update.real_time && *update.real_time != has(core, mode::real_time)) {
        turn_real_time(state, core, *update.real_time);
    }
    change_numbers(state, core, update);
    return {};
}

Outcome<void> end_file(Runtime::State& state, SessionCore& core) {
    const std::lock_guard control(core.control);
    if (has(core, mode::private_logger | mode::buffering)) {
        return refuse(Status::invalid_parameter, "the session cannot be real-time");
    }
    adopt_real_time(state, core, true);
    if (auto ended = core.logger->switch_to_real_time(); !ended) {
        return ended;
    }
    core.logger->set_flush_timer(flush_period(core.options));
    const std::lock_guard lock(state.mutex);
    core.options.file.clear();
    core.path = {};
    return {};
}

/// Calls `act` with the session, which is not stopped meanwhile.
template <typename Act>
auto with_session(Runtime* runtime, std::uint16_t id, std::uint32_t number, Act act)
    -> decltype(act(std::declval<Runtime::State&>(), std::declval<const SessionHold&>())) {
    if (runtime == nullptr) {
        return refuse(Status::invalid_handle, "no session");
    }
    Runtime::State& state = runtime->state();
    const auto held = state.hold(id, number);
    if (!held) {
        return std::unexpected(held.error());
    }
    return act(state, *held);
}

/// The same for what ends in the session's state.
template <typename Act>
Outcome<SessionState> state_after(Runtime* runtime, std::uint16_t id, std::uint32_t number,
                                  Act act) {
    return with_session(
        runtime, id, number,
        [&](Runtime::State& state, const SessionHold& held) -> Outcome<SessionState> {
            if (Outcome<void> done = act(state, held.core()); !done) {
                return std::unexpected(done.error());
            }
            return state.state_of(held.core());
        });
}

} // namespace

std::uint64_t Session::handle() const noexcept {
    return runtime_ == nullptr ? 0 : runtime_->state().handle_of(id_);
}

Outcome<SessionState> Session::query() const {
    return state_after(runtime_, id_, ticket_,
                       [](Runtime::State&, SessionCore&) { return Outcome<void>(); });
}

Outcome<SessionState> Session::flush(const std::string& file) const {
    return state_after(runtime_, id_, ticket_, [&](Runtime::State& state, SessionCore& core) {
        const std::lock_guard control(core.control);
        if (has(core, mode::circular | mode::buffering)) { // it has overwritten its oldest events
            record_all_enablements(state, {&core, core.ticket});
        }
        return has(core, mode::buffering) ? write_ring(state, core, file) : core.logger->flush();
    });
}

Outcome<SessionState> Session::update(const UpdateOptions& update) const {
    return state_after(runtime_, id_, ticket_, [&](Runtime::State& state, SessionCore& core) {
        return apply(state, core, update);
    });
}

Outcome<SessionState> Session::switch_to_next_file() const {
    return state_after(runtime_, id_, ticket_,
                       [](Runtime::State&, SessionCore& core) -> Outcome<void> {
                           const std::lock_guard control(core.control);
                           if (!has(core, mode::new_file)) {
                               return refuse(Status::invalid_parameter,
                                             "the session does not write a series of files");
                           }
                           return core.logger->switch_to_next_file();
                       });
}

Outcome<SessionState> Session::switch_to_real_time() const {
    return state_after(runtime_, id_, ticket_, end_file);
}

Outcome<SessionState> Session::stop(const std::string& file) const {
    if (runtime_ == nullptr) {
        return refuse(Status::invalid_handle, "no session");
    }
    Runtime::State& state = runtime_->state();
    const auto core = state.claim_stop(id_, ticket_, file);
    if (!core) {
        return std::unexpected(core.error());
    }
    return state.finish(**core, full_path(file, (*core)->options.files), Status::success);
}

Outcome<void> Session::enable(const Guid& provider, const EnableOptions& how) const {
    return with_session(runtime_, id_, ticket_, [&](Runtime::State& state, const auto& held) {
        auto enabled = state.registrations.control(held.ref(), provider, Control::enable, how);
        if (enabled || enabled.error().status == Status::timeout) {
            record_enablements(state, held.ref(), provider);
        }
        return enabled;
    });
}

Outcome<void> Session::disable(const Guid& provider, const EnableOptions& how) const {
    return with_session(runtime_, id_, ticket_, [&](Runtime::State& state, const auto& held) {
        return state.registrations.control(held.ref(), provider, Control::disable, how);
    });
}

Outcome<void> Session::capture_state(const Guid& provider, const EnableOptions& how) const {
    return with_session(runtime_, id_, ticket_, [&](Runtime::State& state, const auto& held) {
        return state.registrations.control(held.ref(), provider, Control::capture_state, how);
    });
}

Outcome<void> Session::disallow(const std::vector<Guid>& providers) const {
    return with_session(runtime_, id_, ticket_, [&](Runtime::State& state, const auto& held) {
        return state.registrations.disallow(held.ref(), providers);
    });
}

Outcome<std::unique_ptr<LiveSource>> LiveSource::listen(const Session& session,
                                                        const LiveOptions& options) {
    using Source = Outcome<std::unique_ptr<LiveSource>>;
    return with_session(session.runtime_, session.id_, session.ticket_,
                        [&](Runtime::State&, const SessionHold& held) -> Source {
                            if (!has(held.core(), mode::real_time)) {
                                return refuse(Status::wmi_instance_not_found,
                                              "the session is not real-time");
                            }
                            return held.core().live.connect(options);
                        });
}

} // namespace etl::session
