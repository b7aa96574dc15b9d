// May a session be started like this, and what becomes of what was asked for: pure.
// docs/sessions.md#checks
#pragma once

#include <etl/session/session_options.hpp>
#include <etl/session/status.hpp>

#include <cstdint>
#include <span>

namespace etl::session {

inline constexpr Guid system_trace_control_guid{}; // owner: the real value
inline constexpr Guid ckcl_guid{};                 // owner: the real value

/// What else runs, as far as starting asks.
struct Running {
    std::uint16_t processors = 1;
    std::uint32_t sessions = 0, most_sessions = 64;
    std::uint32_t system_loggers = 0, private_sessions = 0;
    bool has_name = false, has_guid = false; // a session has the same
};

/// Steps A7, A8, A11 to A15 and B2 to B4 (A1 to A6 and A10 are about the C structure:
/// compat/properties.hpp). The first that fails decides.
Outcome<void> check_start(const SessionOptions& options, const Running& running);

/// Numbers, mode, clock, GUID of a reserved name, timer as adopted. After check_start. `guid` fresh
/// if it is zero.
SessionOptions adopt(SessionOptions options, std::uint16_t processors);

} // namespace etl::session
