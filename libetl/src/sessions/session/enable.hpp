// Parameters for enabling a provider in a session, as in EnableTraceEx2. docs/sessions.md#enabling
#pragma once

#include "base/bytes.hpp"
#include "base/guid.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace etl::session {

/// EVENT_ENABLE_PROPERTY_xxx.
namespace enable_property {
inline constexpr std::uint32_t sid = 0x001;
inline constexpr std::uint32_t terminal_session = 0x002;
inline constexpr std::uint32_t stack_trace = 0x004;
inline constexpr std::uint32_t psm_key = 0x008;
inline constexpr std::uint32_t ignore_keyword_0 = 0x010;
inline constexpr std::uint32_t provider_group = 0x020;
inline constexpr std::uint32_t enable_keyword_0 = 0x040;
inline constexpr std::uint32_t process_start_key = 0x080;
inline constexpr std::uint32_t event_key = 0x100;
inline constexpr std::uint32_t exclude_in_private = 0x200;
} // namespace enable_property

/// EVENT_FILTER_DESCRIPTOR: type and bytes, laid out as on Windows. The parsed parts are checked
/// when the provider is enabled. docs/sessions.md#filters
struct Filter {
    std::uint32_t type = 0; // filter_type; values below 0x80000000 are provider-defined
    std::vector<std::byte> data{};
};

/// EVENT_FILTER_TYPE_xxx.
namespace filter_type {
inline constexpr std::uint32_t schematized = 0x80000000;
inline constexpr std::uint32_t system_flags = 0x80000001;
inline constexpr std::uint32_t trace_handle = 0x80000002;
inline constexpr std::uint32_t pid = 0x80000004;
inline constexpr std::uint32_t executable_name = 0x80000008;
inline constexpr std::uint32_t package_id = 0x80000010;
inline constexpr std::uint32_t package_app_id = 0x80000020;
inline constexpr std::uint32_t payload = 0x80000100;
inline constexpr std::uint32_t event_id = 0x80000200;
inline constexpr std::uint32_t event_name = 0x80000400;
inline constexpr std::uint32_t stack_walk = 0x80001000;
inline constexpr std::uint32_t stack_walk_name = 0x80002000;
inline constexpr std::uint32_t stack_walk_level_keyword = 0x80004000;
} // namespace filter_type

/// Return common filters: events of these processes or executables, only these events, all other
/// events.
Filter make_process_filter(const std::vector<std::uint32_t>& ids);
Filter make_executable_filter(std::string_view names); // separated by ';'
Filter make_event_filter(const std::vector<std::uint16_t>& ids);
Filter make_event_exclusion_filter(const std::vector<std::uint16_t>& ids);

enum class Control : std::uint8_t { disable = 0, enable = 1, capture_state = 2 };

struct EnableOptions {
    std::uint8_t level = 0;      // 0 and 255: all
    std::uint64_t match_any = 0; // 0: all
    std::uint64_t match_all = 0;
    std::uint32_t property = 0;
    Guid source{};                 // source ID passed to the provider's callback
    std::vector<Filter> filters{}; // replace the previous filters
    /// Machine sessions: reaches processes of this user only. Set by the host.
    std::optional<std::uint32_t> only_user{};
    /// Maximum time to wait for callbacks; none: no limit; 0: do not wait.
    std::optional<std::chrono::milliseconds> timeout = std::chrono::milliseconds(0);
};

/// The argument of a provider's callback. Valid during the call.
struct EnableNotification {
    Guid source;
    std::uint32_t is_enabled = 0; // 0, 1; 2: capture state
    std::uint8_t level = 0;       // aggregate of all sessions
    std::uint64_t match_any = 0, match_all = 0;
    const Filter* filter = nullptr; // schematized filter of the calling session, or null
    std::uint64_t session_bit = 0;  // bit of that session, for WriteOptions::excluded_sessions
};

/// Callback of a provider. Runs on the enabling thread if that waits without a limit, otherwise on
/// a thread of the runtime; one call at a time per registration, in order. May write events,
/// register, and unregister. Must not start, control, or enable sessions (possible_deadlock), and
/// must not throw. docs/sessions.md#enabling
using EnableCallback = std::function<void(const EnableNotification&)>;

} // namespace etl::session
