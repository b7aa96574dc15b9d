// From what a user typed to the files meant: paths, folders, globs. Pure functions; any thread.
#pragma once

#include <etl/base/function_ref.hpp>
#include <etl/base/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::io {

enum class Recursion : std::uint8_t { no, yes };

/// Says of a file's name, without its folder, whether it is meant.
using NamePredicate = FunctionRef<bool(std::string_view file_name)>;

/// Expands one argument: `-` stays as it is, a file is itself, a folder gives its files (of all
/// folders below it with Descend::yes) that are `wanted` by their name without folder; a pattern
/// with `*` or `?` in its last part that names no file gives all files that match it. Sorted by
/// name. A folder may give nothing. Errors: not_found, io_failure, limit (limits::directory_depth).
Result<std::vector<std::string>> find_files(const std::string& argument, Recursion recursion,
                                            NamePredicate wanted);

bool is_directory(const std::string& path) noexcept;

/// True for a file with a content of its own, also through a link; not for folders, devices, pipes.
bool is_regular_file(const std::string& path) noexcept;

/// True when both are there and the same, by whatever names.
bool is_same_file(const std::string& a, const std::string& b) noexcept;

/// Which file it is, whatever its names, as long as it is there.
struct FileId {
    std::uint64_t volume = 0, file = 0;

    friend bool operator==(const FileId&, const FileId&) = default;
};

/// Nothing: there is no file, or the system does not say.
std::optional<FileId> file_id(const std::string& path) noexcept;

enum class StandardStream : std::uint8_t { input, output, error };

/// The regular file that a standard stream of this process is redirected from or to. Nothing: it is
/// a pipe, a terminal or another device, or it is closed.
std::optional<FileId> file_id(StandardStream stream) noexcept;

/// A device or a pipe: many may write to it.
bool is_device(const std::string& path) noexcept;

/// The path from the root of the file system, in the same words otherwise; as it is when the system
/// does not say where we are.
std::string full_path(const std::string& path);

/// The path from the root without links, as far as there is something; as it is when the system
/// does not say.
std::string real_path(const std::string& path);

/// The per-user folder for configuration (XDG_CONFIG_HOME or ~/.config; %APPDATA% on Windows);
/// empty when unknown.
std::string user_config_directory();

/// An environment variable, or empty.
std::string environment(const char* name);

} // namespace etl::io
