// Files to write at given places: what traces are written to. Positions are in every call; nothing
// is buffered. One thread. An error says in os_code what the system said, and in `where` the place
// in the file that it is about.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace etl::io {

class WritableFile {
public:
    virtual ~WritableFile() = default;

    /// Writes all of `bytes` at `where`, or fails; then a part of them may be in the file. Writing
    /// behind the end leaves zeros between. A pipe or a terminal takes bytes in order only, without
    /// a gap. Errors: io_failure.
    virtual Result<void> write_at(FileOffset where, Bytes bytes) = 0;

    /// Reads what is there, up to all of `to`; the result is how many bytes, 0 for a device or a
    /// pipe. Errors: io_failure.
    virtual Result<std::size_t> read_at(FileOffset where, MutableBytes to) = 0;

    /// In bytes; 0 for a device or a pipe, which resize and allocate leave as it is. Errors:
    /// io_failure.
    virtual Result<std::uint64_t> size() = 0;

    /// Cuts or lengthens the file to `size` bytes; new ones are zero. Errors: io_failure.
    virtual Result<void> resize(std::uint64_t size) = 0;

    /// Makes the file `size` bytes long and makes sure of the room for them, so that writing inside
    /// cannot fail for want of it; where the file system knows no reservations it only gets that
    /// size. As with resize, what lies within `size` stays. Errors: io_failure; the file is as it
    /// was then.
    virtual Result<void> allocate(std::uint64_t size) = 0;

    /// True of a pipe or a terminal: it takes bytes in order only, and nothing can be changed
    /// later.
    virtual bool is_stream() const noexcept { return false; }

    /// Returns when everything written will outlive a loss of power. Errors: io_failure.
    virtual Result<void> sync() = 0;

    /// Nothing may be called after it. Destruction closes, too, and tells nobody of a failure.
    virtual Result<void> close() = 0;
};

/// Where files are made: the disk, or memory, or a test's disk that fails.
class FileFactory {
public:
    enum class Open : std::uint8_t {
        replace,  // created; what was there is gone
        existing, // must be there; its content stays
    };

    virtual ~FileFactory() = default;
    /// A device or a pipe is opened as it is, and stays. Errors: not_found (the folder; or the
    /// file, with Open::existing), io_failure (also is_in_use), unsupported (Open::existing where
    /// files are replaced as a whole only; Open::replace leaves what is there alone then).
    virtual Result<std::unique_ptr<WritableFile>> open(const std::string& path, Open how) = 0;

    /// Takes away a file that open made and that came to nothing; through a symbolic link the file
    /// itself. Nobody may have it open. Errors: not_found, io_failure; unsupported where files
    /// stay.
    virtual Result<void> remove(const std::string& /*path*/) {
        return fail(ErrorCode::unsupported, "remove");
    }
};

/// Returns whether FileFactory::open failed because another writer has the file open.
bool is_in_use(const Error& error) noexcept;

/// Real files. Stateless: any thread. A regular file has one writer at a time, in this process and
/// in others: while one has it open, open fails with is_in_use and leaves the file alone. Readers
/// are not affected. The lock ends when the file is closed or the process ends; a child of a fork
/// does not hold it. File systems without locks have none. A program that must live on when a file
/// reaches the system's limit for sizes calls ignore_file_size_signal (io/output_file.hpp), and
/// ignore_closed_pipes when it writes to pipes: the library leaves signals alone.
FileFactory& disk() noexcept;

/// Real files that appear under their names only when commit() is called: until then each lies
/// beside its place, without a name where the system knows such files (then nothing is left of it
/// even when the program is killed), else as `.etl-*.tmp`. Files in the way are replaced, not
/// emptied: who reads one goes on reading it, and so does a hard link's other name. A symbolic link
/// stays one, what it points at is replaced. A file that may not be written to is not replaced.
/// They keep their permissions and, as far as the system lets us, their owner and group; when it
/// does not, set-user-id and set-group-id bits go. Access control lists and extended attributes do
/// not survive. Devices and pipes are opened as they are. Destruction without commit() takes away
/// what was made. The files it opens must not outlive it. One thread.
class AtomicFiles final : public FileFactory {
public:
    AtomicFiles();
    ~AtomicFiles() override;

    /// A file that was opened before under this name, however it was spelled, comes to nothing.
    Result<std::unique_ptr<WritableFile>> open(const std::string& path, Open how) override;
    /// Of a file that has not appeared yet. Errors: not_found, after commit() too.
    Result<void> remove(const std::string& path) override;

    /// Puts the files under their names, in the order they were made. All must be closed, or none
    /// appears. Their content is on the disk for good before they do, and their names when it
    /// returns. Errors: the first failure; the files before it have appeared and stay, those behind
    /// it are gone: committed_files() says how many.
    Result<void> commit();

    /// How many files the last commit() put under their names.
    std::size_t committed_files() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Files in memory, by path. The files it opens must not outlive it. There are no folders.
class MemoryFiles final : public FileFactory {
public:
    /// A file that would be larger fails with io_failure, as on a disk that is full.
    static constexpr std::uint64_t largest_file = std::uint64_t{1} << 30U;

    Result<std::unique_ptr<WritableFile>> open(const std::string& path, Open how) override;
    Result<void> remove(const std::string& path) override;

    /// What was written under each path.
    const std::map<std::string, std::vector<std::byte>>& files() const noexcept { return files_; }

    std::map<std::string, std::vector<std::byte>>& files() noexcept { return files_; }

private:
    std::map<std::string, std::vector<std::byte>> files_;
};

} // namespace etl::io
