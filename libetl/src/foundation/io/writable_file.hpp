// Files that traces are written to, with positioned, unbuffered writes. Not thread-safe. Errors
// contain the OS error in os_code and the file offset in `where`.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace etl::io {

class WritableFile {
public:
    virtual ~WritableFile() = default;

    /// Writes all of `bytes` at `where`, or fails; a part of them may then be in the file. Writing
    /// after the end fills the gap with zeros. A pipe or terminal accepts bytes only in order,
    /// without gaps. Errors: io_failure.
    virtual Result<void> write_at(FileOffset where, Bytes bytes) = 0;

    /// Reads up to the size of `to`. Returns the number of bytes read; 0 for a device or pipe.
    /// Errors: io_failure.
    virtual Result<std::size_t> read_at(FileOffset where, MutableBytes to) = 0;

    /// Returns the size in bytes; 0 for a device or pipe, which resize and allocate do not change.
    /// Errors: io_failure.
    virtual Result<std::uint64_t> size() = 0;

    /// Truncates or extends the file to `size` bytes; new bytes are zero. Errors: io_failure.
    virtual Result<void> resize(std::uint64_t size) = 0;

    /// Resizes the file to `size` bytes and reserves the space, so that writing inside it cannot
    /// fail because the disk is full; if the file system does not support reservations, only
    /// resizes it. Bytes within `size` are kept. Errors: io_failure; the file is unchanged then.
    virtual Result<void> allocate(std::uint64_t size) = 0;

    /// Returns true for a pipe or terminal: it accepts bytes only in order, and written bytes
    /// cannot be changed.
    virtual bool is_stream() const noexcept { return false; }

    /// Waits until everything written would survive a power loss. Errors: io_failure.
    virtual Result<void> sync() = 0;

    /// Closes the file; nothing may be called afterwards. Destruction also closes it, ignoring
    /// failures.
    virtual Result<void> close() = 0;
};

/// Creates files: on disk, in memory, or on a simulated failing disk.
class FileFactory {
public:
    enum class Open : std::uint8_t {
        replace,  // create, replacing any existing content
        existing, // must exist; its content is kept
    };

    virtual ~FileFactory() = default;
    /// Opens a file. A device or pipe is opened without being replaced. Errors: not_found (the
    /// directory; or the file, with Open::existing), io_failure (including is_in_use), unsupported
    /// (Open::existing if files can only be replaced as a whole; Open::replace does not touch the
    /// existing file then).
    virtual Result<std::unique_ptr<WritableFile>> open(const std::string& path, Open how) = 0;

    /// Removes a file created by open() that is not needed; for a symbolic link, its target. The
    /// file must not be open. Errors: not_found, io_failure; unsupported if files cannot be
    /// removed.
    virtual Result<void> remove(const std::string& /*path*/) {
        return fail(ErrorCode::unsupported, "remove");
    }
};

/// Returns whether FileFactory::open failed because another writer has the file open.
bool is_in_use(const Error& error) noexcept;

/// Returns the factory for files on disk. Stateless; thread-safe. A regular file has one writer at
/// a time, across processes: while it is open, open fails with is_in_use and does not touch the
/// file. Readers are not affected. The lock ends when the file is closed or the process ends; a
/// forked child does not hold it. File systems without locks provide no locking. The library does
/// not handle signals: a program that must survive the file size limit calls
/// ignore_file_size_signal (io/output_file.hpp), and one that writes to pipes calls
/// ignore_closed_pipes.
FileFactory& disk() noexcept;

/// Files on disk that appear under their names only on commit(). Until then each is in the target
/// directory: unnamed if the system supports it (nothing then remains even if the program is
/// killed), otherwise named `.etl-*.tmp`. Existing files are replaced, not truncated: readers and
/// other hard links keep the old content. A symbolic link is kept and its target replaced. A file
/// without write permission is not replaced. Replaced files keep their permissions and, if
/// permitted, their owner and group; otherwise the set-user-ID and set-group-ID bits are cleared.
/// Access control lists and extended attributes are not kept. Devices and pipes are opened
/// directly. Destruction without commit() removes the new files. Opened files must not outlive this
/// object. Not thread-safe.
class AtomicFiles final : public FileFactory {
public:
    AtomicFiles();
    ~AtomicFiles() override;

    /// Discards a file opened earlier under this name, in any spelling.
    Result<std::unique_ptr<WritableFile>> open(const std::string& path, Open how) override;
    /// Removes a file that has not been committed. Errors: not_found (also after commit()).
    Result<void> remove(const std::string& path) override;

    /// Makes the files appear under their names, in order of creation. All must be closed,
    /// otherwise none appears. Their content is durable before they appear, and their names when
    /// this returns. Errors: the first failure; files before it have appeared and remain, later
    /// ones are discarded: see committed_files().
    Result<void> commit();

    /// Returns the number of files that appeared in the last commit().
    std::size_t committed_files() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Files in memory, by path. Opened files must not outlive this object. Directories are not
/// supported.
class MemoryFiles final : public FileFactory {
public:
    /// Maximum file size; exceeding it fails with io_failure, as on a full disk.
    static constexpr std::uint64_t max_file = std::uint64_t{1} << 30U;

    Result<std::unique_ptr<WritableFile>> open(const std::string& path, Open how) override;
    Result<void> remove(const std::string& path) override;

    /// Returns the content written to each path.
    const std::map<std::string, std::vector<std::byte>>& files() const noexcept { return files_; }

    std::map<std::string, std::vector<std::byte>>& files() noexcept { return files_; }

private:
    std::map<std::string, std::vector<std::byte>> files_;
};

} // namespace etl::io
