#include "io/find_files.hpp"
#include "io/inherit_rights.hpp"
#include "io/system/new_file.hpp"
#include "io/system/os_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace etl::io {

namespace {

constexpr unsigned of_owner = S_IRUSR | S_IWUSR;
constexpr unsigned of_group = S_IRGRP | S_IWGRP;
constexpr unsigned of_others = S_IROTH | S_IWOTH;
constexpr unsigned bits_per_class = 3;

struct Current {
    std::mutex mutex;
    std::optional<Inherited> inherited;
};

Current& current() noexcept {
    static Current instance;
    return instance;
}

/// What Linux tells without a change of it.
std::optional<unsigned> umask_in_status() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        unsigned mask = 0;
        if (std::sscanf(line.c_str(), "Umask:%o", &mask) == 1) { // NOLINT(cert-err34-c)
            return mask;
        }
    }
    return std::nullopt;
}

/// Elsewhere there is no other way to ask, one thread at a time. For the moment in between, it is
/// the strictest.
unsigned umask_of_process() {
    if (const auto mask = umask_in_status()) {
        return *mask;
    }
    static std::mutex asking;
    const std::scoped_lock lock(asking);
    const mode_t mask = ::umask(S_IRWXG | S_IRWXO);
    ::umask(mask);
    return mask;
}

/// Members of the old group are others of the new file, and others can be members of the new one.
unsigned without_group(unsigned permissions) noexcept {
    const unsigned both = (permissions >> bits_per_class) & permissions & of_others;
    return (permissions & of_owner) | both << bits_per_class | both;
}

void join(std::optional<Inherited>& all, const struct stat& one) {
    if (!all) {
        all = Inherited{.permissions = of_owner | of_group | of_others,
                        .permissions_of_other_group = 0,
                        .user = one.st_uid,
                        .group = one.st_gid,
                        .time = {}};
    }
    all->permissions &= one.st_mode;
    all->user = all->user == one.st_uid ? all->user : std::nullopt;
    // No group has the permissions of several.
    all->group = all->group == one.st_gid ? all->group : std::nullopt;
}

std::optional<Inherited> inherited_from(std::span<const std::string> inputs, Inherit what) {
    std::optional<Inherited> all;
    for (const std::string& input : inputs) {
        struct stat one{};
        const bool is_known =
            input == "-" ? ::fstat(STDIN_FILENO, &one) == 0 : ::stat(input.c_str(), &one) == 0;
        if (is_known && S_ISREG(one.st_mode)) {
            join(all, one);
        }
    }
    if (!all) {
        return std::nullopt;
    }
    const unsigned mask = what == Inherit::copied_rights ? 0 : umask_of_process();
    const unsigned permissions = all->permissions;
    all->permissions = (permissions & ~mask) | of_owner;
    all->permissions_of_other_group = (without_group(permissions) & ~mask) | of_owner;
    if (what == Inherit::copied_rights && inputs.size() == 1) {
        std::error_code code;
        const auto time = std::filesystem::last_write_time(inputs.front(), code);
        all->time = code ? std::nullopt : std::optional(time);
    }
    return all;
}

thread_local const std::optional<Inherited>* of_this_thread = nullptr;

} // namespace

struct InheritedRights::State {
    std::optional<Inherited> inherited;
    const std::optional<Inherited>* outer = nullptr;
};

InheritedRights::InheritedRights(std::span<const std::string> inputs)
    : state_(std::make_unique<State>(inherited_from(inputs, Inherit::rights), of_this_thread)) {
    of_this_thread = &state_->inherited;
}

InheritedRights::~InheritedRights() {
    of_this_thread = state_->outer;
}

void inherit_rights(std::span<const std::string> inputs, Inherit what) {
    const auto made = inherited_from(inputs, what);
    const std::scoped_lock lock(current().mutex);
    current().inherited = made;
}

std::optional<Inherited> inherited() {
    if (of_this_thread != nullptr) {
        return *of_this_thread;
    }
    const std::scoped_lock lock(current().mutex);
    return current().inherited;
}

