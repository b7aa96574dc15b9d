// Controller: sessions of the machine, controlled from any process (docs/machine-sessions.md).
//     auto controller = etl::machine::Controller::connect();
//     controller->start({.name = "Morning", .file = "/tmp/morning.etl"});
//     controller->enable("Morning", coffee, {.level = 4});
//     controller->stop("Morning");
#pragma once

#include "session/runtime.hpp"
#include "session/session.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::machine {

/// Whether to start a host if none runs.
enum class StartHost : std::uint8_t { never, if_needed };

struct ControllerOptions {
    /// Directory of the host; empty: as described in docs/machine-sessions.md#places.
    std::string directory{};
    StartHost start = StartHost::if_needed;
    /// Program to start; empty: `etld` beside the running program, else in PATH.
    std::string host_program{};
};

/// What became of sessions. A value.
struct SessionEvents {
    std::vector<session::SessionEvent> events{};
    std::uint64_t next = 0;   // for the next call
    std::uint64_t missed = 0; // events before them that the host does not have any more
};

/// Sessions are named as in Runtime::find: ignoring case. They belong to the host and continue when
/// the controller ends. Errors of all calls, in addition to those of session::Session: timeout (the
/// host does not answer). Not thread-safe.
class Controller {
public:
    /// Errors: wmi_instance_not_found (no host, and none is to be started), path_not_found (no
    /// program to start), access_denied (the directory belongs to another user), not_supported (not
    /// on this system, or ETL_HOST is `none`), timeout.
    static session::Outcome<Controller> connect(const ControllerOptions& options = {});

    Controller(Controller&&) noexcept;
    Controller& operator=(Controller&&) noexcept;
    ~Controller();

    /// Starts a session. Files of this and of the next calls are opened here, with the rights of
    /// this process and in the directories that it sees; the host writes them. `options.files` is
    /// ignored. Errors, in addition to those of Runtime::start: sharing_violation (a session, or
    /// another writer, is writing the file), no_system_resources (docs/machine-sessions.md#limits),
    /// invalid_parameter (CrashSafety::mapped_file).
    session::Outcome<session::SessionState> start(const session::SessionOptions& options);

    session::Outcome<session::SessionState> query(std::string_view session);
    session::Outcome<std::vector<session::SessionState>> sessions();
    session::Outcome<session::SessionState> flush(std::string_view session,
                                                  const std::string& file = {});
    session::Outcome<session::SessionState> update(std::string_view session,
                                                   const session::UpdateOptions& update);
    session::Outcome<session::SessionState> switch_to_next_file(std::string_view session);
    session::Outcome<session::SessionState> switch_to_real_time(std::string_view session);
    session::Outcome<session::SessionState> stop(std::string_view session,
                                                 const std::string& file = {});

    /// Delivers the events of a real-time session to a named pipe, as a trace (trace::StreamReader
    /// reads it): first the backlog, then events as they are written, until the session or this
    /// controller ends, or nothing reads the pipe. Open the pipe for reading before the call.
    /// Events that the reader does not take in time are lost for it. Errors: wmi_instance_not_found
    /// (also: not a real-time session), path_not_found (not a named pipe), no_system_resources
    /// (docs/machine-sessions.md#limits).
    session::Outcome<void> deliver(std::string_view session, const std::string& pipe);

    /// Enables a provider in all processes. `how.timeout` limits the wait for the processes that
    /// have registered it: until they have applied the change and their callbacks have returned.
    session::Outcome<void> enable(std::string_view session, const Guid& provider,
                                  const session::EnableOptions& how = {});
    session::Outcome<void> disable(std::string_view session, const Guid& provider,
                                   const session::EnableOptions& how = {});
    session::Outcome<void> capture_state(std::string_view session, const Guid& provider,
                                         const session::EnableOptions& how = {});

    /// Sets and returns the providers excluded when a provider group is enabled
    /// (TraceProviderDisallowListInfo).
    session::Outcome<void> disallow(std::string_view session, const std::vector<Guid>& providers);
    session::Outcome<std::vector<Guid>> disallowed(std::string_view session);

    /// Returns what became of sessions since another call, by its SessionEvents::next, and waits up
    /// to `limit` (at most 1 s) for the first one. 0: only `next`. Errors: access_denied (a user
    /// without all rights).
    session::Outcome<SessionEvents> events(std::uint64_t since, std::chrono::milliseconds limit);

    /// Returns the providers of all processes.
    session::Outcome<std::vector<session::ProviderState>> providers();

private:
    struct State;
    explicit Controller(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

} // namespace etl::machine
