// A file that is written beside the place where it will appear. What AtomicFile and AtomicFiles
// need of the operating system: new_file_posix.cpp, new_file_windows.cpp. Private to io.
#pragma once

#include <etl/io/writable_file.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace etl::io {

/// A real file to write to, over a descriptor or HANDLE that it owns from now on. `path` tells
/// which folder has to be synced with it.
std::unique_ptr<WritableFile> disk_file(std::string path, std::intptr_t handle);

/// Where a file belongs: behind symbolic links, which stay.
struct Target {
    enum class Kind : std::uint8_t { none, regular, folder, other };

    std::string path; // a link that points nowhere is replaced itself
    Kind kind = Kind::none;
    unsigned permissions = 0; // of what is there, where the system has such
};

Target target_of(const std::string& path);

/// Has no name where the system knows such files (Linux, on most file systems): nothing is left of
/// it when the program is killed. Elsewhere a hidden one. One thread.
class NewFile {
public:
    /// What it does once nobody writes to it any more. A file without a name lives in its handle.
    enum class Handle : std::uint8_t { keep, give_up };

    /// Empty, with the permissions of what is there, or else of a new file. Errors: not_found (the
    /// folder), io_failure.
    static Result<std::unique_ptr<NewFile>> beside(const Target& target);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    /// Takes it away, unless it has appeared.
    ~NewFile();

    /// Until close().
    WritableFile& file() noexcept { return *file_; }

    /// What replaces a file is synced first: its content must not be lost with the old one. With
    /// Handle::give_up it gets a hidden name if it has none yet. Errors: io_failure.
    Result<void> close(Handle handle);

    bool holds_handle() const noexcept { return handle_ != no_handle; }

    /// Puts it under its name in one step, in the place of what is there. Errors: io_failure.
    Result<void> appear();

private:
    static constexpr std::intptr_t no_handle = -1;

    NewFile(Target target, std::string hidden, std::unique_ptr<WritableFile> file,
            std::intptr_t handle);
    Result<void> name_it();

    Target target_;
    std::string hidden_; // its name for now; empty: none
    std::unique_ptr<WritableFile> file_;
    std::intptr_t handle_; // of a file without a name: file_'s own until close(), then ours
    bool is_closed_ = false;
};

} // namespace etl::io
