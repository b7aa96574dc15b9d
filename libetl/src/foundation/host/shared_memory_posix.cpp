#include "host/descriptor.hpp"
#include "host/process.hpp"
#include "host/shared_memory.hpp"

#include <climits>

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

namespace etl::host {

void Descriptor::close() noexcept {
    if (number_ != none) {
        ::close(std::exchange(number_, none));
    }
}

FileIdentity identity_of(int descriptor) noexcept {
    struct stat status{};
    if (::fstat(descriptor, &status) != 0) {
        return {};
    }
    return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

Descriptor spare_descriptor() noexcept {
    return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

#if defined(__linux__)

Descriptor reopen_to_write(int passed) noexcept {
    std::array<char, 32> path{};
    std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", passed);
    return Descriptor(::open(path.data(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
}

#else

Descriptor reopen_to_write(int) noexcept {
    return {};
}

#endif

std::optional<std::size_t> write_some(const Descriptor& to, Bytes bytes) noexcept {
    for (;;) {
        const ssize_t taken = ::write(to.number(), bytes.data(), bytes.size());
        if (taken >= 0) {
            return static_cast<std::size_t>(taken);
        }
        if (errno == EAGAIN) {
            return 0;
        }
        if (errno != EINTR) {
            return std::nullopt;
        }
    }
}

bool has_reader(const Descriptor& pipe) noexcept {
    pollfd one{.fd = pipe.number(), .events = POLLOUT, .revents = 0};
    return ::poll(&one, 1, 0) >= 0 && (one.revents & (POLLERR | POLLHUP)) == 0;
}

Descriptor open_named_pipe(const std::string& path, PipeEnd end) noexcept {
    const int direction = end == PipeEnd::reader ? O_RDONLY : O_RDWR;
    Descriptor pipe(::open(path.c_str(), direction | O_NONBLOCK | O_CLOEXEC));
    struct stat status{};
    const bool is_pipe = pipe && ::fstat(pipe.number(), &status) == 0 && S_ISFIFO(status.st_mode);
    return is_pipe ? std::move(pipe) : Descriptor();
}

bool create_named_pipe(const std::string& path) noexcept {
    constexpr mode_t for_owner = 0600;
    return ::mkfifo(path.c_str(), for_owner) == 0;
}

Mapping::~Mapping() {
    if (data_ != nullptr && process_ == process_id()) {
        ::munmap(data_, size_);
    }
}

Result<Mapping> Mapping::of(const Descriptor& from, std::size_t offset, std::size_t size,
                            Sharing access, int times) {
    const int rights = access == Sharing::read_write ? PROT_READ | PROT_WRITE : PROT_READ;
    const std::size_t all = size * static_cast<std::size_t>(times);
    // The addresses first: then each mapping replaces its part of them.
    void* const at = ::mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        return os_error("shared memory");
    }
    Mapping mapping;
    mapping.data_ = static_cast<std::byte*>(at);
    mapping.size_ = all;
    mapping.process_ = process_id();
    for (int i = 0; i < times; ++i) {
        std::byte* const part = mapping.data_ + static_cast<std::size_t>(i) * size;
        if (::mmap(part, size, rights, MAP_SHARED | MAP_FIXED, from.number(),
                   static_cast<off_t>(offset)) == MAP_FAILED) {
            return os_error("shared memory");
        }
    }
#if defined(MADV_DONTFORK)
    ::madvise(at, all, MADV_DONTFORK);
#endif
    return mapping;
}

#if defined(__linux__)

Result<SharedMemory> share_memory(std::size_t size, Sharing sharing) {
    SharedMemory memory;
    memory.descriptor = Descriptor(::memfd_create("etl", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!memory.descriptor ||
        ::ftruncate(memory.descriptor.number(), static_cast<off_t>(size)) != 0) {
        return os_error("shared memory");
    }
    auto mapping = Mapping::of(memory.descriptor, 0, size, Sharing::read_write);
    if (!mapping) {
        return std::unexpected(mapping.error());
    }
    memory.mapping = std::move(*mapping);
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL |
                      (sharing == Sharing::read_only ? F_SEAL_FUTURE_WRITE : 0);
    if (::fcntl(memory.descriptor.number(), F_ADD_SEALS, seals) != 0) {
        return os_error("shared memory");
    }
    return memory;
}

void wait_while(const std::atomic<std::uint32_t>& number, std::uint32_t expected,
                std::optional<std::int64_t> milliseconds) noexcept {
    constexpr std::int64_t per_second = 1000;
    constexpr long nanoseconds = 1'000'000;
    std::timespec limit{};
    if (milliseconds) {
        limit.tv_sec = static_cast<std::time_t>(*milliseconds / per_second);
        limit.tv_nsec = static_cast<long>(*milliseconds % per_second) * nanoseconds;
    }
    ::syscall(SYS_futex, &number, FUTEX_WAIT, expected, milliseconds ? &limit : nullptr, nullptr,
              0);
}

int wake_waiting(const std::atomic<std::uint32_t>& number) noexcept {
    return static_cast<int>(
        ::syscall(SYS_futex, &number, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0));
}

#else

Result<SharedMemory> share_memory(std::size_t, Sharing) {
    return fail(ErrorCode::unsupported, "shared memory");
}

void wait_while(const std::atomic<std::uint32_t>&, std::uint32_t,
                std::optional<std::int64_t>) noexcept {}

int wake_waiting(const std::atomic<std::uint32_t>&) noexcept {
    return 0;
}

#endif

} // namespace etl::host
