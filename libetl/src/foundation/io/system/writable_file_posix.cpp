#include "io/system/new_file.hpp"
#include "io/system/os_file.hpp"
#include "io/system/posix_files.hpp"
#include "io/writable_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace etl::io {

namespace {

constexpr std::size_t max_in_one_call = 1U << 30U; // as in os_file_posix.cpp

constexpr auto last_offset = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());

Error error_at(const char* what, FileOffset where) noexcept {
    Error error = os_error(what);
    error.code = ErrorCode::io_failure; // the file is open: nothing is missing
    error.where = where;
    return error;
}

Error error_of(int code, const char* what, FileOffset where = {}) noexcept {
    errno = code;
    return error_at(what, where);
}

bool is_within_reach(FileOffset where, std::size_t size) noexcept {
    return where.value <= last_offset && size <= last_offset - where.value;
}

/// Asks the file system to set `size` bytes aside; 0 or an errno.
int reserve(int descriptor, off_t size) noexcept {
#if defined(__linux__)
    // Not posix_fallocate: where the file system cannot do it, that one writes to every block.
    return ::fallocate(descriptor, 0, 0, size) == 0 ? 0 : errno;
#elif defined(__APPLE__)
    fstore_t store{F_ALLOCATEALL, F_PEOFPOSMODE, 0, size, 0};
    return ::fcntl(descriptor, F_PREALLOCATE, &store) == 0 ? 0 : errno;
#else
    return ::posix_fallocate(descriptor, 0, size);
#endif
}

int flush_to_disk(int descriptor) noexcept {
#if defined(__APPLE__)
    return ::fcntl(descriptor, F_FULLFSYNC); // fsync stops at the drive's cache there
#else
    return ::fdatasync(descriptor); // the size included, when it changed
#endif
}

class DiskFile final : public WritableFile {
public:
    /// A regular file has a size and any place; of what else there is, a pipe or a terminal takes
    /// bytes in order only.
    enum class Kind : std::uint8_t { regular, device, stream };

    DiskFile(std::string path, int descriptor, Kind kind, FileLock lock = {})
        : path_(std::move(path)), descriptor_(descriptor), kind_(kind), lock_(std::move(lock)) {}

    DiskFile(const DiskFile&) = delete;
    DiskFile& operator=(const DiskFile&) = delete;

    ~DiskFile() override {
        if (descriptor_ >= 0) {
            lock_.release();
            ::close(descriptor_);
        }
    }

    Result<void> write_at(FileOffset where, Bytes bytes) override {
        if (!is_within_reach(where, bytes.size())) {
            return std::unexpected(error_of(EFBIG, "write", where));
        }
        if (kind_ == Kind::stream && where.value != streamed_) {
            return std::unexpected(error_of(ESPIPE, "cannot write to a pipe out of order", where));
        }
        while (!bytes.empty()) {
            const ssize_t put = write_some(where, bytes);
            if (put < 0 && errno == EINTR) {
                continue;
            }
            if (put <= 0) {
                return std::unexpected(put < 0 ? error_at("write", where)
                                               : error_of(EIO, "write", where));
            }
            bytes = bytes.subspan(static_cast<std::size_t>(put));
            where = where + static_cast<std::uint64_t>(put);
        }
        return {};
    }

    Result<std::size_t> read_at(FileOffset where, MutableBytes to) override {
        if (kind_ != Kind::regular || !is_within_reach(where, to.size())) {
            return 0U;
        }
        std::size_t total = 0;
        while (total < to.size()) {
            const MutableBytes rest = to.subspan(total);
            const ssize_t got =
                ::pread(descriptor_, rest.data(), std::min(rest.size(), max_in_one_call),
                        static_cast<off_t>(where.value + total));
            if (got < 0 && errno == EINTR) {
                continue;
            }
            if (got < 0) {
                return std::unexpected(error_at("read", where + total));
            }
            if (got == 0) {
                break;
            }
            total += static_cast<std::size_t>(got);
        }
        return total;
    }

    Result<std::uint64_t> size() override {
        struct stat status{};
        if (::fstat(descriptor_, &status) != 0) {
            return std::unexpected(error_at("stat", {}));
        }
        return kind_ == Kind::regular ? static_cast<std::uint64_t>(status.st_size) : 0U;
    }

    Result<void> resize(std::uint64_t size) override {
        if (kind_ != Kind::regular) {
            return {};
        }
        if (size > last_offset) {
            return std::unexpected(error_of(EFBIG, "resize"));
        }
        int status = 0;
        do {
            status = ::ftruncate(descriptor_, static_cast<off_t>(size));
        } while (status != 0 && errno == EINTR);
        if (status != 0) {
            return std::unexpected(error_at("resize", {size}));
        }
        return {};
    }

    Result<void> allocate(std::uint64_t size) override {
        if (kind_ != Kind::regular) {
            return {};
        }
        if (size > last_offset) {
            return std::unexpected(error_of(EFBIG, "allocate"));
        }
        const auto before = this->size();
        if (!before) {
            return std::unexpected(before.error());
        }
        int failure = 0;
        do {
            failure = size == 0 ? 0 : reserve(descriptor_, static_cast<off_t>(size));
        } while (failure == EINTR);
        // A file system that knows no reservations answers so. The file has its size then, and
        // writing inside can still fail; writing zeros would not change that where it copies on
        // write, and takes as long as the trace.
        const bool is_unknown =
            failure == EOPNOTSUPP || failure == ENOTSUP || failure == ENOSYS || failure == EINVAL;
        if (failure != 0 && !is_unknown) {
            if (const auto undone = resize(*before); !undone) { // a part may have been set aside
                return undone;
            }
            return std::unexpected(error_of(failure, "allocate", {size}));
        }
        return resize(size);
    }

