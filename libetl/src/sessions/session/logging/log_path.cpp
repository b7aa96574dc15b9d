#include "session/logging/log_path.hpp"

#include "trace/log_file.hpp"

#include <algorithm>
#include <string_view>

namespace etl::session {

bool is_one_of_series(std::string_view file, std::string_view series) {
    const std::size_t number_at = trace::find_series_number(series);
    if (number_at == std::string_view::npos) {
        return false;
    }
    const std::string_view head = series.substr(0, number_at);
    const std::string_view tail = series.substr(number_at + 2);
    if (file.size() <= head.size() + tail.size() || !file.starts_with(head) ||
        !file.ends_with(tail)) {
        return false;
    }
    const auto number = file.substr(head.size(), file.size() - head.size() - tail.size());
    return std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_on_disk(const io::FileFactory* files) {
    return files == nullptr || files == &io::disk();
}

std::string full_path(const std::string& file, const io::FileFactory* files) {
    if (file.empty() || !is_on_disk(files)) {
        return file;
    }
    return io::full_path(file);
}

std::string buffers_path(const std::string& file) {
    return file + ".buffers";
}

LogPath LogPath::of(const std::string& file, const io::FileFactory* files) {
    if (file.empty() || !is_on_disk(files)) {
        return {.files = files, .path = file};
    }
    LogPath path{.files = nullptr, .path = io::real_path(file)};
    path.id = io::file_id(path.path);
    path.is_device = io::is_device(path.path);
    return path;
}

bool LogPath::meets(const LogPath& other) const noexcept {
    if (path.empty() || other.path.empty() || files != other.files || is_device ||
        other.is_device) {
        return false;
    }
    return path == other.path || (id && id == other.id) || is_one_of_series(other.path, path) ||
           is_one_of_series(path, other.path);
}

} // namespace etl::session
