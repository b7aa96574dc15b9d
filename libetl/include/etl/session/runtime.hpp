// Runtime: everything that tracing in a process needs; there is nothing outside of it. A program
// makes one, and keeps it as long as anybody writes.
//     etl::session::Runtime runtime;
//     const etl::provider::Provider coffee("MyCompany.Coffee");
//     auto events = runtime.add(coffee);
//     auto session = runtime.start({.name = "Morning", .file = "morning.etl"});
//     session->enable(coffee.guid(), {.level = 4});
//     events->write(cup_finished, u"espresso", 93);
//     session->stop();
// docs/sessions.md
#pragma once

#include <etl/provider/provider.hpp>
#include <etl/session/registration.hpp>
#include <etl/session/session.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::session {

/// Something that happened to a session: for programs that watch over them.
struct SessionEvent {
    enum class Kind : std::uint8_t {
        started,
        stopped, // `status` says why, where it was not asked for
        new_file,
        write_failed,
        file_full,
        backlog_full, // events are refused from now on
        file_switch_failed,
        buffers_lost, // to a consumer that was too slow, or none for want of memory
    };

    Kind kind = Kind::started;
    std::uint16_t session_id = 0;
    std::string session_name;
    std::string file;
    Status status = Status::success;
    int os_code = 0;
};

/// Runs in the thread where it happens, most often a logger's. Must not call the runtime.
using SessionObserver = std::function<void(const SessionEvent&)>;

struct RuntimeOptions {
    std::uint16_t sessions = 64; // at most, private ones apart; 32 to 256
    SessionObserver observer;
};

enum class ProviderKind : std::uint8_t {
    modern,  // EventRegister: the runtime compares levels and keywords
    classic, // RegisterTraceGuids: one session at a time, the provider compares
};

/// A provider as an enumeration shows it.
struct ProviderState {
    Guid guid;
    bool is_group = false;
    std::string name; // from its traits; may be empty

    struct Enablement {
        std::uint16_t session_id = 0;
        std::uint8_t level = 0;
        std::uint64_t match_any = 0, match_all = 0;
        std::uint32_t property = 0;
        std::uint64_t order = 0; // of all enable calls of the runtime: the latest has the greatest
    };

    struct Instance {
        ProviderKind kind = ProviderKind::modern;
        std::uint32_t process_id = 0;
        std::vector<Enablement> enabled;
    };

    /// One per registration; of one that is enabled but not registered one, without process.
    std::vector<Instance> instances;
    bool is_registered = false;
};

class Runtime {
public:
    explicit Runtime(RuntimeOptions options = {});
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    /// Stops all sessions. No registration may be left, nobody may write any more.
    ~Runtime();

    /// Starts a session. Before it returns its file is there, with its header buffer. Errors: as
    /// StartTrace, in the order of docs/sessions.md#checks.
    Outcome<Session> start(const SessionOptions& options);

    /// By name, whatever its case; by handle. Private ones only by handle.
    std::optional<Session> find(std::string_view name) const;
    std::optional<Session> find(std::uint64_t handle) const;

    /// All sessions that run; private ones only if asked for.
    enum class Private : std::uint8_t { excluded, included };
    std::vector<SessionState> sessions(Private which = Private::excluded) const;

    /// Registers a provider with its name and group. It outlives the registration. Errors:
    /// outofmemory (2048 are registered).
    Outcome<Registration> add(const provider::Provider& provider, EnableCallback callback = {});

    /// By its GUID alone.
    Outcome<Registration> add(const Guid& provider, EnableCallback callback = {},
                              ProviderKind kind = ProviderKind::modern);

    /// Registered or enabled ones, in the order of their GUIDs; groups among them.
    std::vector<ProviderState> providers() const;

    /// What the compatibility headers and private rooms of the library reach.
    struct State;

    State& state() noexcept { return *state_; }

private:
    friend class Session;
    friend class Registration;
    std::unique_ptr<State> state_;
};

} // namespace etl::session
