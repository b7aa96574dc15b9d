// Host::State: one thread that accepts connections and serves processes with providers, one per
// controller, the drain, and the runtime with its loggers. docs/machine-sessions-internals.md#host
#pragma once

#include <etl/host/local_socket.hpp>
#include <etl/host/places.hpp>
#include <etl/host/shared_memory.hpp>
#include <etl/machine/host.hpp>
#include <etl/session/runtime.hpp>

#include "machine/drain.hpp"
#include "machine/requests.hpp"

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace etl::machine {

class Host::State {
public:
    State(const HostOptions& options, host::Descriptor wake_file, host::Mapping wake_page,
          host::LocalSocket listening, host::Poller poller);
    ~State();

    void run();
    void stop() noexcept;

private:
    struct ControllerThread {
        host::LocalSocket socket;
        std::atomic<bool> has_ended{false};
        std::thread thread;
    };

    void accept_all();
    void begin(std::uint64_t tag);
    void begin_controller(host::LocalSocket socket);
    void serve(std::uint64_t tag);
    void end_link(std::uint64_t tag);
    void join_controllers(bool all);
    bool is_needed();
    bool may_control(const host::Peer& peer) const noexcept;

    void serve_controller(ControllerThread& controller);
    Reply execute(const Request& request);
    Reply start(const Request& request);
    Reply control(const Request& request);
    session::Outcome<session::SessionState> change(const session::Session& session,
                                                   const Request& request);
    void wait_for_woken() const;

    HostOptions options_;
    host::Descriptor wake_file_; // locked while this runs
    host::Mapping wake_page_;
    host::LocalSocket listening_;
    host::Poller poller_;
    int woken_ = 0; // processes that waited for a host
    std::chrono::steady_clock::time_point opened_;

    std::atomic<std::int64_t> time_;
    session::Runtime runtime_;
    std::optional<Drain> drain_;

    // Of the loop.
    std::uint64_t tags_ = 0;
    std::map<std::uint64_t, host::LocalSocket> new_; // no Hello yet
    std::map<std::uint64_t, std::shared_ptr<ProviderLink>> links_;
    std::list<ControllerThread> controllers_;
    std::atomic<bool> is_stopping_{false};
};

} // namespace etl::machine
