// Session: the handle of a session that runs in a Runtime; what ControlTrace and EnableTraceEx2 do.
// A value like a number: copies are the same session; it ends by stop(), or with its runtime. Any
// thread. docs/sessions.md
#pragma once

#include <etl/session/enable.hpp>
#include <etl/session/live_source.hpp>
#include <etl/session/session_options.hpp>
#include <etl/session/status.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace etl::session {

class Runtime;

/// What ControlTrace(UPDATE) can change. Empty: left as it is.
struct UpdateOptions {
    std::optional<bool> real_time{};
    std::optional<std::uint32_t> flush_timer{};     // 0: left as it is
    std::optional<std::uint32_t> maximum_buffers{}; // 0: left as it is; never below those there are
    std::optional<std::uint32_t> enable_flags{};    // system loggers only
    std::string file{};                             // go on in this one; must not be the one of now
};

class Session {
public:
    Session() noexcept = default; // of nothing: every call says invalid_handle

    std::uint16_t id() const noexcept { return id_; }

    /// TRACEHANDLE.
    std::uint64_t handle() const noexcept;

    /// All calls: wmi_instance_not_found when the session has ended, active_connections while
    /// another stops it, possible_deadlock in a callback of a provider.
    Outcome<SessionState> query() const;

    /// Returns when all events written so far are in the file or with the consumers. A ring in
    /// memory (mode::buffering) writes a whole trace to `file` and goes on. Errors: bad_pathname (a
    /// ring without a file), those of making a file.
    Outcome<SessionState> flush(const std::string& file = {}) const;

    /// Errors: bad_pathname (the file of now, or of another session), those of making a file.
    Outcome<SessionState> update(const UpdateOptions& update) const;

    /// The next file of a series at once. Errors: invalid_parameter (not mode::new_file).
    Outcome<SessionState> switch_to_next_file() const;

    /// Turns real time on and ends the file.
    Outcome<SessionState> switch_to_real_time() const;

    /// Disables its providers, writes what it has, finishes the file; consumers get the rest and
    /// their end. A ring goes to `file` if one is named.
    Outcome<SessionState> stop(const std::string& file = {}) const;

    /// Enables a provider by its GUID, registered or not (then it is when it registers), or changes
    /// how. Errors: invalid_parameter (a filter that cannot be), no_system_resources (eight other
    /// sessions have it), timeout (callbacks still run; it is enabled).
    Outcome<void> enable(const Guid& provider, const EnableOptions& how = {}) const;

    Outcome<void> disable(const Guid& provider, const EnableOptions& how = {}) const;

    /// Has the provider report its state, where this session has it enabled.
    Outcome<void> capture_state(const Guid& provider, const EnableOptions& how = {}) const;

    /// Providers of a group that the enabling of the group shall not reach
    /// (TraceProviderDisallowListInfo).
    Outcome<void> disallow(const std::vector<Guid>& providers) const;

    /// A consumer of its own. Errors: wmi_instance_not_found (no session in real time).
    Outcome<std::unique_ptr<LiveSource>> listen(const LiveOptions& options = {}) const;

    friend bool operator==(const Session&, const Session&) = default;

private:
    friend class Runtime;

    Session(Runtime& runtime, std::uint16_t id, std::uint32_t ticket) noexcept
        : runtime_(&runtime), id_(id), ticket_(ticket) {}

    Runtime* runtime_ = nullptr;
    std::uint16_t id_ = 0;
    std::uint32_t ticket_ = 0; // which of all sessions of the runtime
};

} // namespace etl::session
