// An input file as a view of bytes: mapped, decompressed to an unlinked temporary file and mapped,
// or in memory. Immutable; thread-safe.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "io/find_files.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::io {

class InputFile {
public:
    virtual ~InputFile() = default;

    /// Maps a file read-only; a pipe is first spooled to an unlinked temporary file. An empty file
    /// yields an empty view. If the file is truncated while mapped, reading beyond the new end
    /// raises SIGBUS, unless a MappingGuard exists. Errors: not_found, io_failure, limit (a pipe,
    /// limits::unpacked_bytes).
    static Result<std::shared_ptr<const InputFile>> map(const std::string& path);

    /// Creates an input file from bytes in memory; `name` is for messages.
    static std::shared_ptr<const InputFile> from_memory(std::vector<std::byte> bytes,
                                                        std::string name);

    /// Returns the content of the file. Valid as long as this object.
    Bytes bytes() const noexcept { return bytes_; }

    /// Returns how many of bytes() still exist: fewer if the file was truncated since it was
    /// mapped. Bytes beyond read as zeros or not at all. If many files are mapped, only the first
    /// are checked; for the others, truncation is known only after a MappingGuard encountered the
    /// end. Thread-safe; costs a system call.
    virtual std::uint64_t intact_size() const noexcept;

    /// Returns the name for messages: the path, `archive.zip:member.etl`, or `-`.
    const std::string& name() const noexcept { return name_; }

    /// Returns an error if the file was decompressed from damaged data: bytes() ends at the damage,
    /// or its checksum does not match. The offset refers to the compressed data.
    const std::optional<Error>& damage() const noexcept { return damage_; }

    /// The expected access pattern.
    enum class Access : std::uint8_t {
        random,     // a few bytes at scattered offsets: reading ahead would fetch the entire file
        sequential, // mostly sequential: read ahead
    };

    /// Advises the system about the expected access. Initially Access::sequential.
    virtual void advise(Access access) const noexcept;

    /// Advises the system that this part is not needed soon, which bounds resident memory. The
    /// bytes stay readable.
    virtual void release(FileOffset where, std::uint64_t size) const noexcept;

    /// Returns when the file had been changed last as it was opened, in the system's unit; nothing:
    /// it is no file of its own, or it is unknown.
    virtual std::optional<std::int64_t> changed() const noexcept { return std::nullopt; }

    /// Copies the bytes at `where`, without touching the mapping if the system can read them from
    /// the file. Returns how many: fewer than asked for at the end of the file. Thread-safe.
    virtual std::size_t read(FileOffset where, MutableBytes into) const noexcept;

    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

protected:
    InputFile(std::string name, Bytes bytes, std::optional<Error> damage = std::nullopt)
        : bytes_(bytes), name_(std::move(name)), damage_(damage) {}

private:
    Bytes bytes_;
    std::string name_;
    std::optional<Error> damage_;
};

} // namespace etl::io

namespace etl::io::limits {

/// Inputs that stay mapped; further ones are files on demand. Systems limit the mappings of a
/// process (65,530 on Linux), and each takes memory of the system.
inline constexpr std::size_t mapped_inputs = 1024;

/// Files on demand up to this size are read as a whole: mapping and unmapping them takes longer.
inline constexpr std::uint64_t small_file = 64U << 10U;

} // namespace etl::io::limits

namespace etl::io {

/// A file that holds no resources of the process until its content is needed, for inputs by the
/// thousand: the name and identity of a regular file. Immutable; thread-safe. bytes() is empty;
/// content() and read() open the file.
class FileOnDemand final : public InputFile {
public:
    explicit FileOnDemand(const std::string& path);

    /// Returns `file` if it is on demand, otherwise null.
    static const FileOnDemand* from(const InputFile& file) noexcept {
        return file.bytes().data() == &mark ? static_cast<const FileOnDemand*>(&file) : nullptr;
    }

    /// Returns the content: a copy of a small file (limits::small_file), otherwise a mapping.
    /// Errors: those of InputFile::map; not_found also if another file has taken its place.
    Result<std::shared_ptr<const InputFile>> content() const;

    /// Opens the file and reads that part. Nothing if it is gone, or another file has taken its
    /// place.
    std::size_t read(FileOffset where, MutableBytes into) const noexcept override;

    /// The current size of the file; 0 if it is gone.
    std::uint64_t intact_size() const noexcept override;

private:
    static const std::byte mark; // where bytes() is: the library is built without dynamic_cast

    std::optional<FileId> id_;
};

// Protection against the truncation of mapped files.
// docs/decisions/0010-mapped-files-that-shrink.md

/// While a guard exists, unreadable parts of a mapped InputFile (the file was truncated, or the
/// disk failed) read as zeros, and InputFile::intact_size() returns where they begin. Without a
/// guard, the process ends with SIGBUS. The guard installs a process-wide handler for that signal,
/// which passes on signals unrelated to an InputFile. Therefore only programs create guards, as
/// `etl` does; the library never does. No effect on Windows, where a mapped file cannot be
/// truncated. Thread-safe; guards can be nested.
class MappingGuard {
public:
    MappingGuard() noexcept;
    MappingGuard(const MappingGuard&) = delete;
    MappingGuard& operator=(const MappingGuard&) = delete;
    ~MappingGuard();
};

} // namespace etl::io
