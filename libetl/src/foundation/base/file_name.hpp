// The file name in a path, and names of files to write.
#pragma once

#include <string>
#include <string_view>

namespace etl {

inline constexpr std::string_view path_separators = "/\\";

/// For paths of Windows only: `C:name` is a file in the current directory of a drive.
inline constexpr std::string_view path_separators_and_drive = "/\\:";

/// Returns what follows the last separator: traces hold paths of Windows on any system.
constexpr std::string_view file_name_of(std::string_view path,
                                        std::string_view separators = path_separators) noexcept {
    return path.substr(path.find_last_of(separators) + 1); // npos + 1 = 0: without one, all of it
}

/// Returns a name that comes from a trace as the name of a file, safe on all systems and in a
/// shell's argument list: UTF-8, without separators, control characters, and marks that reorder
/// text; not beginning with `-` or `.`, not ending with a dot or blank, and not the name of a
/// device of Windows.
/// `_` replaces what is not safe, or precedes the name.
std::string safe_file_name(std::string_view name);

} // namespace etl
