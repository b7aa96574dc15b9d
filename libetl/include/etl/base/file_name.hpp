// The file name in a path.
#pragma once

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

} // namespace etl
