#include "io/output_file.hpp"
#include "io/system/os_file.hpp"
#include "io/system/posix_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace etl::io {

namespace {

int descriptor(std::intptr_t handle) noexcept {
    return static_cast<int>(handle);
}

// One call moves at most this much: Linux stops at 2 GB, others fail above it.
constexpr std::size_t max_at_once = 1U << 30U;

// A name is needed where the file system cannot make a file without one.
int open_and_unlink(const std::string& folder) {
    std::string name = folder + "/etl-XXXXXX";
    const int opened = ::mkstemp(name.data());
    if (opened >= 0) {
        ::unlink(name.c_str());
        ::fcntl(opened, F_SETFD, FD_CLOEXEC);
    }
    return opened;
}

} // namespace

Error os_error(const char* what) noexcept {
    const int code = errno;
    Error error{code == ENOENT || code == ENOTDIR ? ErrorCode::not_found : ErrorCode::io_failure,
                what};
    error.os_code = code;
    return error;
}

void sync_folder_of(const std::string& path) {
    const auto slash = path.rfind('/');
    const std::string path_of_folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const int folder = ::open(path_of_folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
}

namespace {

/// The highest descriptor that is kept of mapped files: half of what a process may have, which is
/// 256 on some systems, and at most 128.
int highest_watched() noexcept {
    constexpr rlim_t max = 128;
    rlimit limit{};
    return ::getrlimit(RLIMIT_NOFILE, &limit) == 0
               ? static_cast<int>(std::min<rlim_t>(max, limit.rlim_cur / 2))
               : static_cast<int>(max);
}

/// A descriptor of the same file, to ask for its size and bytes; -1 when there are many already:
/// traces are mapped by the thousand.
std::intptr_t watched(int file) noexcept {
    static const int highest = highest_watched();
    const int copy = ::fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (copy > highest) {
        ::close(copy);
        return -1;
    }
    return copy;
}

/// All that is there at `where`, or as much as `into` holds.
Result<std::size_t> read_at(int file, FileOffset where, MutableBytes into) noexcept {
    std::size_t total = 0;
    while (total < into.size()) {
        const MutableBytes rest = into.subspan(total);
        const ssize_t got = ::pread(file, rest.data(), std::min(rest.size(), max_at_once),
                                    static_cast<off_t>(where.value + total));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return std::unexpected(os_error("read"));
        }
        if (got == 0) {
            break;
        }
        total += static_cast<std::size_t>(got);
    }
    return total;
}

} // namespace

std::size_t Mapping::read(std::size_t offset, MutableBytes into) const noexcept {
    const Bytes part = clamped(bytes_, offset, into.size());
    if (file_ != none) {
        if (const auto got = read_at(descriptor(file_), {offset}, into.first(part.size()))) {
            return *got;
        }
    }
    std::ranges::copy(part, into.begin());
    return part.size();
}

std::size_t Mapping::intact_size() const noexcept {
    std::uint64_t size = bytes_.size();
    if (range_ != nullptr) {
        size = std::min(size, range_->readable.load());
    }
    struct stat status{};
    if (file_ != none && ::fstat(descriptor(file_), &status) == 0) {
        size = std::min(size, static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0)));
    }
    return static_cast<std::size_t>(size);
}

Mapping::~Mapping() {
    leave_mapping(range_);
    if (file_ != none) {
        ::close(descriptor(file_));
    }
    if (!bytes_.empty()) {
        // The mapping was made by mmap, as memory that nobody else sees as const.
        ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
    }
}

void Mapping::advise(InputFile::Access access) const noexcept {
    if (!bytes_.empty()) {
        ::madvise(const_cast<std::byte*>(bytes_.data()), bytes_.size(),
                  access == InputFile::Access::random ? MADV_RANDOM : MADV_SEQUENTIAL);
    }
}

void Mapping::release(std::size_t offset, std::size_t size) const noexcept {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const Bytes part = clamped(bytes_, offset, size);
    const std::size_t begin = (offset + page - 1) / page * page;
    // The last page of the file is whole even where the file ends inside of it.
    const std::size_t end = offset + part.size() == bytes_.size()
                                ? bytes_.size()
                                : (offset + part.size()) / page * page;
    if (!part.empty() && begin < end) {
        ::madvise(const_cast<std::byte*>(bytes_.data()) + begin, end - begin, MADV_DONTNEED);
    }
}

Result<OsFile> OsFile::open_for_reading(const std::string& path) {
    int opened = -1;
    do {
        opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    } while (opened < 0 && errno == EINTR);
    if (opened < 0) {
        return std::unexpected(os_error("open"));
    }
    return OsFile(opened, Owned::yes);
}

