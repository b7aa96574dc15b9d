// Giving a file another name.
#pragma once

#include <etl/error.hpp>

#include <string>

namespace etl::io {

/// Returns whether the name is taken, also by a link to nothing.
bool exists(const std::string& path) noexcept;

/// Gives a file another name in the same file system. Never replaces a file: of two that ask for
/// one name at once, one fails. Errors: not_found, io_failure (os_code: EEXIST,
/// ERROR_ALREADY_EXISTS if the name is taken).
Result<void> rename_file(const std::string& from, const std::string& to);

} // namespace etl::io
