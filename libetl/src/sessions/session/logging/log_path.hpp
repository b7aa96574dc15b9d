// LogPath: which file a session writes, so that no two sessions write the same.
// docs/sessions.md#files
#pragma once

#include <etl/error.hpp>
#include <etl/session.hpp>

#include "io/find_files.hpp"
#include "io/writable_file.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace etl::session {

bool is_on_disk(const io::FileFactory* files);

/// Returns the path from the root of the file system, as sessions keep it; `file` as it is if that
/// cannot be found, or if the file is not on the disk.
std::string full_path(const std::string& file, const io::FileFactory* files);

/// Where a session's mapped buffers lie, beside its file. docs/repair.md
std::string buffers_path(const std::string& file);

/// Whether `series` is one (`%d`), and `file` one of the files that it makes.
bool is_one_of_series(std::string_view file, std::string_view series);

struct LogPath {
    const io::FileFactory* files = nullptr; // null: the disk
    std::string path;                       // links followed; empty: no file
    std::optional<io::FileId> id{};         // of a file that was there on the disk
    bool is_device = false;                 // or a pipe

    /// Asks the system: not with a lock held.
    static LogPath of(const std::string& file, const io::FileFactory* files);

    /// Whether both may write to one file: the same, or one of a series and that series. Devices
    /// and pipes are shared. Only compares.
    bool meets(const LogPath& other) const noexcept;
};

// What the disk says, in the words of Win32. docs/sessions.md#status

Failure failure_of(const Error& error) noexcept;

} // namespace etl::session