std::string OsFile::temporary_folder() {
    const char* const folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

Result<OsFile> OsFile::temporary() {
    const std::string folder = temporary_folder();
    int opened = -1;
#ifdef O_TMPFILE
    opened = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
#endif
    if (opened < 0) {
        opened = open_and_unlink(folder);
    }
    if (opened < 0) {
        Error error = os_error("temporary file");
        error.code = ErrorCode::io_failure; // a missing $TMPDIR is not a missing input
        return std::unexpected(error);
    }
    return OsFile(opened, Owned::yes);
}

Result<OsFile> OsFile::duplicate() const noexcept {
    const int same = ::fcntl(descriptor(handle_), F_DUPFD_CLOEXEC, 0);
    if (same < 0) {
        return std::unexpected(os_error("duplicate a descriptor"));
    }
    return OsFile(same, Owned::yes);
}

OsFile OsFile::standard_input() noexcept {
    return {STDIN_FILENO, Owned::no};
}

OsFile::~OsFile() {
    if (handle_ != none && owned_ == Owned::yes) {
        ::close(descriptor(handle_));
    }
}

Result<OsFile::Kind> OsFile::kind() const noexcept {
    struct stat status{};
    if (::fstat(descriptor(handle_), &status) != 0) {
        return std::unexpected(os_error("stat"));
    }
    return S_ISREG(status.st_mode)   ? Kind::regular
           : S_ISDIR(status.st_mode) ? Kind::folder
                                     : Kind::stream;
}

std::optional<std::int64_t> OsFile::changed() const noexcept {
    constexpr std::int64_t ns_per_second = 1'000'000'000;
    struct stat status{};
    return ::fstat(descriptor(handle_), &status) == 0 && S_ISREG(status.st_mode)
               ? std::optional(std::int64_t{status.st_mtim.tv_sec} * ns_per_second +
                               status.st_mtim.tv_nsec)
               : std::nullopt;
}

OsFile::Privacy OsFile::privacy() const noexcept {
    struct stat status{};
    if (::fstat(descriptor(handle_), &status) != 0 ||
        (status.st_uid != ::geteuid() && status.st_uid != 0)) {
        return Privacy::of_another_user;
    }
    return (status.st_mode & (S_IWGRP | S_IRWXO)) == 0 ? Privacy::is_private
                                                       : Privacy::others_can_access;
}

std::uint64_t OsFile::position() const noexcept {
    const off_t at = ::lseek(descriptor(handle_), 0, SEEK_CUR);
    return at < 0 ? 0U : static_cast<std::uint64_t>(at);
}

Result<std::size_t> OsFile::read(MutableBytes into) const noexcept {
    ssize_t got = 0;
    do {
        got = ::read(descriptor(handle_), into.data(), std::min(into.size(), max_at_once));
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return std::unexpected(os_error("read"));
    }
    return static_cast<std::size_t>(got);
}

Result<bool> OsFile::wait(std::chrono::milliseconds timeout) const noexcept {
    pollfd ready{.fd = descriptor(handle_), .events = POLLIN, .revents = 0};
    const int count = ::poll(&ready, 1, static_cast<int>(timeout.count()));
    if (count < 0 && errno != EINTR && errno != EAGAIN) {
        return std::unexpected(os_error("poll"));
    }
    return count > 0;
}

Result<std::size_t> OsFile::read_at(FileOffset where, MutableBytes into) const noexcept {
    return etl::io::read_at(descriptor(handle_), where, into);
}

Result<std::uint64_t> OsFile::size() const noexcept {
    struct stat status{};
    if (::fstat(descriptor(handle_), &status) != 0) {
        return std::unexpected(os_error("stat"));
    }
    return static_cast<std::uint64_t>(status.st_size);
}

Result<void> OsFile::write(Bytes bytes) const noexcept {
    while (!bytes.empty()) {
        const ssize_t put =
            ::write(descriptor(handle_), bytes.data(), std::min(bytes.size(), max_at_once));
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return std::unexpected(os_error("write"));
        }
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return {};
}

Result<Mapping> OsFile::map() const noexcept {
    struct stat status{};
    if (::fstat(descriptor(handle_), &status) != 0) {
        return std::unexpected(os_error("stat"));
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size == 0) {
        return Mapping{};
    }
    if (size > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max())) {
        errno = EFBIG;
        return std::unexpected(os_error("map"));
    }
    const auto length = static_cast<std::size_t>(size);
    void* const at = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor(handle_), 0);
    if (at == MAP_FAILED) {
        return std::unexpected(os_error("map"));
    }
    Mapping mapping(Bytes(static_cast<const std::byte*>(at), length));
    mapping.file_ = watched(descriptor(handle_));
    mapping.range_ = enter_mapping(mapping.bytes_);
    mapping.advise(InputFile::Access::sequential); // a trace is read once, and nearly in order
    return mapping;
}

namespace {

// Writes all of it. A descriptor that somebody else made non-blocking is waited for.
Result<void> write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(descriptor, bytes.data(), std::min(bytes.size(), max_at_once));
        if (put >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(put));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            pollfd ready{.fd = descriptor, .events = POLLOUT, .revents = 0};
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return std::unexpected(os_error("write"));
        }
    }
    return {};
}

} // namespace

bool StandardOutput::closed() const noexcept {
    pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    return closed_ || (::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0);
}

Result<void> StandardOutput::write_as_is(std::string_view bytes) {
    if (closed_) {
        return {};
    }
    const auto written = write_all(STDOUT_FILENO, bytes);
    if (!written && written.error().os_code == EPIPE) {
        closed_ = true;
        return {};
    }
    return written;
}

} // namespace etl::io
