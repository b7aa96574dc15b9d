#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "io/system/system.hpp"

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <limits>
#include <locale.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

namespace etl::io {

namespace {

FileId id_of(const struct stat& status) noexcept {
    return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

/// 0 if there is no such file. Without std::filesystem, whose paths need memory.
mode_t mode_of(const std::string& path) noexcept {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode : 0;
}

/// The two steps of file systems that cannot rename exclusively: a crash between them leaves both
/// names.
bool link_and_remove(const char* from, const char* to) noexcept {
    return ::link(from, to) == 0 && ::unlink(from) == 0;
}

} // namespace

std::string make_private_folder(const std::string& parent) {
    std::string name = parent + "/etl-XXXXXX";
    return ::mkdtemp(name.data()) != nullptr ? name : std::string();
}

std::error_code rename_unless_taken(const std::string& from, const std::string& to) {
#ifdef __linux__
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
        return {};
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return {errno, std::system_category()};
    }
#endif
    return link_and_remove(from.c_str(), to.c_str())
               ? std::error_code()
               : std::error_code(errno, std::system_category());
}

bool is_directory(const std::string& path) noexcept {
    return S_ISDIR(mode_of(path));
}

bool is_regular_file(const std::string& path) noexcept {
    return S_ISREG(mode_of(path));
}

bool is_device(const std::string& path) noexcept {
    const mode_t mode = mode_of(path);
    return S_ISCHR(mode) || S_ISBLK(mode) || S_ISFIFO(mode) || S_ISSOCK(mode);
}

std::optional<FileId> file_id(const std::string& path) noexcept {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(id_of(status)) : std::nullopt;
}

std::optional<FileId> file_id(StandardStream stream) noexcept {
    const int descriptor = stream == StandardStream::input    ? STDIN_FILENO
                           : stream == StandardStream::output ? STDOUT_FILENO
                                                              : STDERR_FILENO;
    struct stat status{};
    const bool is_file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    return is_file ? std::optional(id_of(status)) : std::nullopt;
}

Utf8Locale::Utf8Locale() : locale_(nullptr) {
    for (const char* const name : {"C.UTF-8", "en_US.UTF-8"}) {
        if (const locale_t made = ::newlocale(LC_CTYPE_MASK, name, locale_t{})) {
            locale_ = made;
            return;
        }
    }
}

Utf8Locale::~Utf8Locale() {
    if (locale_ != nullptr) {
        ::freelocale(static_cast<locale_t>(locale_));
    }
}

Utf8Locale::Use::Use(const Utf8Locale& locale) noexcept
    : before_(locale.locale_ == nullptr ? nullptr
                                        : ::uselocale(static_cast<locale_t>(locale.locale_))) {}

Utf8Locale::Use::~Use() {
    if (before_ != nullptr) {
        ::uselocale(static_cast<locale_t>(before_));
    }
}

void ignore_closed_pipes() noexcept {
    std::signal(SIGPIPE, SIG_IGN);
}

void ignore_file_size_signal() noexcept {
    std::signal(SIGXFSZ, SIG_IGN);
}

namespace {

Terminal terminal_at(int descriptor) noexcept {
    Terminal terminal;
    const char* const kind = std::getenv("TERM");
    terminal.interactive =
        ::isatty(descriptor) != 0 && kind != nullptr && std::strcmp(kind, "dumb") != 0;
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        terminal.columns = size.ws_col;
    }
    return terminal;
}

} // namespace

Terminal standard_error_terminal() noexcept {
    return terminal_at(STDERR_FILENO);
}

Terminal standard_output_terminal() noexcept {
    return terminal_at(STDOUT_FILENO);
}

bool standard_input_is_terminal() noexcept {
    return ::isatty(STDIN_FILENO) != 0;
}

bool standard_output_is_terminal() noexcept {
    return ::isatty(STDOUT_FILENO) != 0;
}

int local_offset_minutes(std::int64_t unix_seconds) noexcept {
    if (unix_seconds < std::numeric_limits<std::time_t>::min() ||
        unix_seconds > std::numeric_limits<std::time_t>::max()) {
        return 0;
    }
    const auto time = static_cast<std::time_t>(unix_seconds);
    std::tm local{};
    if (::localtime_r(&time, &local) == nullptr) {
        return 0;
    }
    return static_cast<int>(local.tm_gmtoff / 60);
}

} // namespace etl::io
