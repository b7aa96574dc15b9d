#include <etl/io/output_file.hpp>

#include "io/os_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace etl::io {

namespace {

constexpr std::size_t most_at_once = 1U << 30U; // as in os_file_posix.cpp

// Writes all of it. A descriptor that somebody else made non-blocking is waited for.
Result<void> write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(descriptor, bytes.data(), std::min(bytes.size(), most_at_once));
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

// What a symbolic link points at in the end; the path itself where it is none, or points nowhere
// yet.
std::string behind_links(const std::string& path) {
    std::error_code code;
    if (!std::filesystem::is_symlink(path, code)) {
        return path;
    }
    const auto target = std::filesystem::canonical(path, code);
    return code ? path : target.native();
}

// Opens a new file beside `path`, with the permissions that a new file has.
int open_beside(const std::string& path, std::string& temporary) {
    const auto slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
        std::array<char, 32> name{};
        std::snprintf(name.data(), name.size(), ".etl-%08x%08x.tmp", random(), random());
        temporary = folder + name.data();
        const int opened = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                  S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
        if (opened >= 0 || errno != EEXIST) {
            return opened;
        }
    }
    return -1;
}

} // namespace

StandardOutput::StandardOutput() = default;

Result<void> StandardOutput::write(std::string_view bytes) {
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

AtomicFile::AtomicFile(std::string path, std::string temporary, int handle)
    : path_(std::move(path)), temporary_(std::move(temporary)), handle_(handle) {}

Result<std::unique_ptr<AtomicFile>> AtomicFile::create(const std::string& path) {
    const std::string target = behind_links(path);
    struct stat there{};
    const bool exists = ::stat(target.c_str(), &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        return fail(ErrorCode::io_failure, "a folder, not a file");
    }
    std::string temporary;
    const int opened = exists && !S_ISREG(there.st_mode)
                           ? ::open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY)
                           : open_beside(target, temporary);
    if (opened < 0) {
        return std::unexpected(os_error("create"));
    }
    if (exists && !temporary.empty()) {
        // Where this is not allowed the new file keeps the permissions of a new file.
        static_cast<void>(::fchmod(opened, there.st_mode & 07777U));
    }
    return std::unique_ptr<AtomicFile>(new AtomicFile(target, std::move(temporary), opened));
}

AtomicFile::~AtomicFile() {
    if (handle_ >= 0) {
        ::close(handle_);
    }
    if (!temporary_.empty()) {
        ::unlink(temporary_.c_str());
    }
}

Result<void> AtomicFile::write(std::string_view bytes) {
    if (failure_) {
        return std::unexpected(*failure_);
    }
    const auto written = write_all(handle_, bytes);
    if (!written) {
        failure_ = written.error();
    }
    return written;
}

Result<void> AtomicFile::commit() {
    if (failure_) {
        return std::unexpected(*failure_);
    }
    const bool is_file = !temporary_.empty();
    if (is_file && ::fsync(handle_) != 0) {
        return std::unexpected(os_error("sync"));
    }
    if (::close(std::exchange(handle_, -1)) != 0) {
        return std::unexpected(os_error("close"));
    }
    if (!is_file) {
        return {};
    }
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
        return std::unexpected(os_error("rename"));
    }
    temporary_.clear();
    sync_folder_of(path_); // where the name is
    return {};
}

} // namespace etl::io