    bool is_stream() const noexcept override { return kind_ == Kind::stream; }

    Result<void> sync() override {
        if (kind_ != Kind::regular) {
            return {};
        }
        int status = 0;
        do {
            status = flush_to_disk(descriptor_);
        } while (status != 0 && errno == EINTR);
        if (status != 0) {
            return std::unexpected(error_at("sync", {}));
        }
        if (!std::exchange(name_synced_, true) && !path_.empty()) {
            sync_folder_of(path_);
        }
        return {};
    }

    Result<void> close() override {
        lock_.release();
        // After EINTR the descriptor is gone on Linux; elsewhere, a second call could close the
        // file of another thread.
        const bool is_closed = ::close(std::exchange(descriptor_, -1)) == 0 || errno == EINTR;
        const Error error = is_closed ? Error{} : error_at("close", {});
        return is_closed ? Result<void>{} : std::unexpected(error);
    }

private:
    ssize_t write_some(FileOffset where, Bytes bytes) noexcept {
        const std::size_t size = std::min(bytes.size(), max_in_one_call);
        if (kind_ != Kind::stream) {
            return ::pwrite(descriptor_, bytes.data(), size, static_cast<off_t>(where.value));
        }
        const ssize_t put = ::write(descriptor_, bytes.data(), size);
        streamed_ += put > 0 ? static_cast<std::uint64_t>(put) : 0U;
        return put;
    }

    std::string path_;
    int descriptor_;
    Kind kind_;
    FileLock lock_;
    bool name_synced_ = false;
    std::uint64_t streamed_ = 0; // bytes that a stream has taken
};

constexpr mode_t of_a_private_file = S_IRUSR | S_IWUSR;
constexpr mode_t of_a_new_file = of_a_private_file | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;

int open_retried(const std::string& path, int flags, mode_t mode = of_a_new_file) noexcept {
    int opened = -1;
    do {
        opened = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode);
    } while (opened < 0 && errno == EINTR);
    return opened;
}

Result<DiskFile::Kind> kind_of(int descriptor) noexcept {
    struct stat status{};
    if (::fstat(descriptor, &status) != 0) {
        return std::unexpected(os_error("stat"));
    }
    if (S_ISREG(status.st_mode)) {
        return DiskFile::Kind::regular;
    }
    return ::lseek(descriptor, 0, SEEK_CUR) < 0 ? DiskFile::Kind::stream : DiskFile::Kind::device;
}

/// The descriptor is the file's if this succeeds.
Result<std::unique_ptr<WritableFile>> take(const std::string& path, int descriptor) {
    const auto kind = kind_of(descriptor);
    if (!kind) {
        return std::unexpected(kind.error());
    }
    if (*kind != DiskFile::Kind::regular) {
        return std::make_unique<DiskFile>(path, descriptor, *kind);
    }
    auto lock = FileLock::take(path, descriptor);
    if (!lock) {
        return std::unexpected(lock.error());
    }
    return std::make_unique<DiskFile>(path, descriptor, *kind, std::move(*lock));
}

class Disk final : public FileFactory {
public:
    Result<std::unique_ptr<WritableFile>> open(const std::string& path, Open how) override {
        const int opened = open_to_write(path, how);
        if (opened < 0) {
            return std::unexpected(os_error(how == Open::replace ? "create" : "open"));
        }
        return file_over(path, opened, how);
    }

    Result<void> remove(const std::string& path) override {
        // A link that pointed nowhere before its file was made stays.
        std::error_code code;
        const auto target = std::filesystem::canonical(path, code);
        if (::unlink(code ? path.c_str() : target.c_str()) != 0) {
            return std::unexpected(os_error("remove"));
        }
        return {};
    }
};

} // namespace

int open_to_write(const std::string& path, FileFactory::Open how) {
    struct stat there{};
    const bool is_there = ::stat(path.c_str(), &there) == 0;
    if (const auto from = inherited();
        from && how == FileFactory::Open::replace && !is_there && errno == ENOENT) {
        // Others may not open it before it has its permissions.
        const int made = open_retried(path, O_RDWR | O_CREAT, of_a_private_file);
        if (made >= 0) {
            inherit(made, *from);
        }
        return made;
    }
    // Not O_TRUNC: the file may be another writer's.
    const int flags = how == FileFactory::Open::replace ? O_CREAT : 0;
    if (is_there && S_ISFIFO(there.st_mode)) {
        // Open for reading, too, it would never tell that its reader is gone.
        return open_retried(path, O_WRONLY);
    }
    const int opened = open_retried(path, O_RDWR | flags);
    return opened < 0 && errno == EACCES ? open_retried(path, O_WRONLY | flags) : opened;
}

Result<std::unique_ptr<WritableFile>> file_over(const std::string& path, int descriptor,
                                                FileFactory::Open how) {
    auto file = take(path, descriptor);
    if (!file) {
        ::close(descriptor);
        return std::unexpected(file.error());
    }
    if (how == FileFactory::Open::replace) {
        if (auto emptied = (*file)->resize(0); !emptied) {
            return std::unexpected(emptied.error());
        }
    }
    return file;
}

std::unique_ptr<WritableFile> disk_file(std::string path, std::intptr_t handle) {
    return std::make_unique<DiskFile>(std::move(path), static_cast<int>(handle),
                                      DiskFile::Kind::regular);
}

FileFactory& disk() noexcept {
    static Disk instance;
    return instance;
}

} // namespace etl::io
