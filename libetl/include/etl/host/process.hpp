// The process, its threads and the machine that this runs on. Any thread.
#pragma once

#include <etl/base/guid.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace etl::host {

/// Kept, so that they cost no system call; right in a process that was forked, too.
std::uint32_t process_id() noexcept;
std::uint32_t thread_id() noexcept;

/// The processor that the caller runs on right now, below processor_count(). No system call.
std::uint16_t current_processor() noexcept;

/// How many processors there can be: the highest number + 1, at most limits::processors.
std::uint16_t processor_count() noexcept;

/// File name of the program that runs, without its folder. UTF-8.
std::string executable_name();

/// What tells this process from all others since the machine was started, those with the same id
/// included.
std::uint64_t process_start_key() noexcept;

/// Kernel and user time of the calling thread need a system call: nobody asks for them per event.

/// SID of the user: on Windows the real one, elsewhere S-1-22-1-UID (as Samba maps them). At most
/// 68 bytes. Kept: one that changes its user later (seteuid) still has the one it was asked with
/// first.
struct UserSid {
    std::array<std::byte, 68> bytes{};
    std::size_t size = 0;
};

UserSid user_sid() noexcept;

/// Terminal session; 0 but on Windows. Kept.
std::uint32_t terminal_session() noexcept;

/// Minutes west of UTC, as TIME_ZONE_INFORMATION.Bias counts them, now.
std::int32_t time_zone_bias() noexcept;

/// Bytes of memory pages.
std::size_t page_size() noexcept;

/// Never the same twice on this machine until it starts again, nor guessable from others: a fresh
/// session GUID.
Guid new_guid() noexcept;

/// Addresses of the callers of the caller, innermost first, as many as fit; the result is how many.
/// No allocation. 0 where the library was built without libunwind.
std::size_t walk_stack(std::uint64_t* to, std::size_t most) noexcept;

} // namespace etl::host
