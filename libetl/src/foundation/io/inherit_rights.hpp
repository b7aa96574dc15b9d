// Files that are made of others are not readable by more users than these.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace etl::io {

enum class Inherit : std::uint8_t {
    rights,       // as far as the umask of the process permits
    copied_rights // regardless of the umask, and the times: the same file in another form
};

/// From now on, new files of this process that AtomicFile, AtomicFiles, and disk() create inherit
/// from `inputs`: the permissions that all of them have (read and write), and their owner and group
/// if all have the same and the process may set them. Without that group, the group gets the
/// permissions that the group and all others had. The owner can always read and write. Applies
/// until the next call; without inputs, new files are as usual. `-` is standard input; only regular
/// files count. Access control lists are not inherited, and Windows has only the times.
///
/// For programs: like the umask, this applies to the process. Thread-safe.
void inherit_rights(std::span<const std::string> inputs, Inherit what = Inherit::rights);

/// For libraries: while it lives, new files that this thread creates inherit from `inputs`, as by
/// inherit_rights, and not from what the process was told.
class InheritedRights {
public:
    explicit InheritedRights(std::span<const std::string> inputs);
    InheritedRights(const InheritedRights&) = delete;
    InheritedRights& operator=(const InheritedRights&) = delete;
    ~InheritedRights();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::io
