// May a session be started like this, and what becomes of what was asked for: pure.
// docs/sessions.md#checks
#pragma once

#include <etl/session/session_options.hpp>
#include <etl/session/status.hpp>

#include <cstdint>
#include <string_view>

namespace etl::session {

inline constexpr Guid system_trace_control_guid =
    parse_guid("9e814aad-3204-11d2-9a82-006008a86939").value();
inline constexpr Guid ckcl_guid = parse_guid("54dea73a-ed1f-42a4-af71-3e63d056f174").value();

/// EVENT_TRACE_FLAG_EXTENSION: the rest of enable_flags is offset, length in dwords, and this.
inline constexpr std::uint32_t enable_flag_extension = 0x80000000;

/// So many of each kind at once, in one runtime. docs/sessions.md#checks
inline constexpr std::uint32_t most_system_loggers = 8;
inline constexpr std::uint32_t most_private_sessions = 8;

/// What else runs, as far as starting asks.
struct Running {
    std::uint32_t sessions = 0, most_sessions = 64; // private ones apart
    std::uint32_t system_loggers = 0, private_sessions = 0;
    bool has_name = false, has_guid = false; // a session has the same
};

/// Steps A7, A8, A11 to A15 and B2 to B4 (A1 to A6 and A10 are about the C structure:
/// compat/properties.hpp). The first that fails decides.
Outcome<void> check_start(const SessionOptions& options, const Running& running);

/// What a session has that its options do not say.
struct Machine {
    std::uint16_t processors = 1;
    bool has_cycle_clock = true;
    Guid fresh_guid{};
};

/// Numbers, mode, clock, GUID, timer as adopted. Of options that check_start let pass.
SessionOptions adopt(SessionOptions options, const Machine& machine);

/// One of the at most eight that may get kernel events: by its mode or a reserved name.
bool is_system_logger(const SessionOptions& options);

/// The name as names are compared: whatever its case.
std::u16string folded_name(std::string_view name);

/// Exactly one `%`, and it is followed by `d`.
bool is_series_name(std::string_view file) noexcept;

/// In milliseconds; 0: none.
std::uint32_t flush_period(const SessionOptions& adopted) noexcept;

/// Buffers are kept apart for so many processors.
std::uint16_t stripes(const SessionOptions& adopted) noexcept;

/// FlushTimer that real time needs at least.
std::uint32_t least_real_time_timer(std::uint32_t mode) noexcept;

} // namespace etl::session
