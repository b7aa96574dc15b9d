// Host::State: one thread that accepts connections and serves processes with providers, one per
// controller, the drain, and the runtime with its loggers. docs/machine-sessions-internals.md#host
#pragma once

#include "host/local_socket.hpp"
#include "host/places.hpp"
#include "host/shared_memory.hpp"
#include "io/passed_files.hpp"
#include "machine/accounts.hpp"
#include "machine/deliveries.hpp"
#include "machine/drain.hpp"
#include "machine/host.hpp"
#include "machine/protocol/requests.hpp"
#include "machine/session_log.hpp"
#include "session/runtime.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

namespace etl::machine {

class Host::State {
public:
    /// `options.may_be_activated`: it was.
    State(const HostOptions& options, host::Descriptor lock, host::Mapping wake_page,
          host::LocalSocket listening, host::Poller poller, host::Poller of_deliveries);
    ~State();

    void run();
    void stop() noexcept;

private:
    /// The other end of a connection, as the kernel tells.
    struct Caller {
        host::Peer peer;
        bool is_privileged = false; // may do everything
        std::shared_ptr<Account> account;
        /// What belongs to the connection ends then.
        std::shared_ptr<std::atomic<bool>> has_ended = std::make_shared<std::atomic<bool>>(false);
    };

    /// That has not said what it is.
    struct NewConnection {
        host::LocalSocket socket;
        Caller caller;
        Share share;
    };

    /// What controllers passed for a session.
    struct SessionFiles {
        io::PassedFiles files;
        std::mutex changing;                        // held by a request that passes a file
        std::shared_ptr<SessionFiles> keeps_itself; // while a session starts with them
    };

    /// A session on its way to its end.
    struct Ending {
        session::SessionCore* core = nullptr;
        std::string text; // if its file hangs
        std::atomic<bool> is_done{false};
        std::thread thread;
    };

    struct ControllerThread {
        host::LocalSocket socket;
        Caller caller;
        Share share;
        std::thread thread;
    };

    bool take_turn(std::chrono::steady_clock::time_point& needed_at);
    void serve_until_stopped();
    void accept_some();
    bool accept_one();
    void refuse_one_without_descriptor();
    void begin(std::uint64_t tag);
    void begin_controller(NewConnection connection, const std::string& program);
    void begin_link(std::uint64_t tag, NewConnection connection, const std::string& program);
    void turn_away(const host::LocalSocket& socket, const Caller& caller,
                   const std::string& program, link::Refusal::Reason reason);
    static std::string printable(std::string text);
    void report(const Caller& caller, const std::string& program, std::string_view what);
    Caller caller_of(const host::LocalSocket& socket);
    void serve(std::uint64_t tag);
    void serve_one(std::uint64_t tag);
    void end_link(std::uint64_t tag);
    void join_controllers(bool all);
    bool is_needed();
    void begin_end() noexcept;
    void end_sessions() noexcept;
    void end_links() noexcept;
    bool go_on_ending();

    // The thread of a controller.
    void run_controller(ControllerThread& controller) noexcept;
    void serve_controller(ControllerThread& controller);
    bool serve_request(ControllerThread& controller, bool has_rights);
    Reply execute(const Request& request, const Caller& caller, host::Descriptor passed);
    Reply start(const Request& request, const Caller& caller, host::Descriptor passed);
    session::Outcome<session::SessionState> keep_files(const session::Session& session,
                                                       const std::shared_ptr<SessionFiles>& owned);
    Reply control(const session::Session& session, const session::SessionState& state,
                  const Request& request, const Caller& caller);
    Reply enable(const session::Session& session, const Request& request,
                 const session::EnableOptions& how);
    Reply session_events(const Request& request, const Caller& caller);
    session::Outcome<void> deliver(const session::Session& session,
                                   const session::SessionState& state, const Request& request,
                                   const Caller& caller, const host::Descriptor& passed);
    session::Outcome<session::SessionState>
    check_and_change(const session::Session& session, const session::SessionState& state,
                     const Request& request, const Caller& caller, host::Descriptor passed);
    session::Outcome<session::SessionState> change(const session::Session& session,
                                                   const session::SessionState& state,
                                                   const Request& request, host::Descriptor passed);
    std::shared_ptr<SessionFiles> files_of(const session::SessionState& state);
    session::Outcome<session::SessionState> change_now(const session::Session& session,
                                                       const Request& request);

    // What a user may see, and do.
    static bool may_see(const Caller& caller, const session::SessionState& state) noexcept;
    std::vector<session::SessionState> visible_sessions(const Caller& caller) const;
    std::vector<session::ProviderState> visible_providers(const Caller& caller) const;
    /// The share is held until the session has its buffers.
    session::Outcome<Share> check_limits(const session::SessionOptions& options,
                                         const Caller& caller) const;
    session::Outcome<Share> check_buffers(const session::SessionOptions& adopted,
                                          std::uint16_t session, const Caller& caller) const;
    session::Outcome<void> check_slots(const Guid& provider, const Caller& caller) const;
    session::Outcome<Share> check_update(const session::SessionState& state, const Request& request,
                                         const Caller& caller) const;
    void wait_for_woken() const;

    HostOptions options_;
    host::Descriptor lock_; // while this runs
    host::Mapping wake_page_;
    std::optional<std::uint32_t> privileged_group_;
    host::Descriptor spare_; // to answer when there are no others
    Accounts accounts_;
    std::shared_ptr<Account> of_all_ = std::make_shared<Account>(0, no_limits);
    host::LocalSocket listening_;
    host::Poller poller_;
    int woken_ = 0; // processes that waited for a host
    std::chrono::steady_clock::time_point opened_;

    /// By session number - 1; until the next session with that number.
    std::array<std::shared_ptr<SessionFiles>, link::most_machine_sessions> files_;
    std::mutex files_mutex_;
    std::condition_variable files_stored_;

    SessionLog log_;

    std::atomic<std::int64_t> time_;
    session::Runtime runtime_;
    std::optional<Drain> drain_;
    Deliveries deliveries_;

    // Of the loop.
    std::uint64_t tags_ = 0;
    std::set<std::string> reported_; // lines of the current minute
    std::chrono::steady_clock::time_point reported_since_;
    std::map<std::uint64_t, NewConnection> new_;
    std::map<std::uint64_t, std::shared_ptr<ProviderLink>> links_;
    std::list<ControllerThread> controllers_;
    std::list<Ending> endings_;
    std::atomic<bool> is_stopping_{false};
};

} // namespace etl::machine
