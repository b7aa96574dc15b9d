// Kernel event flags and groups of flags, by their xperf names. Data; thread-safe.
// docs/sessions.md#listing
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace etl::session {

struct KernelFlag {
    std::string_view name;  // "CSWITCH"
    std::uint32_t bits = 0; // EVENT_TRACE_FLAG_xxx; 0: only in group masks
    std::string_view what;
};

struct KernelGroup {
    std::string_view name;
    std::string_view flags; // "PROC_THREAD+LOADER"
};

std::span<const KernelFlag> kernel_flags() noexcept;
std::span<const KernelGroup> kernel_groups() noexcept;

/// Appends the names of EnableFlags, in ascending bit order: "PROC_THREAD+LOADER+CSWITCH". Bits
/// without a name are in hex.
void append_kernel_flag_names(std::string& to, std::uint32_t enable_flags);

} // namespace etl::session
