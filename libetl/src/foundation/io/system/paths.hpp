// UTF-8 text to the system's paths and back. Private to io.
#pragma once

#include <filesystem>
#include <string>

namespace etl::io {

/// On POSIX the bytes as they are; on Windows UTF-8 to UTF-16.
inline std::filesystem::path to_path(const std::string& text) {
#ifdef _WIN32
    return std::filesystem::path(std::u8string(text.begin(), text.end()));
#else
    return {text};
#endif
}

inline std::string to_text(const std::filesystem::path& path) {
#ifdef _WIN32
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
#else
    return path.native();
#endif
}

} // namespace etl::io
