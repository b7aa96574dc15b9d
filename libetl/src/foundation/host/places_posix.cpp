#include "host/descriptor.hpp"
#include "host/places.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/fsuid.h>
#include <sys/syscall.h>
#endif

namespace etl::host {

namespace {

constexpr mode_t for_user = 0700, for_all = 0755;
constexpr auto page = static_cast<off_t>(wake_page_bytes);

std::string environment(const char* name) {
#if defined(__linux__)
    const char* const value = ::secure_getenv(name);
#else
    const char* const value = ::issetugid() != 0 ? nullptr : std::getenv(name);
#endif
    return value == nullptr ? std::string() : std::string(value);
}

MeetingPlace place_of_machine() {
    return {"/run/etl"};
}

MeetingPlace place_of_user() {
    const std::string runtime = environment("XDG_RUNTIME_DIR");
    if (!runtime.empty() && runtime.front() == '/') {
        return {runtime + "/etl"};
    }
    return {"/tmp/etl-" + std::to_string(::geteuid())};
}

} // namespace

std::uint32_t user_id() noexcept {
    return ::geteuid();
}

bool is_machine_scope() {
    return environment("ETL_SCOPE") == "machine";
}

bool is_place_of_machine(const MeetingPlace& place) {
    return place.directory == place_of_machine().directory;
}

std::vector<MeetingPlace> meeting_places() {
    const std::string asked = environment("ETL_HOST");
    if (asked == "none") {
        return {};
    }
    if (!asked.empty()) {
        return {{asked}};
    }
    std::vector<MeetingPlace> places{place_of_machine()};
    if (::geteuid() != 0) {
        places.push_back(place_of_user());
    }
    return places;
}

MeetingPlace own_place() {
    const std::string asked = environment("ETL_HOST");
    if (!asked.empty() && asked != "none") {
        return {asked};
    }
    return ::geteuid() == 0 ? place_of_machine() : place_of_user();
}

bool is_trusted_place(const MeetingPlace& place) noexcept {
    struct stat status{};
    if (::lstat(place.directory.c_str(), &status) != 0) {
        return false;
    }
    const bool is_owned = status.st_uid == ::geteuid() || status.st_uid == 0;
    return S_ISDIR(status.st_mode) && is_owned && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

Result<void> prepare_place(const MeetingPlace& place, bool is_public) {
    if (::mkdir(place.directory.c_str(), is_public ? for_all : for_user) != 0 && errno != EEXIST) {
        return os_error("directory of the host");
    }
    if (!is_trusted_place(place)) {
        return fail(ErrorCode::not_found,
                    "the directory of the host belongs to another user, or others can write to it");
    }
    return {};
}

Result<Descriptor> open_wake_page(const MeetingPlace& place) {
    constexpr mode_t readable_by_all = 0644;
    Descriptor page_file(::open(place.wake_page().c_str(),
                                O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, readable_by_all));
    if (!page_file) {
        page_file =
            Descriptor(::open(place.wake_page().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    }
    if (!page_file) {
        return os_error("wake page",
                        errno == ENOENT ? ErrorCode::not_found : ErrorCode::io_failure);
    }
    struct stat status{};
    if (::fstat(page_file.number(), &status) != 0) {
        return os_error("wake page");
    }
    if (status.st_uid != 0 && status.st_uid != ::geteuid()) {
        return fail(ErrorCode::not_found, "the wake page belongs to another user");
    }
    if (status.st_size < page && ::ftruncate(page_file.number(), page) != 0) {
        return os_error("wake page");
    }
    return page_file;
}

Result<Descriptor> lock_place(const MeetingPlace& place) {
    constexpr mode_t user_only = 0600;
    Descriptor lock(
        ::open(place.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, user_only));
    if (!lock) {
        return os_error("lock of the host");
    }
    if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
        return os_error("another host is running");
    }
    return lock;
}

std::optional<std::uint32_t> group_id(const std::string& name) {
    std::vector<char> texts(4096);
    group found{};
    group* result = nullptr;
    while (::getgrnam_r(name.c_str(), &found, texts.data(), texts.size(), &result) == ERANGE) {
        texts.resize(2 * texts.size());
    }
    return result == nullptr ? std::nullopt : std::optional<std::uint32_t>(result->gr_gid);
}

#if defined(__linux__)

Result<void> use_file_rights_of(std::uint32_t user, std::uint32_t group,
                                const std::vector<std::uint32_t>& groups) {
#if defined(SYS_setgroups32)
    constexpr long set_groups = SYS_setgroups32;
#else
    constexpr long set_groups = SYS_setgroups;
#endif
    // Not setgroups(), which changes all threads.
    if (::syscall(set_groups, groups.size(), groups.data()) != 0) {
        return os_error("rights of another user");
    }
    constexpr auto query = static_cast<std::uint32_t>(-1); // changes nothing, returns the current
    ::setfsgid(group);
    ::setfsuid(user);
    if (static_cast<std::uint32_t>(::setfsgid(query)) != group ||
        static_cast<std::uint32_t>(::setfsuid(query)) != user) {
        return fail(ErrorCode::io_failure, "rights of another user");
    }
    return {};
}

#else

Result<void> use_file_rights_of(std::uint32_t, std::uint32_t, const std::vector<std::uint32_t>&) {
    return fail(ErrorCode::unsupported, "rights of another user");
}

#endif

void raise_descriptor_limit() noexcept {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

bool is_out_of_resources(int os_code) noexcept {
    return os_code == EMFILE || os_code == ENFILE || os_code == ENOMEM || os_code == ENOBUFS;
}

} // namespace etl::host
