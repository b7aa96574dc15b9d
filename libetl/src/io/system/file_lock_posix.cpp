// The lock is flock(2) on a descriptor of its own. POSIX record locks would not do: a process loses
// them when it closes any descriptor of the file, as every reader in it does. A lock of flock(2)
// belongs to the open file, which the child of a fork shares; so a child closes its copies at once,
// or it would keep the lock when its parent is killed.
#include <etl/io/writable_file.hpp>

#include "io/system/file_lock.hpp"
#include "io/system/os_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <pthread.h>
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

void in_child() noexcept {
    for (const Held& held : locks().held) {
        ::close(held.descriptor);
    }
    locks().held.clear();
    locks().mutex.unlock();
}

void install_fork_handlers() noexcept {
    static const int installed = ::pthread_atfork(before_fork, in_parent, in_child);
    static_cast<void>(installed);
}

int open_again(const std::string& path) noexcept {
    int opened = -1;
    do {
        opened = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    } while (opened < 0 && errno == EINTR);
    return opened;
}

bool are_one_file(int one, int other) noexcept {
    struct stat first{};
    struct stat second{};
    return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/// 0 or an errno.
int lock(int descriptor) noexcept {
    int status = 0;
    do {
        status = ::flock(descriptor, LOCK_EX | LOCK_NB);
    } while (status != 0 && errno == EINTR);
    return status == 0 ? 0 : errno;
}

std::unexpected<Error> in_use() noexcept {
    Error error{ErrorCode::io_failure, "another session or program writes this file"};
    error.os_code = EWOULDBLOCK;
    return std::unexpected(error);
}

} // namespace

Result<FileLock> FileLock::take(const std::string& path, int descriptor) {
    install_fork_handlers();
    Locks& table = locks();
    const std::lock_guard guard(table.mutex);
    table.held.reserve(table.held.size() + 1);
    const int own = open_again(path);
    if (own < 0) {
        Error error = os_error("lock");
        error.code = ErrorCode::io_failure;
        return std::unexpected(error);
    }
    // Another file under this name by now: somebody is busy with it.
    const int failure = are_one_file(own, descriptor) ? lock(own) : EWOULDBLOCK;
    if (failure == 0) {
        table.held.push_back({++table.last_id, own});
        return FileLock(table.last_id);
    }
    ::close(own);
    if (failure == EWOULDBLOCK) {
        return in_use();
    }
    return FileLock(); // ENOLCK, EOPNOTSUPP and the like
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
    ::close(at->descriptor);
    table.held.erase(at);
}

bool is_in_use(const Error& error) noexcept {
    return error.os_code == EWOULDBLOCK;
}

} // namespace etl::io
