// A file that is written beside the place where it will appear. What AtomicFile and AtomicFiles
// need of the operating system: new_file_posix.cpp, new_file_windows.cpp. Private to io.
#pragma once

#include "io/find_files.hpp"
#include "io/writable_file.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
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
    unsigned permissions = 0; // of what is there, where the system has such; as its owner:
    std::uint32_t user = 0;
    std::uint32_t group = 0;
};

Target target_of(const std::string& path);

/// Has no name where the system knows such files (Linux, on most file systems): nothing is left of
/// it when the program is killed. Elsewhere a hidden one. One thread.
class NewFile {
public:
    /// What it does once nobody writes to it any more. A file without a name lives in its handle.
    enum class Handle : std::uint8_t { keep, give_up };

    /// `usual`: with the permissions and the owner of what is there, or else of a new file;
    /// `only_owner`: nobody else may read or write it.
    enum class Rights : std::uint8_t { usual, only_owner };

    /// Empty. Errors: not_found (the folder), io_failure (also: what is there may not be written
    /// to).
    static Result<std::unique_ptr<NewFile>> beside(const Target& target,
                                                   Rights rights = Rights::usual);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    /// Takes it away, unless it has appeared.
    ~NewFile();

    /// Valid until close().
    WritableFile& file() noexcept { return *file_; }

    /// With Handle::give_up it gets a hidden name if it has none yet. Errors: io_failure.
    Result<void> close(Handle handle);

    /// Its content outlives a loss of power from now on. Once closed. Errors: io_failure.
    Result<void> sync();

    /// Gives it a hidden name now, by which a library can open it. Windows: also closes it, since
    /// others cannot open it before.
    Result<void> share();

    /// Its name for now; empty: none.
    const std::string& hidden() const noexcept { return hidden_; }

    /// Whether the hidden name is still that of this file, and no link. While it is open, no other
    /// file can have its identity. Windows: true.
    bool is_in_place() const noexcept;

    bool is_closed() const noexcept { return is_closed_; }

    bool holds_handle() const noexcept { return handle_ != no_handle; }

    /// What becomes of a file that has the name already.
    enum class Taken : std::uint8_t { replaced, kept };

    /// Puts it under its name in one step. Whoever calls it syncs the folder. Errors: io_failure
    /// (Taken::kept: also if the name is taken).
    Result<void> appear(Taken taken = Taken::replaced);

    const Target& target() const noexcept { return target_; }

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
    FileId identity_; // on POSIX
};

// What new files take from those that they are made of (inherit_rights).

struct Inherited {
    unsigned permissions = 0;                // of a file of `group`
    unsigned permissions_of_other_group = 0; // of one of another group
    std::optional<std::uint32_t> user, group;
    std::optional<std::filesystem::file_time_type> time; // of the last change
};

/// Nothing: new files are as usual.
std::optional<Inherited> inherited();

/// Gives a file, which nobody else can open yet, its owner, group, and permissions.
void inherit(int descriptor, const Inherited& from) noexcept;

/// Gives a file that nobody writes to any more its time.
void inherit_time(const std::filesystem::path& file);

} // namespace etl::io
