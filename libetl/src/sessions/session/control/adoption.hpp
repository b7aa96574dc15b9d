// What becomes of the options that a session was started with. Pure. docs/sessions.md#options
#pragma once

#include "session/session_options.hpp"

#include <cstdint>

namespace etl::session {

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
std::uint32_t least_real_time_timer(std::uint32_t mode) noexcept;

} // namespace etl::session
