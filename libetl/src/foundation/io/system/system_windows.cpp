#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "io/system/system.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace etl::io {

namespace {

std::optional<FileId> id_of(HANDLE file) noexcept {
    BY_HANDLE_FILE_INFORMATION information{};
    if (::GetFileInformationByHandle(file, &information) == 0) {
        return std::nullopt;
    }
    constexpr unsigned dword_bits = 32;
    return FileId{information.dwVolumeSerialNumber,
                  std::uint64_t{information.nFileIndexHigh} << dword_bits |
                      information.nFileIndexLow};
}

} // namespace

std::string make_private_folder(const std::string& parent) {
    // The folder for temporary files is the user's own.
    std::string name = parent + "\\etl-" + std::to_string(::GetCurrentProcessId()) + "-" +
                       std::to_string(::GetTickCount64());
    return ::CreateDirectoryW(to_path(name).c_str(), nullptr) != 0 ? name : std::string();
}

std::error_code rename_unless_taken(const std::string& from, const std::string& to) {
    const bool is_renamed = ::MoveFileExW(to_path(from).c_str(), to_path(to).c_str(), 0) != 0;
    return is_renamed ? std::error_code()
                      : std::error_code(static_cast<int>(::GetLastError()), std::system_category());
}

bool is_directory(const std::string& path) noexcept {
    std::error_code code;
    return std::filesystem::is_directory(to_path(path), code);
}

bool is_regular_file(const std::string& path) noexcept {
    std::error_code code;
    return std::filesystem::is_regular_file(to_path(path), code);
}

bool is_device(const std::string& path) noexcept {
    std::error_code code;
    const std::filesystem::file_type type = std::filesystem::status(to_path(path), code).type();
    return type == std::filesystem::file_type::character ||
           type == std::filesystem::file_type::block || type == std::filesystem::file_type::fifo ||
           type == std::filesystem::file_type::socket;
}

std::optional<FileId> file_id(const std::string& path) noexcept {
    constexpr DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE file = ::CreateFileW(to_path(path).c_str(), 0, sharing, nullptr, OPEN_EXISTING,
                                      FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (file == INVALID_HANDLE_VALUE) {
        return std::nullopt;
    }
    const auto id = id_of(file);
    ::CloseHandle(file);
    return id;
}

std::optional<FileId> file_id(StandardStream stream) noexcept {
    const HANDLE file = ::GetStdHandle(stream == StandardStream::input    ? STD_INPUT_HANDLE
                                       : stream == StandardStream::output ? STD_OUTPUT_HANDLE
                                                                          : STD_ERROR_HANDLE);
    return ::GetFileType(file) == FILE_TYPE_DISK ? id_of(file) : std::nullopt;
}

// Windows' libarchive keeps names in UTF-16 and needs no locale.
Utf8Locale::Utf8Locale() : locale_(nullptr) {}

Utf8Locale::~Utf8Locale() = default;

Utf8Locale::Use::Use(const Utf8Locale&) noexcept : before_(nullptr) {}

Utf8Locale::Use::~Use() = default;

void ignore_closed_pipes() noexcept {} // there is no such signal

void ignore_file_size_signal() noexcept {} // nor such a limit

namespace {

Terminal terminal_at(DWORD stream) noexcept {
    Terminal terminal;
    const HANDLE handle = ::GetStdHandle(stream);
    DWORD mode = 0;
    terminal.interactive = ::GetConsoleMode(handle, &mode) != 0;
    CONSOLE_SCREEN_BUFFER_INFO information{};
    if (::GetConsoleScreenBufferInfo(handle, &information) != 0) {
        terminal.columns = information.srWindow.Right - information.srWindow.Left + 1;
    }
    return terminal;
}

} // namespace

Terminal standard_error_terminal() noexcept {
    return terminal_at(STD_ERROR_HANDLE);
}

Terminal standard_output_terminal() noexcept {
    return terminal_at(STD_OUTPUT_HANDLE);
}

bool standard_input_is_terminal() noexcept {
    DWORD mode = 0;
    return ::GetConsoleMode(::GetStdHandle(STD_INPUT_HANDLE), &mode) != 0;
}

bool standard_output_is_terminal() noexcept {
    DWORD mode = 0;
    return ::GetConsoleMode(::GetStdHandle(STD_OUTPUT_HANDLE), &mode) != 0;
}

int local_offset_minutes(std::int64_t unix_seconds) noexcept {
    constexpr std::int64_t epoch = 11'644'473'600; // 1970-01-01 in seconds since 1601-01-01
    constexpr std::int64_t ticks = 10'000'000;
    constexpr std::int64_t last = 900'000'000'000; // SYSTEMTIME ends in the year 30827
    if (unix_seconds < -epoch || unix_seconds > last) {
        return 0;
    }
    const auto from_file_time = [](const FILETIME& time) {
        return static_cast<std::int64_t>((std::uint64_t{time.dwHighDateTime} << 32U) |
                                         time.dwLowDateTime);
    };
    const auto universal = static_cast<std::uint64_t>((unix_seconds + epoch) * ticks);
    const FILETIME universal_time{static_cast<DWORD>(universal),
                                  static_cast<DWORD>(universal >> 32U)};
    SYSTEMTIME universal_fields{};
    SYSTEMTIME local_fields{};
    FILETIME local_time{};
    if (::FileTimeToSystemTime(&universal_time, &universal_fields) == 0 ||
        ::SystemTimeToTzSpecificLocalTime(nullptr, &universal_fields, &local_fields) == 0 ||
        ::SystemTimeToFileTime(&local_fields, &local_time) == 0) {
        return 0;
    }
    return static_cast<int>((from_file_time(local_time) - static_cast<std::int64_t>(universal)) /
                            (ticks * 60));
}

} // namespace etl::io
