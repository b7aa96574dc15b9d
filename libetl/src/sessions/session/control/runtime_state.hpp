// Runtime::State: the sessions of a runtime and its providers. Lock order: a session's control
// lock, mutex, then the lock of Registrations. Nobody waits for a logger, a file or a callback
// with the mutex; so loggers may take it. docs/session-internals.md#slots
#pragma once

#include <etl/session.hpp>

#include "host/process.hpp"
#include "session/control/start_options.hpp"
#include "session/logging/session_core.hpp"
#include "session/providers/registrations.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace etl::session {

/// Where a session may write, looked up before the runtime's mutex is taken.
struct StartPaths {
    std::string file, file_of_process; // the second of private sessions: with the process id
    LogPath path, path_of_process;
};

/// While it lives the session is not stopped: who stops it waits.
class SessionHold {
public:
    /// Under the runtime's mutex, of a session that runs.
    explicit SessionHold(SessionCore& core) noexcept : core_(&core) { core.holds.fetch_add(1); }

    SessionHold(SessionHold&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}

    SessionHold& operator=(SessionHold&&) = delete;

    ~SessionHold() {
        if (core_ != nullptr && core_->holds.fetch_sub(1) == 1) {
            core_->holds.notify_all();
        }
    }

    SessionCore& core() const noexcept { return *core_; }

    SessionRef ref() const noexcept { return {core_, core_->ticket}; }

private:
    SessionCore* core_;
};

struct Runtime::State final : host::ForkWatch {
    using Cores = std::vector<std::atomic<SessionCore*>>;

    explicit State(RuntimeOptions chosen);
    ~State() override;

    RuntimeOptions options;
    mutable std::mutex mutex;
    /// Indexed by id - 1, private ones after the others; made when first needed, there as long as
    /// this.
    Cores cores;
    std::uint32_t starts = 0; // how many, for SessionCore::number
    Registrations registrations;
    std::atomic<std::uint32_t> global_sequence{0}; // USE_GLOBAL_SEQUENCE
    /// In the child of a fork: what the parent runs. Their threads are not here.
    std::vector<SessionCore*> of_parent;

    /// The session of a handle (number and private bit) that runs, for those who write records to
    /// it by handle; core null: none. No lock.
    SessionRef running(std::uint64_t handle) const noexcept;

    /// Private sessions have numbers behind all others.
    bool is_private(std::uint16_t id) const noexcept { return id > options.sessions; }

    std::uint64_t handle_of(std::uint16_t id) const noexcept;

    /// Errors: possible_deadlock, wmi_instance_not_found, active_connections.
    Outcome<SessionHold> hold(std::uint16_t id, std::uint32_t number);

    /// The same of a session that is being stopped from now on: by the caller, who calls finish.
    /// Errors: those, and bad_pathname (another session writes the file of a ring).
    Outcome<SessionCore*> claim_stop(std::uint16_t id, std::uint32_t number,
                                     const std::string& file);

    /// Ends a session that is stopping or ending. A ring goes to `file`.
    Outcome<SessionState> finish(SessionCore& core, const std::string& file, Status why);

    /// Its slot, name and file are there for others.
    void set_free(SessionCore& core) noexcept;

    /// The same of one that did not get so far as to run.
    void give_up(SessionCore& core);

    /// Undoes what open() did before it failed; it may be called again.
    static void undo_open(SessionCore& core);

    /// Gives a private session that was to write the file of `asked` that of its process instead.
    /// False: it has no such file, has it already, or another session does.
    bool take_file_of_process(SessionCore& core, const SessionOptions& asked);

    /// Called by loggers: the session cannot go on.
    void end_by_itself(SessionCore& core, std::uint32_t number, Status why);

    /// Stops a session that has ended by itself, if it has, in a thread of its own.
    void begin_ending(SessionCore& core);

    /// A core that nobody else has, with options as adopted. Errors: as StartTrace.
    Outcome<SessionCore*> claim_start(const SessionOptions& asked);

    /// Makes what was claimed run, or free again.
    Outcome<void> open(SessionCore& core);

    /// No session but `except` writes there.
    bool is_written(const LogPath& path, const SessionCore* except) const;

    /// Returns the state of a session that is held, or that the caller stops.
    SessionState state_of(SessionCore& core) const;

    /// Under the mutex. In the order of ids, those that are not free.
    void for_each_core(const std::function<void(SessionCore&)>& take) const;

    /// Returns the number of the next message (TraceMessage) in a session, by its mode; 0: none.
    std::uint32_t next_sequence(SessionCore& core) noexcept;

    void tell(const SessionCore& core, SessionEvent::Kind kind, Status status) const;

    /// A logger tells what became of its session.
    void observe(const SessionRef& session, const SessionEvent& event) const;

    /// A classic provider changed hands: tells the observer, and records it.
    void tell(const TakeOver& what) const;

    /// Returns when of all sessions that were there none is left; those that others stop, or that
    /// end by themselves, are waited for. What waits for this thread itself is left as it is: it
    /// may be a logger, or in the middle of a start or a stop, when the process ends.
    void stop_all();
    /// Stops a session, or waits for its end.
    void stop_or_wait(SessionCore& core);

    /// What the process does last: stop_all. In a callback of a provider, too, where files are
    /// finished and the rest is left as it is.
    void leave();

    void before_fork() noexcept override;
    void in_parent() noexcept override;
    void in_child() noexcept override;

private:
    /// Under the mutex, all of them.
    Outcome<SessionCore*> find(std::uint16_t id, std::uint32_t number) const;
    SessionCore* free_core(bool is_private_one);
    std::uint64_t free_bit(bool is_private_one) const;
    /// Null, or one that ends by itself: that writes there, or any.
    SessionCore* ending_core(const LogPath& path) const;
    /// `wait_for` is a session that must have ended before it can be said.
    Outcome<SessionCore*> try_claim(const SessionOptions& asked, const Machine& machine,
                                    const StartPaths& paths, SessionCore*& wait_for);
    Outcome<LogPath> settle_path(SessionOptions& adopted, const StartPaths& paths,
                                 SessionCore*& wait_for) const;
    void wait_for_end(SessionCore& core, std::unique_lock<std::mutex>& lock);
    Outcome<SessionState> last_state(SessionCore& core) const;
    void leave(SessionCore& core);
};

} // namespace etl::session
