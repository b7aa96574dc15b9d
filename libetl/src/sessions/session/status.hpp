// Results of calls: the status codes that the Windows functions return. docs/sessions.md#status
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace etl::session {

/// Win32 error codes, by the names of winerror.h without ERROR_.
enum class Status : std::uint32_t {
    success = 0,
    invalid_function = 1,
    path_not_found = 3,
    access_denied = 5,
    invalid_handle = 6,
    not_enough_memory = 8,
    outofmemory = 14,
    bad_length = 24,
    gen_failure = 31,
    sharing_violation = 32,
    not_supported = 50,
    invalid_parameter = 87,
    disk_full = 112,
    insufficient_buffer = 122,
    invalid_name = 123,
    bad_pathname = 161,
    already_exists = 183,
    more_data = 234,
    arithmetic_overflow = 534,
    noaccess = 998,
    io_device = 1117,
    possible_deadlock = 1131,
    cancelled = 1223,
    file_corrupt = 1392,
    no_system_resources = 1450,
    timeout = 1460,
    incorrect_size = 1462,
    log_file_full = 1502,
    invalid_time = 1901,
    active_connections = 2402,
    wmi_guid_not_found = 4200,
    wmi_instance_not_found = 4201,
    ctx_close_pending = 7007,
};

/// Returns "ERROR_INVALID_PARAMETER", ...; a code without a name returns "".
std::string_view name(Status status) noexcept;

/// The reason a call failed. `what` is a string literal that describes the violated rule.
struct Failure {
    Status status = Status::success;
    const char* what = "";
    int os_code = 0;    // errno or GetLastError, if a file operation failed
    std::string file{}; // a file that is in the way, where its path is not the caller's

    /// Converts to the error type of the other modules, so that an Outcome can be returned as a
    /// Result: not_found, limit (memory, time, or table entries are exhausted), io_failure,
    /// unsupported, malformed, otherwise invalid_option.
    // NOLINTNEXTLINE(google-explicit-constructor): nothing is lost that a Result could tell
    operator Error() const noexcept;
};

template <typename T>
using Outcome = std::expected<T, Failure>;

/// Returns "ERROR_INVALID_PARAMETER (87): a circular file needs a limit", with the file after the
/// number if there is one. One line, no newline.
std::string describe(const Failure& failure);

inline std::unexpected<Failure> refuse(Status status, const char* what, int os_code = 0) {
    return std::unexpected(Failure{status, what, os_code});
}

} // namespace etl::session
