// What /proc says of a process, of this one and of others.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace etl::host {

// What host knows of the process and keeps, until a fork makes it untrue.

/// Once per process; from then on each child of a fork forgets what is kept.
void install_fork_handlers() noexcept;

/// In the only thread of a child.
void forget_kept() noexcept;

/// From /proc/PID/stat, in units of 10 ms since the machine was started; 0: not there.
std::uint64_t start_moment_in(std::string_view stat) noexcept;

/// Reads the beginning of a file of /proc, as much as there is space for; empty if it cannot be
/// read. Without memory.
std::string_view read_facts(const char* path, std::span<char> into) noexcept;

/// process_start_key of a process.
std::uint64_t start_key_of(std::uint32_t process, std::uint64_t moment) noexcept;

/// The file name in the path of a running program.
std::string program_in(std::string path);

} // namespace etl::host
