// Sessions of the machine: programs attach their providers, controllers start sessions and enable
// providers from any process, and a host keeps the sessions (docs/machine-sessions.md).
//
//     etl::session::Runtime runtime;
//     const auto attached = etl::session::attach(runtime); // keep it: it is the link
//
//     auto controller = etl::machine::Controller::connect(); // in this or another program
//     controller->start({.name = "Morning", .file = "/tmp/morning.etl"});
//     controller->enable("Morning", coffee, {.level = 4});
//     controller->stop("Morning");
#pragma once

#include <etl/error.hpp>
#include <etl/guid.hpp>
#include <etl/owned.hpp>
#include <etl/session.hpp>
#include <etl/time.hpp>

#include <cstdint>
#include <optional>
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

    /// Delivers the events of a real-time session to a named pipe, as a trace: first the backlog,
    /// then events as they are written, until the session or this controller ends, or nothing reads
    /// the pipe. Open the pipe for reading before the call: `etl live` reads it as it grows,
    /// Trace::open() when it has ended. Events that the reader does not take in time are lost for
    /// it. Errors: wmi_instance_not_found (also: not a real-time session), path_not_found (not a
    /// named pipe), no_system_resources (docs/machine-sessions.md#limits).
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
    session::Outcome<SessionEvents> events(std::uint64_t since, Milliseconds limit);

    /// Returns the providers of all processes.
    session::Outcome<std::vector<session::ProviderState>> providers();

private:
    struct State;
    explicit Controller(Owned<State> state) noexcept;
    Owned<State> state_;
};

struct HostOptions {
    /// Directory of socket and wake page; empty: as described in docs/machine-sessions.md#places.
    std::string directory{};
    /// Serves the programs and controllers of all users, as the host of the machine always does.
    bool is_for_all_users = false;
    /// Uses the socket that a service manager passed, if it did. Then programs with providers need
    /// the host, too: it would be started again at once.
    bool may_be_activated = false;
    /// How long to run without sessions and controllers; nothing: forever.
    std::optional<Milliseconds> idle_limit = Milliseconds(10'000);
    /// Called with a line of text when a program or a controller is refused, but not again and
    /// again with the same line, and at most 17 times a minute; and for each session whose file
    /// takes no writes when the host ends. Names in the line are those that programs state, with
    /// `?` for what is not printable ASCII. By the thread of run().
    Callback<void(const std::string&)> report{};
};

/// The process to which the sessions of the machine belong. `etld` is a program around it.
class Host {
public:
    /// Opens the socket and wakes all processes that wait for a host. Errors: io_failure (os_code
    /// EWOULDBLOCK: another host is running), not_found (the directory belongs to another user, or
    /// others can write to it), unsupported (not on this system).
    static Result<Host> open(const HostOptions& options = {});

    Host(Host&&) noexcept;
    Host& operator=(Host&&) noexcept;
    /// Waits for files that hang and for clients that occupy a thread. A program that must end
    /// calls std::_Exit after run().
    ~Host();

    /// Serves until stop() is called or nothing needs the host for `idle_limit`, then stops all
    /// sessions. Within 5 s after that, every file that takes writes is complete; sessions whose
    /// files do not are reported.
    void run();

    /// Ends run(), from any thread or a signal handler.
    void stop() noexcept;

private:
    class State;
    explicit Host(Owned<State> state) noexcept;
    Owned<State> state_;
};

} // namespace etl::machine
