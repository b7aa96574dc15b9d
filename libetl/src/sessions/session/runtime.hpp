// Runtime: the complete state of in-process tracing. A program creates one and keeps it as long as
// events are written.
//     etl::session::Runtime runtime;
//     const etl::provider::Provider coffee("MyCompany.Coffee");
//     auto events = runtime.add(coffee);
//     auto session = runtime.start({.name = "Morning", .file = "morning.etl"});
//     session->enable(coffee.guid(), {.level = 4});
//     events->write(cup_finished, u"espresso", 93);
//     session->stop();
// docs/sessions.md
#pragma once

#include "provider/provider.hpp"
#include "session/registration.hpp"
#include "session/session.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::session {

/// A change in the state of a session, for programs that monitor sessions.
struct SessionEvent {
    enum class Kind : std::uint8_t {
        started,
        stopped, // `status` contains the reason if not requested
        new_file,
        write_failed,
        file_full,
        backlog_full, // events are now rejected
        file_switch_failed,
        buffers_lost, // lost by a slow consumer, or because of insufficient memory
        /// Another session records a classic provider of this one now, in some processes or in all.
        provider_taken_over,
        provider_returned, // none does any more
    };

    Kind kind = Kind::started;
    std::uint16_t session_id = 0;
    std::string session_name;
    std::string file;
    Status status = Status::success;
    int os_code = 0;
    // provider_taken_over, provider_returned:
    Guid provider{};
    std::string other_session{};
};

/// Callback for session events. Runs on the thread that causes the event, usually a logger thread.
/// Must not call the runtime.
using SessionObserver = std::function<void(const SessionEvent&)>;

struct RuntimeOptions {
    std::uint16_t sessions = 64; // maximum number of sessions, without private ones; 32 to 256
    std::uint16_t registrations = 2048; // maximum number of registrations, as of a Windows process
    /// Null: sessions use the clocks of the machine. Otherwise the time of all of them, in 100 ns
    /// units: never decreases, and CPU cycles are not available. Must outlive the runtime.
    const std::atomic<std::int64_t>* time = nullptr;
    SessionObserver observer;
};

enum class ProviderKind : std::uint8_t {
    modern,  // EventRegister: the runtime checks levels and keywords
    classic, // RegisterTraceGuids: one session at a time, the provider checks them
};

/// A provider in an enumeration.
struct ProviderState {
    Guid guid;
    bool is_group = false;
    std::string name; // from its traits; may be empty

    struct Enablement {
        std::uint16_t session_id = 0;
        std::uint8_t level = 0;
        std::uint64_t match_any = 0, match_all = 0;
        std::uint32_t property = 0;
        /// Sequence number of the enable call in the runtime; the latest has the highest.
        std::uint64_t order = 0;
        /// Another session has taken over this registration of a classic provider.
        bool is_taken_over = false;
    };

    struct Instance {
        ProviderKind kind = ProviderKind::modern;
        std::uint32_t process_id = 0;
        std::vector<Enablement> enabled;
    };

    /// One per registration; for a provider that is enabled but not registered, one without a
    /// process.
    std::vector<Instance> instances;
    bool is_registered = false;
};

class Runtime {
public:
    explicit Runtime(RuntimeOptions options = {});
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    /// Stops all sessions. Destroy all registrations and stop all writes first.
    ~Runtime();

    /// Starts a session. On return its file exists, with the header buffer. Errors: as StartTrace,
    /// in the order of docs/sessions.md#checks.
    Outcome<Session> start(const SessionOptions& options);

    /// Returns a session by name, ignoring case, or by handle. Private sessions are found only by
    /// handle.
    std::optional<Session> find(std::string_view name) const;
    std::optional<Session> find(std::uint64_t handle) const;

    /// Returns all running sessions; private ones only if included.
    enum class Private : std::uint8_t { excluded, included };
    std::vector<SessionState> sessions(Private which = Private::excluded) const;

    /// Registers a provider with its name and group. `provider` must outlive the registration.
    /// Errors: outofmemory (2048 are registered).
    Outcome<Registration> add(const provider::Provider& provider, EnableCallback callback = {});

    /// Registers a provider by GUID only.
    Outcome<Registration> add(const Guid& provider, EnableCallback callback = {},
                              ProviderKind kind = ProviderKind::modern);

    /// Returns registered or enabled providers, including groups, sorted by GUID.
    std::vector<ProviderState> providers() const;

    /// For the compatibility headers and other rooms.
    struct State;

    State& state() noexcept { return *state_; }

private:
    friend class Session;
    friend class Registration;
    std::unique_ptr<State> state_;
};

} // namespace etl::session
