// Files by name: what the arguments of a user mean (paths, directories, globs), which file a path
// is, and giving a file another name. Thread-safe.
#pragma once

#include <etl/error.hpp>

#include "base/function_ref.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::io {

enum class Recursion : std::uint8_t { no, yes };

/// Selects files by name, without the directory.
using NamePredicate = FunctionRef<bool(std::string_view file_name)>;

/// Expands one argument: `-` and files are returned unchanged; a directory expands to its files
/// selected by `wanted` (including subdirectories with Recursion::yes); a pattern with `*` or `?`
/// in its last component that is not an existing file expands to all matching files. Sorted by
/// name. The result for a directory may be empty. Errors: not_found, io_failure, limit
/// (limits::directory_depth).
Result<std::vector<std::string>> find_files(const std::string& argument, Recursion recursion,
                                            NamePredicate wanted);

/// Returns the names of all entries of a directory, unsorted; empty if it cannot be read. Keeps at
/// most limits::directory_names.
std::vector<std::string> names_in(const std::string& directory);

bool is_directory(const std::string& path) noexcept;

/// Returns true for a regular file, also through a link; false for directories, devices, and pipes.
bool is_regular_file(const std::string& path) noexcept;

/// Returns whether both paths refer to the same existing file.
bool is_same_file(const std::string& a, const std::string& b) noexcept;

/// The identity of an existing file, independent of its names.
struct FileId {
    std::uint64_t volume = 0, file = 0;

    friend bool operator==(const FileId&, const FileId&) = default;
};

/// Returns nothing if the file does not exist or has no known ID.
std::optional<FileId> file_id(const std::string& path) noexcept;

enum class StandardStream : std::uint8_t { input, output, error };

/// Returns the regular file that a standard stream of this process is redirected from or to;
/// nothing for a pipe, a terminal, another device, or a closed stream.
std::optional<FileId> file_id(StandardStream stream) noexcept;

/// Returns whether the path is a device or pipe, which can have several writers.
bool is_device(const std::string& path) noexcept;

/// Returns the absolute path, otherwise unchanged; the path itself if the current directory is
/// unknown.
std::string full_path(const std::string& path);

/// Returns the absolute path with links resolved, as far as it exists; the path itself if that
/// fails.
std::string real_path(const std::string& path);

/// Returns the absolute path with the links of its directory resolved, but not one that it names.
std::string in_real_directory(const std::string& path);

/// Returns the per-user configuration directory (XDG_CONFIG_HOME or ~/.config; %APPDATA% on
/// Windows); empty if unknown.
std::string user_config_directory();

/// Returns the per-user directory of state that is worth keeping but not configuration, such as
/// histories (XDG_STATE_HOME or ~/.local/state; %LOCALAPPDATA% on Windows); empty if unknown.
std::string user_state_directory();

/// Returns the per-user directory of what can be made again (XDG_CACHE_HOME or ~/.cache;
/// %LOCALAPPDATA% on Windows); empty if unknown.
std::string user_cache_directory();

/// Returns an environment variable, or an empty text.
std::string environment(const char* name);

/// Returns whether the name is taken, also by a link to nothing.
bool exists(const std::string& path) noexcept;

/// Gives a file another name in the same file system. Never replaces a file: of two that ask for
/// one name at once, one fails. Errors: not_found, io_failure (os_code: EEXIST,
/// ERROR_ALREADY_EXISTS if the name is taken).
Result<void> rename_file(const std::string& from, const std::string& to);

} // namespace etl::io
