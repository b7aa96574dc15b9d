// The lock is flock(2) on the descriptor of the file. POSIX record locks would not do: a process
// loses them when it closes any descriptor of the file, as every reader in it does. A lock of
// flock(2) belongs to the open file, which the child of a fork shares; so a child opens its copies
// anew at once, or it would keep the lock when its parent is killed.
#include "io/system/os_file.hpp"
#include "io/system/posix_files.hpp"
#include "io/writable_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace etl::io {

namespace {

struct Held {
    std::uint64_t id = 0;
    int descriptor = -1;
};

/// The locks of this process. The mutex is held over a fork. Never destroyed: threads may fork and
/// close files while the program ends.
struct Locks {
    std::mutex mutex;
    std::vector<Held> held;
    std::uint64_t last_id = 0;
};

Locks& locks() noexcept {
    alignas(Locks) static std::byte memory[sizeof(Locks)];
    static Locks& made = *new (memory) Locks;
    return made;
}

void before_fork() noexcept {
    locks().mutex.lock();
}

void in_parent() noexcept {
    locks().mutex.unlock();
}

/// The same file under the same number, open by itself. By number, for its name may mean another
/// file by now; where that cannot be, the child shares the lock until it ends or calls exec.
void open_anew(int descriptor) noexcept {
    constexpr std::string_view folder = "/proc/self/fd/";
    std::array<char, 32> path{};
    char* const number = std::ranges::copy(folder, path.begin()).out;
    std::to_chars(number, path.end() - 1, descriptor);
    const int access = ::fcntl(descriptor, F_GETFL) & O_ACCMODE;
    int opened = -1;
    do {
        opened = ::open(path.data(), access | O_CLOEXEC | O_NOCTTY);
    } while (opened < 0 && errno == EINTR);
    if (opened >= 0) {
        ::dup2(opened, descriptor);
        ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
        ::close(opened);
    }
}

void in_child() noexcept {
    for (const Held& held : locks().held) {
        open_anew(held.descriptor);
    }
    locks().held.clear();
    locks().mutex.unlock();
}

void install_fork_handlers() noexcept {
    static const int installed = ::pthread_atfork(before_fork, in_parent, in_child);
    static_cast<void>(installed);
}

bool is_file_at(const std::string& path, int descriptor) noexcept {
    struct stat named{};
    struct stat opened{};
    return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

bool has_name(int descriptor) noexcept {
    struct stat opened{};
    return ::fstat(descriptor, &opened) == 0 && opened.st_nlink != 0;
}

/// 0 or an errno.
int lock(int descriptor) noexcept {
    int status = 0;
    do {
        status = ::flock(descriptor, LOCK_EX | LOCK_NB);
    } while (status != 0 && errno == EINTR);
    return status == 0 ? 0 : errno;
}

// Not EWOULDBLOCK, as flock(2) says: that is EAGAIN too, which a writer may meet.
constexpr int in_use_code = EBUSY;

std::unexpected<Error> in_use() noexcept {
    Error error{ErrorCode::io_failure, "another session or program is writing this file"};
    error.os_code = in_use_code;
    return std::unexpected(error);
}

} // namespace

Result<FileLock> FileLock::take(const std::string& path, int descriptor) {
    install_fork_handlers();
    Locks& table = locks();
    const std::lock_guard guard(table.mutex);
    table.held.reserve(table.held.size() + 1);
    const int failure = lock(descriptor);
    if (failure == EWOULDBLOCK) {
        return in_use();
    }
    if (failure != 0) {
        return FileLock(); // ENOLCK, EOPNOTSUPP and the like
    }
    // Removed, or another one by now: somebody is busy with it.
    if (path.empty() ? !has_name(descriptor) : !is_file_at(path, descriptor)) {
        return in_use();
    }
    table.held.push_back({++table.last_id, descriptor});
    return FileLock(table.last_id);
}

FileLock::FileLock(FileLock&& other) noexcept : id_(std::exchange(other.id_, 0)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
}

void FileLock::release() noexcept {
    if (id_ == 0) {
        return;
    }
    Locks& table = locks();
    const std::lock_guard guard(table.mutex);
    const auto at = std::ranges::find(table.held, std::exchange(id_, 0), &Held::id);
    if (at == table.held.end()) {
        return; // taken by the process that this one was forked from
    }
    ::flock(at->descriptor, LOCK_UN); // now, even if a child between vfork and exec has a copy
    table.held.erase(at);
}

bool is_in_use(const Error& error) noexcept {
    return error.os_code == in_use_code;
}

} // namespace etl::io
