#include "io/inherit_rights.hpp"
#include "io/system/inherited.hpp"

#include <cstdio>
#include <fstream>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>

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

/// Elsewhere there is no other way to ask. For the moment in between, it is the strictest.
unsigned umask_of_process() {
    if (const auto mask = umask_in_status()) {
        return *mask;
    }
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
    auto made = inherited_from(inputs, what);
    const std::scoped_lock lock(current().mutex);
    current().inherited = std::move(made);
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

} // namespace etl::io
