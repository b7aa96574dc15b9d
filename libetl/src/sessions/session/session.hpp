// Session: a handle to a session in a Runtime. Corresponds to ControlTrace and EnableTraceEx2.
// Copies refer to the same session, which ends with stop() or with its runtime. Thread-safe.
// docs/sessions.md
#pragma once

#include "session/enable.hpp"
#include "session/live_source.hpp"
#include "session/session_options.hpp"
#include "session/status.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace etl::session {

class Runtime;

/// Properties that ControlTrace(UPDATE) can change. Empty: unchanged.
struct UpdateOptions {
    std::optional<bool> real_time{};
    std::optional<std::uint32_t> flush_timer{};     // 0: unchanged
    std::optional<std::uint32_t> maximum_buffers{}; // 0: unchanged; not below the current number
    std::optional<std::uint32_t> enable_flags{};    // system loggers only
    std::string file{};                             // new file; must not be the current one
};

class Session {
public:
    Session() noexcept = default; // empty: every call returns invalid_handle

    std::uint16_t id() const noexcept { return id_; }

    /// Returns the TRACEHANDLE.
    std::uint64_t handle() const noexcept;

    /// Errors of all calls: wmi_instance_not_found (the session has ended), active_connections
    /// (another caller is stopping it), possible_deadlock (in a provider callback).
    Outcome<SessionState> query() const;

    /// Waits until all events written so far are in the file or with the consumers. An in-memory
    /// session (mode::buffering) writes a complete trace to `file` and continues. Errors:
    /// bad_pathname (an in-memory session without a file), those of creating a file.
    Outcome<SessionState> flush(const std::string& file = {}) const;

    /// Changes properties. Errors: bad_pathname (the current file, or that of another session),
    /// those of creating a file.
    Outcome<SessionState> update(const UpdateOptions& update) const;

    /// Switches to the next file of a series immediately. Errors: invalid_parameter (not
    /// mode::new_file).
    Outcome<SessionState> switch_to_next_file() const;

    /// Enables real-time mode and ends the file.
    Outcome<SessionState> switch_to_real_time() const;

    /// Disables the session's providers, writes pending events, and finalizes the file; consumers
    /// receive the remaining events, then end. An in-memory session is written to `file` if given.
    Outcome<SessionState> stop(const std::string& file = {}) const;

    /// Enables a provider by GUID or changes its enablement. If the provider is not registered, it
    /// is enabled at registration. Errors: invalid_parameter (an invalid filter),
    /// no_system_resources (enabled by eight other sessions), timeout (callbacks are still running;
    /// the provider is enabled).
    Outcome<void> enable(const Guid& provider, const EnableOptions& how = {}) const;

    Outcome<void> disable(const Guid& provider, const EnableOptions& how = {}) const;

    /// Requests capture state from the provider, if this session has enabled it.
    Outcome<void> capture_state(const Guid& provider, const EnableOptions& how = {}) const;

    /// Sets the providers excluded when a provider group is enabled
    /// (TraceProviderDisallowListInfo).
    Outcome<void> disallow(const std::vector<Guid>& providers) const;

    /// Returns a new real-time consumer. Errors: wmi_instance_not_found (not a real-time session).
    Outcome<std::unique_ptr<LiveSource>> listen(const LiveOptions& options = {}) const;

    friend bool operator==(const Session&, const Session&) = default;

private:
    friend class Runtime;

    Session(Runtime& runtime, std::uint16_t id, std::uint32_t ticket) noexcept
        : runtime_(&runtime), id_(id), ticket_(ticket) {}

    Runtime* runtime_ = nullptr;
    std::uint16_t id_ = 0;
    std::uint32_t ticket_ = 0; // unique number among all sessions of the runtime
};

} // namespace etl::session
