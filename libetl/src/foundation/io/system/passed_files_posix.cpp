#include "io/passed_files.hpp"
#include "io/system/os_file.hpp"
#include "io/system/posix_files.hpp"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace etl::io {

namespace {

std::string directory_of(const std::string& path) {
    return path.substr(0, path.rfind('/') + 1);
}

void close(OpenedForPassing& opened) noexcept {
    if (opened.descriptor >= 0) {
        ::close(std::exchange(opened.descriptor, -1));
    }
}

int open_retried(int directory, const char* name, int flags) noexcept {
    constexpr mode_t for_all = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
    int opened = -1;
    do {
        opened = ::openat(directory, name, flags | O_CLOEXEC | O_NOCTTY, for_all);
    } while (opened < 0 && errno == EINTR);
    return opened;
}

/// A symbolic link would be followed in the directories of this process, not of the other one. A
/// pipe or a file with a lease would make this process wait.
int open_in(int directory, const std::string& path, FileFactory::Open how) noexcept {
    const std::string name = path.substr(path.rfind('/') + 1);
    const int flags = O_NOFOLLOW | O_NONBLOCK | (how == FileFactory::Open::replace ? O_CREAT : 0);
    const int opened = open_retried(directory, name.c_str(), flags | O_RDWR);
    return opened < 0 && errno == EACCES ? open_retried(directory, name.c_str(), flags | O_WRONLY)
                                         : opened;
}

/// A pipe or terminal that another process opened. It is waited for, but not without end: what does
/// not read must not keep the thread of a session.
class PassedStream final : public WritableFile {
public:
    explicit PassedStream(int descriptor) noexcept : descriptor_(descriptor) {}

    PassedStream(const PassedStream&) = delete;
    PassedStream& operator=(const PassedStream&) = delete;

    ~PassedStream() override { ::close(descriptor_); }

    Result<void> write_at(FileOffset where, Bytes bytes) override {
        if (where.value != streamed_) {
            errno = ESPIPE;
            return failure("cannot write to a pipe out of order");
        }
        while (!bytes.empty()) {
            const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
            if (put >= 0) {
                streamed_ += static_cast<std::uint64_t>(put);
                bytes = bytes.subspan(static_cast<std::size_t>(put));
            } else if (errno != EINTR && (errno != EAGAIN || !wait_for_space())) {
                return failure("write");
            }
        }
        return {};
    }

    Result<std::size_t> read_at(FileOffset, MutableBytes) override { return 0U; }

    Result<std::uint64_t> size() override { return 0U; }

    Result<void> resize(std::uint64_t) override { return {}; }

    Result<void> allocate(std::uint64_t) override { return {}; }

    bool is_stream() const noexcept override { return true; }

    Result<void> sync() override { return {}; }

    Result<void> close() override { return {}; } // with the object

private:
    /// False: nothing was read for a second.
    bool wait_for_space() const noexcept {
        constexpr int patience = 1000; // ms
        pollfd one{.fd = descriptor_, .events = POLLOUT, .revents = 0};
        const int ready = ::poll(&one, 1, patience);
        errno = ready == 0 ? ETIMEDOUT : errno;
        return ready > 0 || (ready < 0 && errno == EINTR);
    }

    Result<void> failure(const char* what) const noexcept {
        Error error = os_error(what);
        error.code = ErrorCode::io_failure;
        error.where = {streamed_};
        return std::unexpected(error);
    }

