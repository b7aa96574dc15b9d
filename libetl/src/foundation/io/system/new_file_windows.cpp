#include "io/inherit_rights.hpp"
#include "io/system/new_file.hpp"
#include "io/system/os_file.hpp"
#include "io/system/system.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <array>
#include <cstdio>
#include <mutex>
#include <random>
#include <utility>
#include <windows.h>

namespace etl::io {

namespace {

struct Current {
    std::mutex mutex;
    std::optional<std::filesystem::file_time_type> time;
};

Current& current() noexcept {
    static Current instance;
    return instance;
}

/// Files of this thread have their own inputs, of which they inherit nothing here.
thread_local unsigned inherited_rights = 0;

} // namespace

// Who may read a new file is up to its directory.
void inherit_rights(std::span<const std::string> inputs, Inherit what) {
    std::optional<std::filesystem::file_time_type> time;
    if (what == Inherit::copied_rights && inputs.size() == 1) {
        std::error_code code;
        const auto found = std::filesystem::last_write_time(to_path(inputs.front()), code);
        time = code ? std::nullopt : std::optional(found);
    }
    const std::scoped_lock lock(current().mutex);
    current().time = time;
}

struct InheritedRights::State {};

InheritedRights::InheritedRights(std::span<const std::string> /*inputs*/) {
    ++inherited_rights;
}

InheritedRights::~InheritedRights() {
    --inherited_rights;
}

std::optional<Inherited> inherited() {
    return std::nullopt;
}

void inherit(int /*descriptor*/, const Inherited& /*from*/) noexcept {}

void inherit_time(const std::filesystem::path& file) {
    const std::scoped_lock lock(current().mutex);
    if (current().time && inherited_rights == 0) {
        std::error_code ignored;
        std::filesystem::last_write_time(file, *current().time, ignored);
    }
}

Target target_of(const std::string& path) {
    Target target{.path = path};
    std::error_code code;
    if (std::filesystem::is_symlink(to_path(path), code)) {
        const auto behind = std::filesystem::canonical(to_path(path), code);
        target.path = code ? path : to_text(behind);
    }
    const auto status = std::filesystem::status(to_path(target.path), code);
    if (std::filesystem::exists(status)) {
        target.kind = std::filesystem::is_regular_file(status) ? Target::Kind::regular
                      : std::filesystem::is_directory(status)  ? Target::Kind::folder
                                                               : Target::Kind::other;
    }
    return target;
}

NewFile::NewFile(Target target, std::string hidden, std::unique_ptr<WritableFile> file,
                 std::intptr_t handle)
    : target_(std::move(target)), hidden_(std::move(hidden)), file_(std::move(file)),
      handle_(handle) {}

Result<std::unique_ptr<NewFile>> NewFile::beside(const Target& target, Rights /*rights*/) {
    const auto there = ::GetFileAttributesW(to_path(target.path).c_str());
    if (target.kind == Target::Kind::regular && there != INVALID_FILE_ATTRIBUTES &&
        (there & FILE_ATTRIBUTE_READONLY) != 0) {
        ::SetLastError(ERROR_ACCESS_DENIED);
        return std::unexpected(os_error("replace"));
    }
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), ".etl-%08x%08x.tmp", random(), random());
        const auto hidden = to_path(target.path).parent_path() / text.data();
        const HANDLE opened =
            ::CreateFileW(hidden.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, nullptr,
                          CREATE_NEW, FILE_ATTRIBUTE_HIDDEN, nullptr);
        if (opened != INVALID_HANDLE_VALUE) {
            return std::unique_ptr<NewFile>(new NewFile(
                target, to_text(hidden),
                disk_file(target.path, reinterpret_cast<std::intptr_t>(opened)), no_handle));
        }
        if (::GetLastError() != ERROR_FILE_EXISTS) {
            break;
        }
    }
    return std::unexpected(os_error("create"));
}

NewFile::~NewFile() {
    file_.reset(); // an open file cannot be deleted
    if (!hidden_.empty()) {
        ::DeleteFileW(to_path(hidden_).c_str());
    }
}

Result<void> NewFile::name_it() {
    return {};
}

Result<void> NewFile::share() {
    return close(Handle::give_up);
}

bool NewFile::is_in_place() const noexcept {
    return true;
}

Result<void> NewFile::close(Handle /*handle*/) {
    if (auto synced = file_->sync(); !synced) { // later it has no handle any more
        return synced;
    }
    is_closed_ = true;
    return file_->close();
}

Result<void> NewFile::sync() {
    return {};
}

Result<void> NewFile::appear(Taken taken) {
    const auto hidden = to_path(hidden_);
    inherit_time(hidden);
    ::SetFileAttributesW(hidden.c_str(), FILE_ATTRIBUTE_NORMAL);
    const DWORD how = taken == Taken::kept ? 0 : MOVEFILE_REPLACE_EXISTING;
    if (::MoveFileExW(hidden.c_str(), to_path(target_.path).c_str(),
                      how | MOVEFILE_WRITE_THROUGH) == 0) {
        return std::unexpected(os_error("rename"));
    }
    hidden_.clear();
    return {};
}

} // namespace etl::io
