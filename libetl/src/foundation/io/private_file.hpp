// Small files that are only their owner's, such as keys.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace etl::io {

/// Returns the content of a file of at most `max` bytes that belongs to this user or the
/// superuser, that nobody else may write, and that not everybody may read (a group may, for keys
/// that are shared). On Windows the rights are those of its folder, and are not checked. Errors:
/// not_found, io_failure; invalid_option (owner or rights; `what` tells); malformed (no regular
/// file); limit (larger).
Result<std::vector<std::byte>> read_private_file(const std::string& path, std::size_t max);

/// Creates a file that only this user may read and write, with the directories that it needs. It
/// appears complete, and never replaces another: of two that make one at once, one fails. Errors:
/// io_failure (also if the name is taken).
Result<void> create_private_file(const std::string& path, Bytes content);

} // namespace etl::io