    int descriptor_;
    std::uint64_t streamed_ = 0;
};

bool is_regular(int descriptor) noexcept {
    struct stat status{};
    return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// Opened anew, since flags of the passed descriptor are those of the other process, too.
Result<std::unique_ptr<WritableFile>> stream_over(int passed) {
    const std::string path = "/proc/self/fd/" + std::to_string(passed);
    const int own = open_retried(AT_FDCWD, path.c_str(), O_WRONLY | O_NONBLOCK);
    if (own < 0) {
        return std::unexpected(os_error("open"));
    }
    try {
        return std::make_unique<PassedStream>(own);
    } catch (...) {
        ::close(own);
        throw;
    }
}

struct ClosedAtEnd {
    int descriptor;

    ~ClosedAtEnd() { ::close(descriptor); }
};

/// Takes the descriptor, also if it fails.
Result<std::unique_ptr<WritableFile>> over_passed(int passed, FileFactory::Open how) {
    if (is_regular(passed)) {
        return file_over({}, passed, how);
    }
    const ClosedAtEnd original{passed};
    return stream_over(passed);
}

} // namespace

Result<OpenedForPassing> open_file_to_pass(const std::string& path) {
    int existing = open_to_write(path, FileFactory::Open::existing);
    if (existing < 0 && errno == ENOENT) {
        // Of two processes that create it, the file is new to one.
        const int created = open_retried(AT_FDCWD, path.c_str(), O_RDWR | O_CREAT | O_EXCL);
        if (created >= 0) {
            return OpenedForPassing{.descriptor = created, .is_new = true};
        }
        if (errno == EEXIST) {
            existing = open_to_write(path, FileFactory::Open::existing);
        }
    }
    if (existing >= 0) {
        return OpenedForPassing{.descriptor = existing};
    }
    if (errno != ENOENT) {
        return std::unexpected(os_error("open"));
    }
    const int created = open_to_write(path, FileFactory::Open::replace); // where a link leads to
    if (created < 0) {
        return std::unexpected(os_error("create"));
    }
    return OpenedForPassing{.descriptor = created, .is_new = true};
}

Result<OpenedForPassing> open_directory_to_pass(const std::string& path) {
#if defined(O_PATH)
    constexpr int access = O_PATH; // readable or not
#else
    constexpr int access = O_RDONLY;
#endif
    const int opened =
        open_retried(AT_FDCWD, (directory_of(path) + ".").c_str(), access | O_DIRECTORY);
    if (opened < 0) {
        return std::unexpected(os_error("create"));
    }
    return OpenedForPassing{.descriptor = opened};
}

PassedFiles::~PassedFiles() {
    for (Entry& entry : entries_) {
        close(entry.opened);
    }
}

void PassedFiles::add(Entry entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
}

void PassedFiles::add_file(const std::string& path, OpenedForPassing file) {
    add({.path = path, .is_directory = false, .opened = file, .error = {}});
}

void PassedFiles::add_directory_of(const std::string& path, int descriptor) {
    add({.path = directory_of(path),
         .is_directory = true,
         .opened = {.descriptor = descriptor},
         .error = {}});
}

/// Of a series, it is the failure of its directory.
void PassedFiles::add_failure(const std::string& path, const Error& error) {
    add({.path = directory_of(path), .is_directory = true, .opened = {}, .error = error});
}

void PassedFiles::keep_only(const std::string& path) {
    const std::lock_guard lock(mutex_);
    bool has_one = false; // the latest of several
    for (std::size_t i = entries_.size(); i-- > 0;) {
        Entry& entry = entries_[i];
        const bool is_needed = !has_one && entry.is_directory && entry.opened.descriptor >= 0 &&
                               entry.path == directory_of(path);
        has_one = has_one || is_needed;
        if (!is_needed) {
            close(entry.opened);
            entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
}

/// The latest one.
PassedFiles::Entry* PassedFiles::find(const std::string& path) {
    const std::string directory = directory_of(path);
    for (std::size_t i = entries_.size(); i-- > 0;) {
        if (entries_[i].path == (entries_[i].is_directory ? directory : path)) {
            return &entries_[i];
        }
    }
    return nullptr;
}

Result<std::unique_ptr<WritableFile>> PassedFiles::open(const std::string& path, Open how) {
    const std::lock_guard lock(mutex_);
    Entry* const entry = find(path);
    if (entry == nullptr) {
        errno = EACCES;
        return std::unexpected(os_error("no file was passed to be written"));
    }
    if (entry->opened.descriptor < 0) {
        return std::unexpected(entry->error);
    }
    if (entry->is_directory) {
        const int opened = open_in(entry->opened.descriptor, path, how);
        if (opened < 0) {
            return std::unexpected(os_error(how == Open::replace ? "create" : "open"));
        }
        return over_passed(opened, how);
    }
    if (entry->opened.is_new && how == Open::existing) {
        return fail(ErrorCode::not_found, "open");
    }
    const int passed = entry->opened.descriptor;
    entries_.erase(entries_.begin() + (entry - entries_.data())); // opened once
    return over_passed(passed, how);
}

Result<void> PassedFiles::remove(const std::string& path) {
    const std::lock_guard lock(mutex_);
    const Entry* const entry = find(path);
    if (entry == nullptr || !entry->is_directory || entry->opened.descriptor < 0) {
        return fail(ErrorCode::unsupported, "remove");
    }
    if (::unlinkat(entry->opened.descriptor, path.substr(path.rfind('/') + 1).c_str(), 0) != 0) {
        return std::unexpected(os_error("remove"));
    }
    return {};
}

} // namespace etl::io
