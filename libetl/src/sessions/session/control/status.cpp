#include <etl/session.hpp>

#include <fmt/format.h>

#include <system_error>

namespace etl::session {

std::string_view name(Status status) noexcept {
    switch (status) {
    case Status::success:
        return "ERROR_SUCCESS";
    case Status::invalid_function:
        return "ERROR_INVALID_FUNCTION";
    case Status::path_not_found:
        return "ERROR_PATH_NOT_FOUND";
    case Status::access_denied:
        return "ERROR_ACCESS_DENIED";
    case Status::invalid_handle:
        return "ERROR_INVALID_HANDLE";
    case Status::not_enough_memory:
        return "ERROR_NOT_ENOUGH_MEMORY";
    case Status::outofmemory:
        return "ERROR_OUTOFMEMORY";
    case Status::bad_length:
        return "ERROR_BAD_LENGTH";
    case Status::gen_failure:
        return "ERROR_GEN_FAILURE";
    case Status::sharing_violation:
        return "ERROR_SHARING_VIOLATION";
    case Status::not_supported:
        return "ERROR_NOT_SUPPORTED";
    case Status::invalid_parameter:
        return "ERROR_INVALID_PARAMETER";
    case Status::disk_full:
        return "ERROR_DISK_FULL";
    case Status::insufficient_buffer:
        return "ERROR_INSUFFICIENT_BUFFER";
    case Status::invalid_name:
        return "ERROR_INVALID_NAME";
    case Status::bad_pathname:
        return "ERROR_BAD_PATHNAME";
    case Status::already_exists:
        return "ERROR_ALREADY_EXISTS";
    case Status::more_data:
        return "ERROR_MORE_DATA";
    case Status::arithmetic_overflow:
        return "ERROR_ARITHMETIC_OVERFLOW";
    case Status::noaccess:
        return "ERROR_NOACCESS";
    case Status::io_device:
        return "ERROR_IO_DEVICE";
    case Status::possible_deadlock:
        return "ERROR_POSSIBLE_DEADLOCK";
    case Status::cancelled:
        return "ERROR_CANCELLED";
    case Status::file_corrupt:
        return "ERROR_FILE_CORRUPT";
    case Status::no_system_resources:
        return "ERROR_NO_SYSTEM_RESOURCES";
    case Status::timeout:
        return "ERROR_TIMEOUT";
    case Status::incorrect_size:
        return "ERROR_INCORRECT_SIZE";
    case Status::log_file_full:
        return "ERROR_LOG_FILE_FULL";
    case Status::invalid_time:
        return "ERROR_INVALID_TIME";
    case Status::active_connections:
        return "ERROR_ACTIVE_CONNECTIONS";
    case Status::wmi_guid_not_found:
        return "ERROR_WMI_GUID_NOT_FOUND";
    case Status::wmi_instance_not_found:
        return "ERROR_WMI_INSTANCE_NOT_FOUND";
    case Status::ctx_close_pending:
        return "ERROR_CTX_CLOSE_PENDING";
    }
    return {};
}

namespace {

ErrorCode code_of(Status status) noexcept {
    switch (status) {
    case Status::success:
        return ErrorCode::none;
    case Status::path_not_found:
    case Status::wmi_guid_not_found:
    case Status::wmi_instance_not_found:
        return ErrorCode::not_found;
    case Status::not_enough_memory:
    case Status::outofmemory:
    case Status::no_system_resources:
    case Status::arithmetic_overflow:
    case Status::more_data:
    case Status::timeout:
    case Status::log_file_full:
        return ErrorCode::limit;
    case Status::access_denied:
    case Status::gen_failure:
    case Status::sharing_violation:
    case Status::disk_full:
    case Status::io_device:
        return ErrorCode::io_failure;
    case Status::invalid_function:
    case Status::not_supported:
        return ErrorCode::unsupported;
    case Status::file_corrupt:
        return ErrorCode::malformed;
    case Status::invalid_handle:
    case Status::bad_length:
    case Status::invalid_parameter:
    case Status::insufficient_buffer:
    case Status::invalid_name:
    case Status::bad_pathname:
    case Status::already_exists:
    case Status::noaccess:
    case Status::possible_deadlock:
    case Status::cancelled:
    case Status::incorrect_size:
    case Status::invalid_time:
    case Status::active_connections:
    case Status::ctx_close_pending:
        break;
    }
    return ErrorCode::invalid_option;
}

} // namespace

Failure::operator Error() const noexcept {
    return {.code = code_of(status), .what = what, .os_code = os_code};
}

std::string describe(const Failure& failure) {
    const auto number = static_cast<std::uint32_t>(failure.status);
    const std::string_view known = name(failure.status);
    std::string text =
        known.empty() ? fmt::format("error {}", number) : fmt::format("{} ({})", known, number);
    if (!failure.file.empty()) {
        text += fmt::format(": {}", failure.file);
    }
    if (*failure.what != '\0') {
        text += fmt::format(": {}", failure.what);
    }
    if (failure.os_code != 0) {
        text += fmt::format(": {}", std::system_category().message(failure.os_code));
    }
    return text;
}

} // namespace etl::session
