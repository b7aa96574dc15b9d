// The file name in a path.
#pragma once

#include <string_view>

namespace etl {

/// Returns what follows the last separator, `/` or `\`: traces hold paths of Windows on any system.
constexpr std::string_view file_name_of(std::string_view path) noexcept {
    return path.substr(path.find_last_of("/\\") + 1); // npos + 1 = 0: without one, the whole path
}

} // namespace etl
