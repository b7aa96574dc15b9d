// The current process, its threads, and the machine. Thread-safe.
#pragma once

#include <etl/guid.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace etl::host {

/// Cached, so no system call; also correct in a forked process.
std::uint32_t process_id() noexcept;
std::uint32_t thread_id() noexcept;

/// Returns the current processor of the caller, below processor_count(). No system call.
std::uint16_t current_processor() noexcept;

/// Returns the highest possible processor number + 1, at most etl::limits::processors.
std::uint16_t processor_count() noexcept;

/// Returns the file name of the running program, without its directory. UTF-8.
std::string executable_name();

/// Returns the arguments that the program was started with, its name first; empty if the system
/// does not reveal them. As passed: usually UTF-8.
std::vector<std::string> command_line();

/// Returns a key that distinguishes this process from all others since boot, including those with
/// the same ID.
std::uint64_t process_start_key() noexcept;

/// CPU times of the calling thread are not provided: they would require a system call per event.

/// SID of the user: on Windows the actual SID, elsewhere S-1-22-1-UID (Samba's mapping). At most 68
/// bytes. Cached on first use; a later change of user (seteuid) has no effect.
struct UserSid {
    std::array<std::byte, 68> bytes{};
    std::size_t size = 0;
};

UserSid user_sid() noexcept;

/// Returns the terminal session; 0 except on Windows. Cached.
std::uint32_t terminal_session() noexcept;

/// Returns the current bias in minutes west of UTC, as in TIME_ZONE_INFORMATION.Bias.
std::int32_t time_zone_bias() noexcept;

/// Makes the calling thread one that the program does not notice: it receives no signals, and has a
/// name of its own (at most 15 characters).
void become_helper_thread(const char* name) noexcept;

/// Returns the memory page size in bytes.
std::size_t page_size() noexcept;

/// Returns a new session GUID: unique on this machine until it restarts, and not predictable from
/// others.
Guid new_guid() noexcept;

/// Stores the return addresses of the caller's call stack, innermost first, at most `max`, and
/// returns their number. No allocation. Returns 0 if the library was built without libunwind.
std::size_t walk_stack(std::uint64_t* to, std::size_t max) noexcept;

// Handling of fork(), on systems that have it. docs/session-internals.md#fork

/// From watch() to end_watch(), receives callbacks for every fork of this process: before the fork
/// (on the forking thread), and after it in both processes. Before the fork, objects are called in
/// the order of watch(); afterwards, in reverse order. Only the forking thread exists in the child.
class ForkWatch {
public:
    ForkWatch() = default;
    ForkWatch(const ForkWatch&) = delete;
    ForkWatch& operator=(const ForkWatch&) = delete;
    virtual ~ForkWatch() = default;

    virtual void before_fork() noexcept = 0;
    virtual void in_parent() noexcept = 0;
    virtual void in_child() noexcept = 0;

protected:
    /// Call last in the constructor of a final class: another thread may fork immediately.
    void watch();

    /// Call first in its destructor. Waits for a fork in progress.
    void end_watch() noexcept;
};

} // namespace etl::host
