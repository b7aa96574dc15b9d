// Host: the process to which the sessions of the machine belong. `etld` is a program around it.
// docs/machine-sessions.md
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace etl::machine {

struct HostOptions {
    /// Directory of socket and wake page; empty: as described in docs/machine-sessions.md#places.
    std::string directory{};
    /// Serves the programs and controllers of all users, as the host of the machine always does.
    bool is_for_all_users = false;
    /// Uses the socket that a service manager passed, if it did. Then programs with providers need
    /// the host, too: it would be started again at once.
    bool may_be_activated = false;
    /// How long to run without sessions and controllers; nothing: forever.
    std::optional<std::chrono::milliseconds> idle_limit = std::chrono::seconds(10);
    /// Called with a line of text when a program or a controller is refused, but not again and
    /// again with the same line, and at most 17 times a minute; and for each session whose file
    /// takes no writes when the host ends. Names in the line are those that programs state, with
    /// `?` for what is not printable ASCII. By the thread of run().
    std::function<void(const std::string&)> report{};
};

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
    explicit Host(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

} // namespace etl::machine
