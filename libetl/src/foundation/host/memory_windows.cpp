#include "host/memory.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <filesystem>
#include <utility>
#include <windows.h>

namespace etl::host {

namespace {

HANDLE native(std::intptr_t handle) noexcept {
    // A HANDLE is a number that Windows declares as a pointer.
    return reinterpret_cast<HANDLE>(handle); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

std::unexpected<Error> failed(ErrorCode code, const char* what, std::uint64_t size) noexcept {
    return std::unexpected(Error{code, what, {}, size, 0, static_cast<int>(::GetLastError())});
}

std::filesystem::path to_path(const std::string& path) {
    return std::filesystem::path(std::u8string(path.begin(), path.end()));
}

} // namespace

Memory::Memory(Memory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
      file_(std::exchange(other.file_, no_file)), path_(std::move(other.path_)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
    if (this != &other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(file_, other.file_);
        std::swap(path_, other.path_);
    }
    return *this;
}

Memory::~Memory() {
    if (file_ == no_file) {
        if (data_ != nullptr) {
            ::VirtualFree(data_, 0, MEM_RELEASE);
        }
        return;
    }
    if (data_ != nullptr) {
        ::UnmapViewOfFile(data_);
    }
    ::CloseHandle(native(file_));
}

Result<Memory> Memory::reserve(std::size_t size) {
    void* const at = ::VirtualAlloc(nullptr, size, MEM_RESERVE, PAGE_READWRITE);
    if (at == nullptr) {
        return failed(ErrorCode::limit, "memory", size);
    }
    Memory memory;
    memory.data_ = static_cast<std::byte*>(at);
    memory.size_ = size;
    return memory;
}

Result<Memory> Memory::reserve_in_file(const std::string& path, std::size_t size) {
    const HANDLE file = ::CreateFileW(to_path(path).c_str(), GENERIC_READ | GENERIC_WRITE | DELETE,
                                      FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr, CREATE_NEW,
                                      FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) {
        return failed(ErrorCode::io_failure, "mapped file", size);
    }
    Memory memory;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): see native()
    memory.file_ = reinterpret_cast<std::intptr_t>(file);
    memory.path_ = path;
    const std::uint64_t wide = size;
    // The mapping keeps the file as large as it is from the start: room is taken here.
    const HANDLE mapping =
        ::CreateFileMappingW(file, nullptr, PAGE_READWRITE, static_cast<DWORD>(wide >> 32U),
                             static_cast<DWORD>(wide), nullptr);
    void* const at =
        mapping == nullptr ? nullptr : ::MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, size);
    const auto error = failed(ErrorCode::io_failure, "mapped file", size);
    if (mapping != nullptr) {
        ::CloseHandle(mapping); // the view keeps it
    }
    if (at == nullptr) {
        memory.remove_file();
        return error;
    }
    memory.data_ = static_cast<std::byte*>(at);
    memory.size_ = size;
    return memory;
}

bool Memory::is_file_in_use(const std::string& path) noexcept {
    // Others may read and remove it, but not write.
    const HANDLE file = ::CreateFileW(to_path(path).c_str(), GENERIC_WRITE,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                      nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) {
        return ::GetLastError() == ERROR_SHARING_VIOLATION;
    }
    ::CloseHandle(file);
    return false;
}

Result<void> Memory::commit(std::size_t offset, std::size_t size) noexcept {
    if (offset > size_ || size > size_ - offset) {
        return fail(ErrorCode::limit, "memory", {}, size);
    }
    if (file_ == no_file && size != 0 &&
        ::VirtualAlloc(data_ + offset, size, MEM_COMMIT, PAGE_READWRITE) == nullptr) {
        return failed(ErrorCode::limit, "memory", size);
    }
    return {}; // a file has its room from the start
}

void Memory::remove_file() noexcept {
    if (file_ == no_file || path_.empty()) {
        return;
    }
    FILE_DISPOSITION_INFO gone{TRUE}; // when the last view and handle are closed
    ::SetFileInformationByHandle(native(file_), FileDispositionInfo, &gone, sizeof gone);
    path_.clear();
}

std::uint64_t memory_of_machine() noexcept {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return ::GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
}

} // namespace etl::host
