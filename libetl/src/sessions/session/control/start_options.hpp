// Whether a session can be started with its options, and what becomes of these. Pure.
// docs/sessions.md#checks
#pragma once

#include <etl/session.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

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

// What the options of a session ask for. Pure.

/// EVENT_TRACE_FLAG_EXTENSION: the rest of enable_flags is offset, length in dwords, and this.
inline constexpr std::uint32_t enable_flag_extension = 0x80000000;

/// Any of these modes.
constexpr bool asks(const SessionOptions& options, std::uint32_t bits) noexcept {
    return (options.mode & bits) != 0;
}

/// Errors: bad_pathname (too long, also for the system).
Outcome<void> check_path(const std::string& path);

/// One of the at most eight that may get kernel events: by its mode or a reserved name.
bool is_system_logger(const SessionOptions& options);

/// Bytes of the extension that the upper half of the flags speaks of. docs/sessions.md#flags
/// Errors: invalid_parameter (malformed).
Outcome<std::size_t> extension_size(const SessionOptions& options);

/// What a session has that its options do not say.
struct Machine {
    std::uint16_t processors = 1;
    bool has_cycle_clock = true;
    Guid fresh_guid{};
};

/// Numbers, mode, clock, GUID, timer as adopted. Of options that check_start let pass.
SessionOptions adopt(SessionOptions options, const Machine& machine);

/// In milliseconds; 0: none.
std::uint32_t flush_period(const SessionOptions& adopted) noexcept;

/// Buffers are kept apart for so many processors.
std::uint16_t stripes(const SessionOptions& adopted) noexcept;

/// FlushTimer that real time needs at least.
std::uint32_t min_real_time_timer(std::uint32_t mode) noexcept;

} // namespace etl::session
