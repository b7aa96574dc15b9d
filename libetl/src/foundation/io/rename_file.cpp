#include "io/rename_file.hpp"

#include "io/system/system.hpp"

#include <filesystem>
#include <system_error>

namespace etl::io {

bool exists(const std::string& path) noexcept {
    std::error_code gone;
    return std::filesystem::exists(std::filesystem::symlink_status(to_path(path), gone));
}

Result<void> rename_file(const std::string& from, const std::string& to) {
    const std::error_code code = rename_unless_taken(from, to);
    if (!code) {
        return {};
    }
    Error error{code == std::errc::no_such_file_or_directory ? ErrorCode::not_found
                                                             : ErrorCode::io_failure,
                "rename"};
    error.os_code = code.value();
    return std::unexpected(error);
}

} // namespace etl::io
