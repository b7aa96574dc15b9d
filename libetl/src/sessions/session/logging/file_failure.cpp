#include "session/logging/file_failure.hpp"

#include "io/writable_file.hpp"

#include <system_error>

namespace etl::session {

namespace {

Status status_of_system(int os_code) noexcept {
    const std::error_condition condition = std::system_category().default_error_condition(os_code);
    if (condition == std::errc::no_space_on_device || condition == std::errc::file_too_large) {
        return Status::disk_full;
    }
    if (condition == std::errc::no_such_file_or_directory ||
        condition == std::errc::not_a_directory) {
        return Status::path_not_found;
    }
    if (condition == std::errc::permission_denied ||
        condition == std::errc::operation_not_permitted ||
        condition == std::errc::read_only_file_system || condition == std::errc::is_a_directory) {
        return Status::access_denied;
    }
    if (condition == std::errc::file_exists) {
        return Status::already_exists;
    }
    if (condition == std::errc::filename_too_long || condition == std::errc::invalid_argument) {
        return Status::bad_pathname;
    }
    return Status::io_device;
}

} // namespace

Failure failure_of(const Error& error) noexcept {
    Failure failure{Status::io_device, error.what, error.os_code};
    switch (error.code) {
    case ErrorCode::not_found:
        failure.status = Status::path_not_found;
        break;
    case ErrorCode::limit:
        failure.status = Status::not_enough_memory;
        break;
    case ErrorCode::invalid_option:
    case ErrorCode::unsupported:
    case ErrorCode::malformed:
    case ErrorCode::truncated:
    case ErrorCode::not_a_trace:
    case ErrorCode::empty_file:
        failure.status = Status::invalid_parameter;
        break;
    case ErrorCode::io_failure:
    case ErrorCode::none:
        failure.status =
            io::is_in_use(error) ? Status::bad_pathname : status_of_system(error.os_code);
        break;
    }
    return failure;
}

} // namespace etl::session
