// What io needs of the operating system's files; os_file_posix.cpp and os_file_windows.cpp
// implement it. Private to io.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "io/input_file.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace etl::io {

/// An io_failure with what the system said of the call just made; not_found where that is the
/// reason.
Error os_error(const char* what) noexcept;

/// Makes the name of a file outlive a loss of power, as far as the system lets us: a folder that
/// cannot be synced is left to it.
void sync_folder_of(const std::string& path);

struct MappedRange;

/// A read-only view of a file's bytes; unmapped on destruction. Outlives the handle it was made
/// from.
class Mapping {
public:
    Mapping() = default;

    Mapping(Mapping&& other) noexcept
        : bytes_(std::exchange(other.bytes_, {})), file_(std::exchange(other.file_, none)),
          range_(std::exchange(other.range_, nullptr)) {}

    Mapping& operator=(Mapping&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(file_, other.file_);
        std::swap(range_, other.range_);
        return *this;
    }

    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping();

    Bytes bytes() const noexcept { return bytes_; }

    /// How many of them the file still has.
    std::size_t intact_size() const noexcept;

    /// Copies bytes at `offset`, by a system call if the file can still be asked. Returns how many
    /// of them there are.
    std::size_t read(std::size_t offset, MutableBytes into) const noexcept;

    /// See InputFile::advise.
    void advise(InputFile::Access access) const noexcept;

    /// Lets go of the whole pages inside this part; they come back when they are read again.
    void release(std::size_t offset, std::size_t size) const noexcept;

private:
    friend class OsFile;

    static constexpr std::intptr_t none = -1;

    explicit Mapping(Bytes bytes) : bytes_(bytes) {}

    Bytes bytes_;
    std::intptr_t file_ = none;    // to ask it; none: it cannot be asked
    MappedRange* range_ = nullptr; // for MappingGuard
};

class OsFile {
public:
    enum class Kind : std::uint8_t { regular, folder, stream };

    /// Errors: not_found, io_failure.
    static Result<OsFile> open_for_reading(const std::string& path);
    /// A file in $TMPDIR, else /tmp (the user's temporary folder on Windows) that has no name and
    /// ends with its handle. Errors: io_failure.
    static Result<OsFile> temporary();
    /// Where temporary() puts its files.
    static std::string temporary_folder();
    /// Descriptor 0, which stays open on destruction.
    static OsFile standard_input() noexcept;

    OsFile(OsFile&& other) noexcept
        : handle_(std::exchange(other.handle_, none)), owned_(other.owned_) {}

    OsFile& operator=(OsFile&&) = delete;
    OsFile(const OsFile&) = delete;
    OsFile& operator=(const OsFile&) = delete;
    ~OsFile();

    /// Another handle of the same file. Errors: io_failure.
    Result<OsFile> duplicate() const noexcept;

    /// Gives the handle away.
    std::intptr_t release() noexcept { return std::exchange(handle_, none); }

    Result<Kind> kind() const noexcept;
    enum class Privacy : std::uint8_t { others_can_access, of_another_user, is_private };

    /// Private: it belongs to this user or the superuser, nobody else may write it, and not
    /// everybody may read it. Windows: always, since the folder of a user is their own.
    Privacy privacy() const noexcept;
    /// Where the next read begins; 0 for what has no position.
    std::uint64_t position() const noexcept;
    /// At least one byte, or 0 at the end.
    Result<std::size_t> read(MutableBytes into) const noexcept;
    /// Waits until read() would not wait, at the end and after a failure too. False: nothing came
    /// within `timeout`, or a signal was handled.
    Result<bool> wait(std::chrono::milliseconds timeout) const noexcept;
    /// All that is there at `where`, or as much as `into` holds; regular files only. Moves no
    /// position on POSIX.
    Result<std::size_t> read_at(FileOffset where, MutableBytes into) const noexcept;
    /// Returns the current size of a regular file.
    Result<std::uint64_t> size() const noexcept;
    /// Returns when a regular file was changed last, in the system's unit; nothing: unknown.
    std::optional<std::int64_t> changed() const noexcept;
    /// Writes all of `bytes`.
    Result<void> write(Bytes bytes) const noexcept;
    /// All that a regular file holds now.
    Result<Mapping> map() const noexcept;

private:
    enum class Owned : std::uint8_t { no, yes };
    static constexpr std::intptr_t none = -1;

    OsFile(std::intptr_t handle, Owned owned) noexcept : handle_(handle), owned_(owned) {}

    std::intptr_t handle_; // a descriptor, or a HANDLE
    Owned owned_;
};

} // namespace etl::io
