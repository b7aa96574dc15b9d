#include "io/output_file.hpp"
#include "io/system/os_file.hpp"
#include "io/system/system.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <algorithm>
#include <fcntl.h>
#include <io.h>
#include <limits>
#include <windows.h>

namespace etl::io {

namespace {

HANDLE native(std::intptr_t handle) noexcept {
    // A HANDLE is a number that Windows declares as a pointer.
    return reinterpret_cast<HANDLE>(handle); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

std::intptr_t number(HANDLE handle) noexcept {
    return reinterpret_cast<std::intptr_t>(
        handle); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

constexpr std::size_t max_at_once = 1U << 30U; // one call takes 32 bits

} // namespace

Error os_error(const char* what) noexcept {
    const DWORD code = ::GetLastError();
    const bool missing =
        code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND || code == ERROR_INVALID_NAME;
    Error error{missing ? ErrorCode::not_found : ErrorCode::io_failure, what};
    error.os_code = static_cast<int>(code);
    return error;
}

void sync_folder_of(const std::string&) {} // NTFS journals names

Mapping::~Mapping() {
    if (!bytes_.empty()) {
        ::UnmapViewOfFile(bytes_.data());
    }
}

// A mapped file cannot be truncated.
std::size_t Mapping::intact_size() const noexcept {
    return bytes_.size();
}

std::size_t Mapping::read(std::size_t offset, MutableBytes into) const noexcept {
    const Bytes part = clamped(bytes_, offset, into.size());
    std::ranges::copy(part, into.begin());
    return part.size();
}

// Windows reads mapped files ahead by itself and takes no advice.
void Mapping::advise(InputFile::Access) const noexcept {}

void Mapping::release(std::size_t offset, std::size_t size) const noexcept {
    const Bytes part = clamped(bytes_, offset, size);
    if (!part.empty()) {
        // VirtualUnlock of pages that are not locked takes them out of the working set
        // (documented), and fails.
        ::VirtualUnlock(const_cast<std::byte*>(part.data()), part.size());
    }
}

Result<OsFile> OsFile::open_for_reading(const std::string& path) {
    // Backup semantics: a folder can be opened too, so that kind() may name it.
    const HANDLE opened = ::CreateFileW(
        to_path(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
        nullptr, OPEN_EXISTING, FILE_FLAG_SEQUENTIAL_SCAN | FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (opened == INVALID_HANDLE_VALUE) {
        return std::unexpected(os_error("open"));
    }
    return OsFile(number(opened), Owned::yes);
}

std::string OsFile::temporary_folder() {
    wchar_t folder[MAX_PATH + 1];
    const DWORD length = ::GetTempPathW(MAX_PATH, folder);
    return length == 0 || length > MAX_PATH ? std::string() : to_text(folder);
}

Result<OsFile> OsFile::temporary() {
    wchar_t folder[MAX_PATH + 1];
    wchar_t name[MAX_PATH + 1];
    if (::GetTempPathW(MAX_PATH, folder) == 0 || ::GetTempFileNameW(folder, L"etl", 0, name) == 0) {
        return std::unexpected(os_error("temporary file"));
    }
    // GetTempFileName made the file; opened once more it goes with its last handle.
    const HANDLE opened =
        ::CreateFileW(name, GENERIC_READ | GENERIC_WRITE | DELETE, 0, nullptr, OPEN_EXISTING,
                      FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    if (opened == INVALID_HANDLE_VALUE) {
        const Error error = os_error("temporary file");
        ::DeleteFileW(name);
        return std::unexpected(error);
    }
    return OsFile(number(opened), Owned::yes);
}

Result<OsFile> OsFile::duplicate() const noexcept {
    const HANDLE self = ::GetCurrentProcess();
    HANDLE same = nullptr;
    if (::DuplicateHandle(self, native(handle_), self, &same, 0, FALSE, DUPLICATE_SAME_ACCESS) ==
        0) {
        return std::unexpected(os_error("duplicate a handle"));
    }
    return OsFile(number(same), Owned::yes);
}

OsFile OsFile::standard_input() noexcept {
    return {number(::GetStdHandle(STD_INPUT_HANDLE)), Owned::no};
}

OsFile::~OsFile() {
    if (handle_ != none && owned_ == Owned::yes) {
        ::CloseHandle(native(handle_));
    }
}

Result<OsFile::Kind> OsFile::kind() const noexcept {
    if (::GetFileType(native(handle_)) != FILE_TYPE_DISK) {
        return Kind::stream;
    }
    BY_HANDLE_FILE_INFORMATION information{};
    if (::GetFileInformationByHandle(native(handle_), &information) == 0) {
        return std::unexpected(os_error("stat"));
    }
    return (information.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? Kind::folder
                                                                          : Kind::regular;
}

OsFile::Privacy OsFile::privacy() const noexcept {
    return Privacy::is_private;
}

std::uint64_t OsFile::position() const noexcept {
    LARGE_INTEGER at{};
    const LARGE_INTEGER nowhere{};
    return ::SetFilePointerEx(native(handle_), nowhere, &at, FILE_CURRENT) != 0
               ? static_cast<std::uint64_t>(at.QuadPart)
               : 0U;
}

Result<std::size_t> OsFile::read(MutableBytes into) const noexcept {
    DWORD got = 0;
    const auto size = static_cast<DWORD>(std::min(into.size(), max_at_once));
    if (::ReadFile(native(handle_), into.data(), size, &got, nullptr) == 0) {
        if (::GetLastError() == ERROR_BROKEN_PIPE) { // how a pipe ends
            return 0U;
        }
        return std::unexpected(os_error("read"));
    }
    return got;
}

Result<bool> OsFile::wait(std::chrono::milliseconds timeout) const noexcept {
    // Windows cannot wait for a pipe that was opened for synchronous reading: it is looked at again
    // and again. What is no pipe is read at once.
    using namespace std::chrono_literals;
    constexpr auto interval = 20ms;
    for (auto left = timeout;; left -= interval) {
        DWORD there = 0;
        if (::PeekNamedPipe(native(handle_), nullptr, 0, nullptr, &there, nullptr) == 0 ||
            there > 0) {
            return true; // read() finds out what a failure means
        }
        if (left <= 0ms) {
            return false;
        }
        ::Sleep(static_cast<DWORD>(std::min(interval, left).count()));
    }
}

Result<std::size_t> OsFile::read_at(FileOffset where, MutableBytes into) const noexcept {
    std::size_t total = 0;
    while (total < into.size()) {
        const std::uint64_t at = where.value + total;
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(at);
        place.OffsetHigh = static_cast<DWORD>(at >> 32U);
        DWORD got = 0;
        const auto size = static_cast<DWORD>(std::min(into.size() - total, max_at_once));
        if (::ReadFile(native(handle_), into.data() + total, size, &got, &place) == 0 &&
            ::GetLastError() != ERROR_HANDLE_EOF) {
            return std::unexpected(os_error("read"));
        }
        if (got == 0) {
            break;
        }
        total += got;
    }
    return total;
}

Result<std::uint64_t> OsFile::size() const noexcept {
    LARGE_INTEGER size{};
    if (::GetFileSizeEx(native(handle_), &size) == 0) {
        return std::unexpected(os_error("stat"));
    }
    return static_cast<std::uint64_t>(size.QuadPart);
}

std::optional<std::int64_t> OsFile::changed() const noexcept {
    FILETIME written{};
    return ::GetFileTime(native(handle_), nullptr, nullptr, &written) != 0
               ? std::optional(static_cast<std::int64_t>(
                     std::uint64_t{written.dwHighDateTime} << 32U | written.dwLowDateTime))
               : std::nullopt;
}

Result<void> OsFile::write(Bytes bytes) const noexcept {
    while (!bytes.empty()) {
        DWORD put = 0;
        const auto size = static_cast<DWORD>(std::min(bytes.size(), max_at_once));
        if (::WriteFile(native(handle_), bytes.data(), size, &put, nullptr) == 0) {
            return std::unexpected(os_error("write"));
        }
        bytes = bytes.subspan(put);
    }
    return {};
}

Result<Mapping> OsFile::map() const noexcept {
    LARGE_INTEGER size{};
    if (::GetFileSizeEx(native(handle_), &size) == 0) {
        return std::unexpected(os_error("stat"));
    }
    if (size.QuadPart == 0) {
        return Mapping{};
    }
    if (static_cast<std::uint64_t>(size.QuadPart) > std::numeric_limits<std::size_t>::max() / 2) {
        ::SetLastError(ERROR_FILE_TOO_LARGE);
        return std::unexpected(os_error("map"));
    }
    const HANDLE section =
        ::CreateFileMappingW(native(handle_), nullptr, PAGE_READONLY, 0, 0, nullptr);
    if (section == nullptr) {
        return std::unexpected(os_error("map"));
    }
    const void* const at = ::MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
    const Error error = os_error("map");
    ::CloseHandle(section); // the view keeps the section
    if (at == nullptr) {
        return std::unexpected(error);
    }
    return Mapping(
        Bytes(static_cast<const std::byte*>(at), static_cast<std::size_t>(size.QuadPart)));
}

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
    while (!bytes.empty()) {
        const int put = ::_write(descriptor, bytes.data(),
                                 static_cast<unsigned>(std::min(bytes.size(), max_at_once)));
        if (put < 0) {
            return std::unexpected(runtime_error("write"));
        }
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
}

} // namespace

bool StandardOutput::closed() const noexcept {
    return closed_; // Windows tells only those who write
}

Result<void> StandardOutput::write_as_is(std::string_view bytes) {
    [[maybe_unused]] static const int was = ::_setmode(standard_output, _O_BINARY);
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

} // namespace etl::io
