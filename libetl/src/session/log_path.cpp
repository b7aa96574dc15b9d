#include "session/log_path.hpp"

#include "session/start_checks.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace etl::session {

namespace {

namespace fs = std::filesystem;

fs::path to_path(const std::string& text) {
    return {std::u8string(text.begin(), text.end())};
}

std::string to_text(const fs::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

bool is_on_disk(const io::FileMaker* files) {
    return files == nullptr || files == &io::disk();
}

/// Whether `file` is one of the files that a series makes.
bool is_one_of(std::string_view file, std::string_view series) {
    const std::size_t percent = series.find('%');
    const std::string_view head = series.substr(0, percent);
    const std::string_view tail = series.substr(percent + 2);
    if (file.size() <= head.size() + tail.size() || !file.starts_with(head) ||
        !file.ends_with(tail)) {
        return false;
    }
    const auto number = file.substr(head.size(), file.size() - head.size() - tail.size());
    return std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
}

/// Devices and pipes can be written by many.
bool is_exclusive(const fs::path& path) {
    std::error_code error;
    const fs::file_type type = fs::status(path, error).type();
    return type == fs::file_type::regular || type == fs::file_type::not_found ||
           type == fs::file_type::none;
}

} // namespace

std::string full_path(const std::string& file, const io::FileMaker* files) {
    if (file.empty() || !is_on_disk(files)) {
        return file;
    }
    std::error_code error;
    const fs::path absolute = fs::absolute(to_path(file), error);
    if (error) {
        return file;
    }
    std::string text = to_text(absolute);
    return is_series_name(file) && !is_series_name(text) ? file : text;
}

std::string buffers_path(const std::string& file) {
    return file + ".buffers";
}

LogPath LogPath::of(const std::string& file, const io::FileMaker* files) {
    if (file.empty() || !is_on_disk(files)) {
        return {files, file};
    }
    std::error_code error;
    const fs::path real = fs::weakly_canonical(to_path(file), error);
    return {nullptr, error ? file : to_text(real)};
}

bool LogPath::meets(const LogPath& other) const {
    if (path.empty() || other.path.empty() || files != other.files) {
        return false;
    }
    const bool is_same = path == other.path ||
                         (is_series_name(path) && is_one_of(other.path, path)) ||
                         (is_series_name(other.path) && is_one_of(path, other.path));
    if (files != nullptr) {
        return is_same;
    }
    const fs::path here = to_path(path);
    if (is_same) {
        return is_exclusive(here);
    }
    std::error_code error;
    return fs::equivalent(here, to_path(other.path), error) && is_exclusive(here);
}

} // namespace etl::session
