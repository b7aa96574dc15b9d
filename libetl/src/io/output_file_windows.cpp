#include <etl/io/output_file.hpp>

#include "io/os_file.hpp"
#include "io/paths.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <io.h>
#include <random>
#include <share.h>
#include <sys/stat.h>
#include <windows.h>

namespace etl::io {

namespace {

constexpr int standard_output = 1;

// The C runtime keeps Windows' own number beside errno.
Error runtime_error(const char* what) noexcept {
    unsigned long code = 0;
    ::_get_doserrno(&code);
    ::SetLastError(code);
    return os_error(what);
}

Result<void> write_all(int descriptor, std::string_view bytes) {
    constexpr std::size_t most_at_once = 1U << 30U;
    while (!bytes.empty()) {
        const int put = ::_write(descriptor, bytes.data(),
                                 static_cast<unsigned>(std::min(bytes.size(), most_at_once)));
        if (put < 0) {
            return std::unexpected(runtime_error("write"));
        }
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
}

int open_to_write(const std::filesystem::path& path, int flags) {
    int opened = -1;
    ::_wsopen_s(&opened, path.c_str(), flags | _O_WRONLY | _O_BINARY | _O_NOINHERIT, _SH_DENYWR,
                _S_IREAD | _S_IWRITE);
    return opened;
}

} // namespace

StandardOutput::StandardOutput() {
    ::_setmode(standard_output, _O_BINARY);
}

Result<void> StandardOutput::write(std::string_view bytes) {
    if (closed_) {
        return {};
    }
    const auto written = write_all(standard_output, bytes);
    if (!written && (written.error().os_code == ERROR_BROKEN_PIPE ||
                     written.error().os_code == ERROR_NO_DATA)) {
        closed_ = true;
        return {};
    }
    return written;
}

AtomicFile::AtomicFile(std::string path, std::string temporary, int handle)
    : path_(std::move(path)), temporary_(std::move(temporary)), handle_(handle) {}

Result<std::unique_ptr<AtomicFile>> AtomicFile::create(const std::string& path) {
    const auto target = to_path(path);
    std::error_code code;
    const auto status = std::filesystem::status(target, code);
    if (std::filesystem::is_directory(status)) {
        return fail(ErrorCode::io_failure, "a folder, not a file");
    }
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        const int device = open_to_write(target, 0);
        if (device < 0) {
            return std::unexpected(runtime_error("create"));
        }
        return std::unique_ptr<AtomicFile>(new AtomicFile(path, {}, device));
    }
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
        char name[32];
        std::snprintf(name, sizeof name, ".etl-%08x%08x.tmp", random(), random());
        const auto temporary = target.parent_path() / name;
        const int opened = open_to_write(temporary, _O_CREAT | _O_EXCL);
        if (opened >= 0) {
            return std::unique_ptr<AtomicFile>(new AtomicFile(path, to_text(temporary), opened));
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return std::unexpected(runtime_error("create"));
}

AtomicFile::~AtomicFile() {
    if (handle_ >= 0) {
        ::_close(handle_);
    }
    if (!temporary_.empty()) {
        ::DeleteFileW(to_path(temporary_).c_str());
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
    if (is_file && ::_commit(handle_) != 0) {
        return std::unexpected(runtime_error("sync"));
    }
    if (::_close(std::exchange(handle_, -1)) != 0) {
        return std::unexpected(runtime_error("close"));
    }
    if (!is_file) {
        return {};
    }
    if (::MoveFileExW(to_path(temporary_).c_str(), to_path(path_).c_str(),
                      MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) == 0) {
        return std::unexpected(os_error("rename"));
    }
    temporary_.clear();
    return {};
}

} // namespace etl::io
