// Where processes and the host of machine sessions meet: directories and the files in them.
// docs/machine-sessions.md#places
#pragma once

#include <etl/error.hpp>

#include "host/descriptor.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etl::host {

/// A directory with the socket of a host and the page on which processes wait for it.
struct MeetingPlace {
    std::string directory;

    std::string socket() const { return directory + "/host"; }

    std::string wake_page() const { return directory + "/wake"; }

    std::string lock() const { return directory + "/lock"; }
};

/// Returns the places where this process looks for a host, in this order; empty if ETL_HOST is
/// `none`. With ETL_HOST, its directory only. Otherwise /run/etl (of the machine), then etl in
/// XDG_RUNTIME_DIR or, if that is unset, /tmp/etl-UID. Ignores the environment of setuid programs.
std::vector<MeetingPlace> meeting_places();

/// Returns whether ETL_SCOPE is `machine`: programs written for Windows attach.
bool is_machine_scope();

/// Returns the place of a host that this process would be: the first of the above that it may
/// create.
MeetingPlace own_place();

/// Returns whether it is /run/etl.
bool is_place_of_machine(const MeetingPlace& place);

/// Size of the wake page. Its first 32 bits count the hosts that have started.
inline constexpr std::size_t wake_page_bytes = 4096;

/// Creates the directory of a place if it does not exist, for its user only, or for all
/// (`is_public`). Errors: not_found (it is not a directory, or belongs to another user than this
/// one or root, or others can write to it), io_failure.
Result<void> prepare_place(const MeetingPlace& place, bool is_public);

/// Checks the same of a place that exists.
bool is_trusted_place(const MeetingPlace& place) noexcept;

/// Opens the wake page, 4096 bytes, and creates it if this process may. Errors: not_found,
/// io_failure.
Result<Descriptor> open_wake_page(const MeetingPlace& place);

/// Locks a place for a host until the descriptor is closed. The lock is on a file of its own, which
/// no other user can open: what others can open they could lock. Errors: io_failure (os_code
/// EWOULDBLOCK: a host is running).
Result<Descriptor> lock_place(const MeetingPlace& place);

/// Returns the effective user ID.
std::uint32_t user_id() noexcept;

/// Returns the number of a group; nothing if there is no group of this name.
std::optional<std::uint32_t> group_id(const std::string& name);

/// From now on, the calling thread and the threads that it creates open files with the rights of a
/// user; the rest of the process keeps its own. Not to be undone. Linux, root only. Errors:
/// unsupported, io_failure.
Result<void> use_file_rights_of(std::uint32_t user, std::uint32_t group,
                                const std::vector<std::uint32_t>& groups);

/// Raises the limit of open files to what the system permits.
void raise_descriptor_limit() noexcept;

/// Returns whether a call failed because this process or the machine has no memory, descriptors, or
/// threads left, by its errno.
bool is_out_of_resources(int os_code) noexcept;

} // namespace etl::host
