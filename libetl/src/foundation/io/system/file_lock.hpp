// FileLock: keeps others from writing to a file that is being written, in this process and in
// others; readers do not notice it. POSIX only: on Windows the share mode of the handle does it.
// Private to io.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>

namespace etl::io {

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

} // namespace etl::io
