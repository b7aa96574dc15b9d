#include "host/memory.hpp"

#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace etl::host {

namespace {

std::unexpected<Error> failed(ErrorCode code, const char* what, std::uint64_t size,
                              int os_code) noexcept {
    return std::unexpected(Error{code, what, {}, size, 0, os_code});
}

/// Room for `size` bytes at `offset` in the file; 0 or an errno.
int take_room(int descriptor, off_t offset, off_t size) noexcept {
#if defined(__linux__)
    int result = 0;
    do { // NOLINT(cppcoreguidelines-avoid-do-while)
        result = ::posix_fallocate(descriptor, offset, size);
    } while (result == EINTR);
    return result;
#elif defined(__APPLE__)
    fstore_t store{F_ALLOCATEALL, F_PEOFPOSMODE, 0, offset + size, 0};
    return ::fcntl(descriptor, F_PREALLOCATE, &store) == 0 ? 0 : errno;
#else
    return ::posix_fallocate(descriptor, offset, size);
#endif
}

} // namespace

Memory::Memory(Memory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
      file_(std::exchange(other.file_, no_file)), path_(std::move(other.path_)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
    if (this != &other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(file_, other.file_);
        std::swap(path_, other.path_);
    }
    return *this;
}

Memory::~Memory() {
    if (data_ != nullptr) {
        ::munmap(data_, size_);
    }
    if (file_ != no_file) {
        ::close(static_cast<int>(file_));
    }
}

Result<Memory> Memory::reserve(std::size_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#if defined(MAP_NORESERVE)
    flags |= MAP_NORESERVE; // what is never touched is never asked for
#endif
    void* const at =
        size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED) {
        return failed(ErrorCode::limit, "memory", size, errno);
    }
    Memory memory;
    memory.data_ = static_cast<std::byte*>(at);
    memory.size_ = size;
    return memory;
}

Result<Memory> Memory::reserve_in_file(const std::string& path, std::size_t size) {
    if (size == 0 || size > static_cast<std::size_t>(std::numeric_limits<off_t>::max())) {
        return failed(ErrorCode::io_failure, "mapped file", size, EFBIG);
    }
    constexpr int rights = 0600;
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, rights);
    if (descriptor < 0) {
        return failed(ErrorCode::io_failure, "mapped file", size, errno);
    }
    static_cast<void>(::flock(descriptor, LOCK_EX | LOCK_NB)); // ends with the process
    Memory memory;
    memory.file_ = descriptor;
    memory.path_ = path;
    void* at = MAP_FAILED;
    if (::ftruncate(descriptor, static_cast<off_t>(size)) == 0) {
        at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    }
    if (at == MAP_FAILED) {
        const int why = errno;
        memory.remove_file();
        return failed(ErrorCode::io_failure, "mapped file", size, why);
    }
    memory.data_ = static_cast<std::byte*>(at);
    memory.size_ = size;
    return memory;
}

bool Memory::is_file_in_use(const std::string& path) noexcept {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    const bool is_locked = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return is_locked;
}

Result<void> Memory::commit(std::size_t offset, std::size_t size) noexcept {
    if (offset > size_ || size > size_ - offset) {
        return failed(ErrorCode::limit, "memory", size, 0);
    }
    if (file_ == no_file || size == 0) {
        return {}; // the system promised it with the reservation
    }
    // Touching a page for which the disk has no room would end the process (SIGBUS).
    const int why =
        take_room(static_cast<int>(file_), static_cast<off_t>(offset), static_cast<off_t>(size));
    if (why != 0) {
        return failed(ErrorCode::limit, "mapped file", size, why);
    }
    return {};
}

void Memory::remove_file() noexcept {
    if (!path_.empty()) {
        ::unlink(path_.c_str());
        path_.clear();
    }
}

std::uint64_t memory_of_machine() noexcept {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long page = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0
               ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
               : 0;
}

} // namespace etl::host
