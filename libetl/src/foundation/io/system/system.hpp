// Small matters of the process; system_posix.cpp and system_windows.cpp implement them. Private to
// io.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace etl::io {

/// Renames a file in one step, unless the new name is taken.
std::error_code rename_unless_taken(const std::string& from, const std::string& to);

/// Creates a directory with a new name in another one, which only this user can enter. Returns its
/// path; empty: it failed (os_error()).
std::string make_private_folder(const std::string& parent);

/// A locale whose characters are UTF-8. libarchive gives the names of members in the locale of the
/// calling thread, and in the "C" locale, in which a program starts, it loses all letters beyond
/// ASCII.
class Utf8Locale {
public:
    Utf8Locale();
    ~Utf8Locale();
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;

    /// Holds for the calling thread while it lives.
    class Use {
    public:
        explicit Use(const Utf8Locale& locale) noexcept;
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

    private:
        void* before_;
    };

private:
    void* locale_; // null where there is none; names then lose letters, nothing else
};

// UTF-8 text to the system's paths and back.

/// Keeps the bytes on POSIX; converts UTF-8 to UTF-16 on Windows.
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
