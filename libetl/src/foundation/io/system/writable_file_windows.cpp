#include "io/system/new_file.hpp"
#include "io/system/os_file.hpp"
#include "io/system/system.hpp"
#include "io/writable_file.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>
#include <windows.h>

namespace etl::io {

namespace {

constexpr std::size_t max_in_one_call = 1U << 30U; // one call takes 32 bits
constexpr auto last_offset = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

Error error_at(const char* what, FileOffset where) noexcept {
    Error error = os_error(what);
    error.code = ErrorCode::io_failure; // the file is open: nothing is missing
    error.where = where;
    return error;
}

Error error_of(DWORD code, const char* what, FileOffset where = {}) noexcept {
    ::SetLastError(code);
    return error_at(what, where);
}

OVERLAPPED place(std::uint64_t where) noexcept {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(where);
    place.OffsetHigh = static_cast<DWORD>(where >> 32U);
    return place;
}

bool is_within_reach(FileOffset where, std::size_t size) noexcept {
    return where.value <= last_offset && size <= last_offset - where.value;
}

class DiskFile final : public WritableFile {
public:
    /// A file on disk has a size and any place; a pipe or a device takes bytes in order only.
    enum class Kind : std::uint8_t { regular, stream };

    DiskFile(HANDLE handle, Kind kind) : handle_(handle), kind_(kind) {}

    DiskFile(const DiskFile&) = delete;
    DiskFile& operator=(const DiskFile&) = delete;

    ~DiskFile() override {
        if (handle_ != INVALID_HANDLE_VALUE) {
            ::CloseHandle(handle_);
        }
    }

    Result<void> write_at(FileOffset where, Bytes bytes) override {
        if (!is_within_reach(where, bytes.size())) {
            return std::unexpected(error_of(ERROR_FILE_TOO_LARGE, "write", where));
        }
        if (kind_ == Kind::stream && where.value != streamed_) {
            return std::unexpected(
                error_of(ERROR_SEEK_ON_DEVICE, "cannot write to a pipe out of order", where));
        }
        while (!bytes.empty()) {
            OVERLAPPED at = place(where.value);
            DWORD put = 0;
            if (::WriteFile(handle_, bytes.data(),
                            static_cast<DWORD>(std::min(bytes.size(), max_in_one_call)), &put,
                            kind_ == Kind::regular ? &at : nullptr) == 0) {
                return std::unexpected(error_at("write", where));
            }
            if (put == 0) {
                return std::unexpected(error_of(ERROR_WRITE_FAULT, "write", where));
            }
            streamed_ += put;
            bytes = bytes.subspan(put);
            where = where + put;
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
            OVERLAPPED at = place(where.value + total);
            DWORD got = 0;
            if (::ReadFile(handle_, rest.data(),
                           static_cast<DWORD>(std::min(rest.size(), max_in_one_call)), &got,
                           &at) == 0 &&
                ::GetLastError() != ERROR_HANDLE_EOF) {
                return std::unexpected(error_at("read", where + total));
            }
            if (got == 0) {
                break;
            }
            total += got;
        }
        return total;
    }

    Result<std::uint64_t> size() override {
        LARGE_INTEGER size{};
        if (kind_ == Kind::regular && ::GetFileSizeEx(handle_, &size) == 0) {
            return std::unexpected(error_at("stat", {}));
        }
        return static_cast<std::uint64_t>(size.QuadPart);
    }

    Result<void> resize(std::uint64_t size) override {
        if (kind_ != Kind::regular) {
            return {};
        }
        if (size > last_offset) {
            return std::unexpected(error_of(ERROR_FILE_TOO_LARGE, "resize"));
        }
        FILE_END_OF_FILE_INFO end{};
        end.EndOfFile.QuadPart = static_cast<LONGLONG>(size);
        if (::SetFileInformationByHandle(handle_, FileEndOfFileInfo, &end, sizeof end) == 0) {
            return std::unexpected(error_at("resize", {size}));
        }
        return {};
    }

    Result<void> allocate(std::uint64_t size) override {
        if (kind_ != Kind::regular) {
            return {};
        }
        if (size > last_offset) {
            return std::unexpected(error_of(ERROR_FILE_TOO_LARGE, "allocate"));
        }
        FILE_ALLOCATION_INFO room{};
        room.AllocationSize.QuadPart = static_cast<LONGLONG>(size);
        if (::SetFileInformationByHandle(handle_, FileAllocationInfo, &room, sizeof room) == 0) {
            return std::unexpected(error_at("allocate", {size}));
        }
        return resize(size);
    }

    bool is_stream() const noexcept override { return kind_ == Kind::stream; }

    Result<void> sync() override {
        if (kind_ == Kind::regular && ::FlushFileBuffers(handle_) == 0) {
            return std::unexpected(error_at("sync", {}));
        }
        return {};
    }

    Result<void> close() override {
        if (::CloseHandle(std::exchange(handle_, INVALID_HANDLE_VALUE)) == 0) {
            return std::unexpected(error_at("close", {}));
        }
        return {};
    }

private:
    HANDLE handle_;
    Kind kind_;
    std::uint64_t streamed_ = 0; // bytes that a stream has taken
};

class Disk final : public FileFactory {
public:
    Result<std::unique_ptr<WritableFile>> open(const std::string& path, Open how) override {
        // FILE_SHARE_READ alone: no other handle can write the file as long as this one is open.
        const HANDLE opened = ::CreateFileW(
            to_path(path).c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, nullptr,
            how == Open::replace ? CREATE_ALWAYS : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
        if (opened == INVALID_HANDLE_VALUE) {
            return std::unexpected(os_error(how == Open::replace ? "create" : "open"));
        }
        return std::make_unique<DiskFile>(opened, ::GetFileType(opened) == FILE_TYPE_DISK
                                                      ? DiskFile::Kind::regular
                                                      : DiskFile::Kind::stream);
    }

    Result<void> remove(const std::string& path) override {
        // A link that pointed nowhere before its file was made stays.
        std::error_code code;
        const auto target = std::filesystem::canonical(to_path(path), code);
        if (::DeleteFileW(code ? to_path(path).c_str() : target.c_str()) == 0) {
            return std::unexpected(os_error("remove"));
        }
        return {};
    }
};

} // namespace

bool is_in_use(const Error& error) noexcept {
    return error.os_code == ERROR_SHARING_VIOLATION || error.os_code == ERROR_LOCK_VIOLATION;
}

std::unique_ptr<WritableFile> disk_file(std::string /*path*/, std::intptr_t handle) {
    return std::make_unique<DiskFile>(reinterpret_cast<HANDLE>(handle), DiskFile::Kind::regular);
}

FileFactory& disk() noexcept {
    static Disk instance;
    return instance;
}

} // namespace etl::io