void inherit(int descriptor, const Inherited& from) noexcept {
    constexpr auto same_user = static_cast<uid_t>(-1);
    constexpr auto same_group = static_cast<gid_t>(-1);
    const gid_t group = from.group.value_or(same_group);
    // Only the administrator can give a file away; its owner can choose one of his groups.
    if (!from.user || ::fchown(descriptor, *from.user, group) != 0) {
        static_cast<void>(from.group && ::fchown(descriptor, same_user, group) == 0);
    }
    struct stat now{};
    const bool has_group =
        from.group && ::fstat(descriptor, &now) == 0 && now.st_gid == *from.group;
    // Fails where files have no permissions.
    static_cast<void>(::fchmod(
        descriptor,
        static_cast<mode_t>(has_group ? from.permissions : from.permissions_of_other_group)));
}

void inherit_time(const std::filesystem::path& file) {
    if (const auto from = inherited(); from && from->time) {
        std::error_code ignored;
        std::filesystem::last_write_time(file, *from->time, ignored);
    }
}

namespace {

constexpr mode_t usual_mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
constexpr mode_t private_mode = S_IRUSR | S_IWUSR;

std::string folder_of(const std::string& path) {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

/// Calls `make` with hidden names beside `target` until one is free. What it returned last.
template <typename Make>
int under_free_name(const std::string& target, std::string& name, Make make) {
    std::random_device random;
    int made = -1;
    for (int attempt = 0; attempt < 100; ++attempt) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), ".etl-%08x%08x.tmp", random(), random());
        name = folder_of(target) + text.data();
        made = make(name.c_str());
        if (made >= 0 || errno != EEXIST) {
            break;
        }
    }
    return made;
}

std::string path_of_descriptor(std::intptr_t descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

/// Where this is not allowed the new file keeps the owner and the permissions of a new file.
void take_after(int descriptor, const Target& target) {
    const bool is_owned = ::fchown(descriptor, target.user, target.group) == 0;
    constexpr unsigned acting_as_owner = S_ISUID | S_ISGID; // nobody's but the old owner's
    const unsigned permissions =
        is_owned ? target.permissions : target.permissions & ~acting_as_owner;
    static_cast<void>(::fchmod(descriptor, static_cast<mode_t>(permissions)));
}

/// A descriptor, or -1 where there are no files without a name, or where they could not get one.
int open_nameless([[maybe_unused]] const std::string& target, [[maybe_unused]] mode_t mode) {
#if defined(__linux__) && defined(O_TMPFILE)
    if (::access("/proc/self/fd", X_OK) == 0) {
        const std::string folder = folder_of(target);
        return ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    }
#endif
    return -1;
}

/// The file that a path names through symbolic links, be it one that does not exist yet.
std::string behind_links(const std::string& path) {
    std::filesystem::path at = path;
    std::error_code code;
    if (!std::filesystem::is_symlink(at, code)) {
        return path;
    }
    if (struct stat there{}; ::stat(path.c_str(), &there) == 0) {
        const auto behind = std::filesystem::canonical(at, code);
        return code ? path : behind.native(); // /dev/stdout may name a pipe, which has no path
    }
    constexpr int max = 40; // as Linux; a path that comes to no end is refused
    for (int i = 0; i < max && std::filesystem::is_symlink(at, code); ++i) {
        const auto next = std::filesystem::read_symlink(at, code);
        if (code) {
            break;
        }
        at = at.parent_path() / next; // an absolute one replaces it
    }
    return at.native();
}

} // namespace

Target target_of(const std::string& path) {
    Target target{.path = behind_links(path)};
    struct stat there{};
    if (::stat(target.path.c_str(), &there) == 0) {
        target.kind = S_ISREG(there.st_mode)   ? Target::Kind::regular
                      : S_ISDIR(there.st_mode) ? Target::Kind::folder
                                               : Target::Kind::other;
        target.permissions = there.st_mode & 07777U;
        target.user = there.st_uid;
        target.group = there.st_gid;
    }
    return target;
}

NewFile::NewFile(Target target, std::string hidden, std::unique_ptr<WritableFile> file,
                 std::intptr_t handle)
    : target_(std::move(target)), hidden_(std::move(hidden)), file_(std::move(file)),
      handle_(handle) {}

