// Files over descriptors, their locks, and which addresses are mapped. Private to io, POSIX only.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "io/writable_file.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace etl::io {

// Files over descriptors that were opened in different ways.

/// Opens a file to write to, without changing it; with `replace`, it is created if it is missing.
/// Returns a descriptor, or -1 (errno).
int open_to_write(const std::string& path, FileFactory::Open how);

/// A file over a descriptor, which it owns from now on, also on failure. A regular file is locked;
/// with `replace` it is then empty. `path` is where the file was found, or empty if that is not
/// known here. Errors: io_failure (also is_in_use).
Result<std::unique_ptr<WritableFile>> file_over(const std::string& path, int descriptor,
                                                FileFactory::Open how);

// FileLock: keeps others from writing to a file that is being written, in this process and in
// others; readers do not notice it. POSIX only: on Windows the share mode of the handle does it.

/// Held by the process that took it, until it is destroyed or the process ends, however that comes
/// about. A child of a fork does not hold it and cannot release it: its copy of the descriptor is
/// another open file. Any thread.
class FileLock {
public:
    /// No lock.
    FileLock() = default;

    /// Locks the regular file at `path`, which is open for writing as `descriptor`; it stays open
    /// until release(). An empty path: another process opened it. Where the file system has no
    /// locks the result is none. Errors: io_failure (is_in_use; also if the file has been removed,
    /// or there is another one at `path` by now).
    static Result<FileLock> take(const std::string& path, int descriptor);

    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    ~FileLock() { release(); }

    /// Before the descriptor is closed. Does nothing the second time.
    void release() noexcept;

private:
    explicit FileLock(std::uint64_t id) noexcept : id_(id) {}

    std::uint64_t id_ = 0; // of the locks that this process has taken; 0: none
};

// Which addresses are mapped files, for the handler of MappingGuard.

/// One mapping. Never freed, because the handler may look at it at any moment, but used again.
struct MappedRange {
    std::atomic<std::uint64_t> version{0}; // odd while the next two change
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};
    std::atomic<std::uint64_t> readable{0}; // from `begin` on; the handler lowers it
    MappedRange* next = nullptr;
    std::atomic<bool> is_taken{false};
};

/// Makes a mapping known. Null when there is no memory: it is then not guarded. Any thread.
MappedRange* enter_mapping(Bytes bytes) noexcept;

/// Call before it is unmapped.
void leave_mapping(MappedRange* range) noexcept;

} // namespace etl::io
