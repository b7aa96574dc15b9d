// Descriptor: an open file, socket, or piece of memory of the operating system, closed with its
// object. POSIX systems only.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace etl::host {

class Descriptor {
public:
    Descriptor() noexcept = default;

    /// Takes ownership.
    explicit Descriptor(int number) noexcept : number_(number) {}

    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, none)) {}

    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }

    ~Descriptor() { close(); }

    void close() noexcept;

    /// Gives ownership up.
    int release() noexcept { return std::exchange(number_, none); }

    int number() const noexcept { return number_; }

    explicit operator bool() const noexcept { return number_ != none; }

private:
    static constexpr int none = -1;
    int number_ = none;
};

/// Identifies the open file behind a descriptor number. A program can close numbers that it did not
/// open, and get them again for something else.
struct FileIdentity {
    std::uint64_t device = 0, file = 0;

    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Returns zeros if the number is not open. One system call.
FileIdentity identity_of(int descriptor) noexcept;

/// Returns a descriptor of nothing. A process that closes it has one to answer with when it may
/// have no more. Empty on failure.
Descriptor spare_descriptor() noexcept;

/// Opens the pipe or terminal of a passed descriptor anew, so that writing never waits: flags of
/// the passed one are shared with whoever passed it. Empty on failure (errno): also of a socket,
/// and of a pipe without a reader. Linux only.
Descriptor reopen_to_write(int passed) noexcept;

/// Returns how much of `bytes` it took without waiting; nothing if it has no reader or fails.
std::optional<std::size_t> write_some(const Descriptor& to, Bytes bytes) noexcept;

/// Returns whether anything can still read what is written. Does not wait.
bool has_reader(const Descriptor& pipe) noexcept;

/// Opens a named pipe, without waiting for another process, so that there is a reader, or both a
/// reader and a writer. Empty if there is none at `path`.
enum class PipeEnd : std::uint8_t { reader, both };
Descriptor open_named_pipe(const std::string& path, PipeEnd end) noexcept;

/// Creates a named pipe for this user. Returns false on failure (errno).
bool create_named_pipe(const std::string& path) noexcept;

// An Error for a call of the operating system that failed.

inline std::unexpected<Error> os_error(const char* what, ErrorCode code = ErrorCode::io_failure,
                                       int os_code = errno) noexcept {
    return std::unexpected(Error{code, what, {}, 0, 0, os_code});
}

/// A named pipe of this user, removed with its object. Has a reader as long as it exists: what
/// another process writes before it is read waits in it.
class TemporaryPipe {
public:
    /// Creates the pipe, in the directory for temporary files.
    TemporaryPipe();
    TemporaryPipe(const TemporaryPipe&) = delete;
    TemporaryPipe& operator=(const TemporaryPipe&) = delete;
    ~TemporaryPipe();

    const std::string& path() const noexcept { return path_; }

    /// False: it could not be created.
    bool is_open() const noexcept { return static_cast<bool>(reader_); }

private:
    std::string path_;
    Descriptor reader_;
};

} // namespace etl::host
