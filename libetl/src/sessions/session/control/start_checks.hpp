// May a session be started like this? Pure.
// docs/sessions.md#checks
#pragma once

#include <etl/session.hpp>

#include <cstdint>

namespace etl::session {

/// So many of each kind at once, in one runtime. docs/sessions.md#checks
inline constexpr std::uint32_t max_system_loggers = 8;
inline constexpr std::uint32_t max_private_sessions = 8;

/// What else runs, as far as starting asks.
struct Running {
    std::uint32_t sessions = 0, max_sessions = 64; // private ones apart
    std::uint32_t system_loggers = 0, private_sessions = 0;
    bool has_name = false, has_guid = false; // a session has the same
};

/// Name and file, mode, enable flags, and whether there is room for one more session; the first
/// that fails decides. What is about the C structure alone is checked before:
/// compat/properties.hpp.
Outcome<void> check_start(const SessionOptions& options, const Running& running);

} // namespace etl::session
