#include "session/logging/log_path.hpp"

#include "io/writable_file.hpp"
#include "trace/log_file.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>

namespace etl::session {

bool is_one_of_series(std::string_view file, std::string_view series) {
    const std::size_t number_at = trace::find_series_number(series);
    if (number_at == std::string_view::npos) {
        return false;
    }
    const std::string_view head = series.substr(0, number_at);
    const std::string_view tail = series.substr(number_at + 2);
    if (file.size() <= head.size() + tail.size() || !file.starts_with(head) ||
        !file.ends_with(tail)) {
        return false;
    }
    const auto number = file.substr(head.size(), file.size() - head.size() - tail.size());
    return std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_on_disk(const io::FileFactory* files) {
    return files == nullptr || files == &io::disk();
}

std::string full_path(const std::string& file, const io::FileFactory* files) {
    if (file.empty() || !is_on_disk(files)) {
        return file;
    }
    return io::full_path(file);
}

std::string buffers_path(const std::string& file) {
    return file + ".buffers";
}

LogPath LogPath::of(const std::string& file, const io::FileFactory* files) {
    if (file.empty() || !is_on_disk(files)) {
        return {.files = files, .path = file};
    }
    LogPath path{.files = nullptr, .path = io::real_path(file)};
    path.id = io::file_id(path.path);
    path.is_device = io::is_device(path.path);
    return path;
}

bool LogPath::meets(const LogPath& other) const noexcept {
    if (path.empty() || other.path.empty() || files != other.files || is_device ||
        other.is_device) {
        return false;
    }
    return path == other.path || (id && id == other.id) || is_one_of_series(other.path, path) ||
           is_one_of_series(path, other.path);
}

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
    case ErrorCode::stopped:
    case ErrorCode::none:
        failure.status =
            io::is_in_use(error) ? Status::bad_pathname : status_of_system(error.os_code);
        break;
    }
    return failure;
}

} // namespace etl::session
