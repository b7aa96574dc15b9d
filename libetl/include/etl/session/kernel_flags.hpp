// The kernel's own events, by the names that xperf has for them: flags, and groups of flags. Data;
// any thread. docs/sessions.md#listing
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace etl::session {

struct KernelFlag {
    std::string_view name;  // "CSWITCH"
    std::uint32_t bits = 0; // EVENT_TRACE_FLAG_xxx; 0: in the group masks only
    std::string_view what;
};

struct KernelGroup {
    std::string_view name;
    std::string_view flags; // "PROC_THREAD+LOADER"
};

std::span<const KernelFlag> kernel_flags() noexcept;
std::span<const KernelGroup> kernel_groups() noexcept;

/// "PROC_THREAD+LOADER+CSWITCH": names of EnableFlags, in ascending order of bits. Bits without a
/// name in hex.
void append_kernel_flag_names(std::string& to, std::uint32_t enable_flags);

} // namespace etl::session