Result<std::unique_ptr<NewFile>> NewFile::beside(const Target& target, Rights rights) {
    if (target.kind == Target::Kind::regular &&
        ::faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0) {
        return std::unexpected(os_error("replace"));
    }
    struct stat there{};
    const bool goes_round = ::stat(target.path.c_str(), &there) != 0 && errno == ELOOP;
    if (goes_round) {
        return std::unexpected(os_error("create"));
    }
    const bool is_replacement = target.kind == Target::Kind::regular;
    const bool is_private = rights == Rights::only_owner;
    const auto from = is_private ? std::nullopt : inherited();
    // Others may not open it before it has its permissions.
    const mode_t mode = is_private || is_replacement || from ? private_mode : usual_mode;
    std::string hidden;
    int opened = open_nameless(target.path, mode);
    const bool is_nameless = opened >= 0;
    if (!is_nameless) {
        opened = under_free_name(target.path, hidden, [mode](const char* name) {
            return ::open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        });
    }
    if (opened < 0) {
        return std::unexpected(os_error("create"));
    }
    if (is_replacement && !is_private) {
        take_after(opened, target);
    } else if (from) {
        inherit(opened, *from);
    }
    auto file = std::unique_ptr<NewFile>(new NewFile(target, std::move(hidden),
                                                     disk_file(target.path, opened),
                                                     is_nameless ? opened : no_handle));
    if (struct stat made{}; ::fstat(opened, &made) == 0) {
        file->identity_ = {made.st_dev, made.st_ino};
    }
    return file;
}

NewFile::~NewFile() {
    if (is_closed_ && holds_handle()) {
        ::close(static_cast<int>(handle_));
    }
    if (!hidden_.empty()) {
        ::unlink(hidden_.c_str());
    }
}

Result<void> NewFile::name_it() {
    const std::string unnamed = path_of_descriptor(handle_);
    const int linked = under_free_name(target_.path, hidden_, [&](const char* name) {
        return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
    });
    if (linked < 0) {
        hidden_.clear();
        return std::unexpected(os_error("create"));
    }
    return {};
}

Result<void> NewFile::share() {
    return hidden_.empty() ? name_it() : Result<void>{};
}

bool NewFile::is_in_place() const noexcept {
    struct stat there{};
    return ::lstat(hidden_.c_str(), &there) == 0 && there.st_dev == identity_.volume &&
           there.st_ino == identity_.file;
}

Result<void> NewFile::close(Handle handle) {
    if (holds_handle() && handle == Handle::give_up) {
        if (auto named = share(); !named) {
            return named;
        }
        handle_ = no_handle;
    } else if (holds_handle()) {
        handle_ = ::fcntl(static_cast<int>(handle_), F_DUPFD_CLOEXEC, 0);
        if (handle_ < 0) {
            handle_ = no_handle;
            return std::unexpected(os_error("close"));
        }
    }
    is_closed_ = true;
    return file_->close();
}

Result<void> NewFile::sync() {
    const int opened =
        holds_handle() ? static_cast<int>(handle_) : ::open(hidden_.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = opened >= 0 && ::fsync(opened) == 0;
    const Error failure = os_error("sync");
    if (!holds_handle() && opened >= 0) {
        ::close(opened);
    }
    return synced ? Result<void>{} : std::unexpected(failure);
}

Result<void> NewFile::appear(Taken taken) {
    if (hidden_.empty()) {
        if (auto named = name_it(); !named) {
            return named;
        }
    }
    inherit_time(hidden_);
    if (taken == Taken::kept) {
        if (auto renamed = rename_file(hidden_, target_.path); !renamed) {
            return renamed;
        }
    } else if (::rename(hidden_.c_str(), target_.path.c_str()) != 0) {
        return std::unexpected(os_error("rename"));
    }
    hidden_.clear();
    if (holds_handle()) {
        ::close(static_cast<int>(std::exchange(handle_, no_handle)));
    }
    return {};
}

} // namespace etl::io
