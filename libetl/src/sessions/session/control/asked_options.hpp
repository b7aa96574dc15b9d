// What the options of a session ask for. Pure.
#pragma once

#include "session/session_options.hpp"
#include "session/status.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace etl::session {

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

} // namespace etl::session
