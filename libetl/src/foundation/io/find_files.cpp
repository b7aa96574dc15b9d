#include "io/find_files.hpp"

#include "base/text.hpp"
#include "io/limits.hpp"
#include "io/system/system.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace etl::io {

namespace {

namespace fs = std::filesystem;

Error failure(const std::error_code& code, const char* what) {
    const bool missing =
        code == std::errc::no_such_file_or_directory || code == std::errc::not_a_directory;
    Error error{missing ? ErrorCode::not_found : ErrorCode::io_failure, what};
    error.os_code = code.value();
    return error;
}

struct Folder {
    fs::path path;
    int depth; // below the one named
};

// Adds the files of one folder to `files` and its folders to `folders`.
Result<void> list(const Folder& folder, NamePredicate wanted, std::vector<std::string>& files,
                  std::vector<Folder>& folders) {
    std::error_code code;
    auto entry = fs::directory_iterator(folder.path, code);
    while (!code && entry != fs::directory_iterator()) {
        // An entry that is gone by now, or a link to nothing, is neither a file nor a folder.
        std::error_code gone;
        if (entry->is_regular_file(gone)) {
            if (wanted(to_text(entry->path().filename()))) {
                files.push_back(to_text(entry->path()));
            }
        } else if (entry->is_directory(gone) &&
                   !entry->is_symlink(gone)) { // links could go in circles
            folders.push_back({entry->path(), folder.depth + 1});
        }
        entry.increment(code);
    }
    if (code) {
        return std::unexpected(failure(code, "folder"));
    }
    return {};
}

Result<std::vector<std::string>> files_in(const fs::path& folder, Recursion recursion,
                                          NamePredicate wanted) {
    std::vector<std::string> files;
    std::vector<Folder> to_visit{{folder, 0}};
    while (!to_visit.empty()) {
        const Folder next = std::move(to_visit.back());
        to_visit.pop_back();
        if (next.depth > limits::directory_depth) {
            return fail(ErrorCode::limit, "depth of directories", {}, limits::directory_depth);
        }
        std::vector<Folder> below;
        if (const auto listed = list(next, wanted, files, below); !listed) {
            return std::unexpected(listed.error());
        }
        if (recursion == Recursion::yes) {
            std::ranges::move(below, std::back_inserter(to_visit));
        }
    }
    std::ranges::sort(files);
    return files;
}

Result<std::vector<std::string>> files_matching(const fs::path& pattern) {
    const std::string last = to_text(pattern.filename());
    if (last.find_first_of("*?") == std::string::npos) {
        return fail(ErrorCode::not_found, "no such file or directory");
    }
    const bool here = pattern.parent_path().empty();
    auto files = files_in(here ? fs::path(".") : pattern.parent_path(), Recursion::no,
                          [&](std::string_view name) { return matches_glob(last, name); });
    if (files && files->empty()) {
        return fail(ErrorCode::not_found, "no file matches the pattern");
    }
    if (files && here) { // the user wrote no folder
        for (std::string& file : *files) {
            file = to_text(to_path(file).filename());
        }
    }
    return files;
}

/// Where a directory of the user is named.
struct UserDirectory {
    const char* on_windows = nullptr; // variable of the environment
    const char* elsewhere = nullptr;  // the same, of the XDG base directories; counts if absolute
    const char* below_home = nullptr;
};

std::string user_directory([[maybe_unused]] const UserDirectory& directory) {
#ifdef _WIN32
    return environment(directory.on_windows);
#else
    if (std::string folder = environment(directory.elsewhere); folder.starts_with('/')) {
        return folder;
    }
    const std::string home = environment("HOME");
    return home.empty() ? home : home + directory.below_home;
#endif
}

} // namespace

Result<std::vector<std::string>> find_files(const std::string& argument, Recursion recursion,
                                            NamePredicate wanted) {
    if (argument == "-") {
        return std::vector{argument};
    }
    const fs::path path = to_path(argument);
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (fs::is_directory(status)) {
        return files_in(path, recursion, wanted);
    }
    if (fs::exists(status)) {
        return std::vector{argument};
    }
    if (status.type() != fs::file_type::not_found) {
        return std::unexpected(failure(code, "file"));
    }
    return files_matching(path);
}

std::vector<std::string> names_in(const std::string& directory) {
    std::vector<std::string> names;
    std::error_code code;
    auto entry = fs::directory_iterator(to_path(directory), code);
    for (; !code && entry != fs::directory_iterator() && names.size() < limits::directory_names;
         entry.increment(code)) {
        names.push_back(to_text(entry->path().filename()));
    }
    return names;
}

bool is_same_file(const std::string& a, const std::string& b) noexcept {
    const std::optional<FileId> id = file_id(a);
    return id && id == file_id(b);
}

std::string full_path(const std::string& path) {
    std::error_code code;
    const fs::path absolute = fs::absolute(to_path(path), code);
    return code ? path : to_text(absolute);
}

std::string real_path(const std::string& path) {
    // Of a relative path that does not exist weakly_canonical makes no absolute one.
    std::error_code code;
    const fs::path real = fs::weakly_canonical(to_path(full_path(path)), code);
    return code ? path : to_text(real);
}

std::string in_real_directory(const std::string& path) {
    const fs::path parts = to_path(full_path(path));
    return to_text(to_path(real_path(to_text(parts.parent_path()))) / parts.filename());
}

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::string user_config_directory() {
    return user_directory({"APPDATA", "XDG_CONFIG_HOME", "/.config"});
}

std::string user_state_directory() {
    return user_directory({"LOCALAPPDATA", "XDG_STATE_HOME", "/.local/state"});
}

std::string user_cache_directory() {
    return user_directory({"LOCALAPPDATA", "XDG_CACHE_HOME", "/.cache"});
}

bool exists(const std::string& path) noexcept {
    std::error_code gone;
    return std::filesystem::exists(std::filesystem::symlink_status(to_path(path), gone));
}

Result<void> rename_file(const std::string& from, const std::string& to) {
    const std::error_code code = rename_unless_taken(from, to);
    if (!code) {
        return {};
    }
    Error error{code == std::errc::no_such_file_or_directory ? ErrorCode::not_found
                                                             : ErrorCode::io_failure,
                "rename"};
    error.os_code = code.value();
    return std::unexpected(error);
}

} // namespace etl::io
