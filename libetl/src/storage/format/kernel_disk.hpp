// Completions of disk I/O: events of the kernel's class DiskIo, and the same ones of
// Microsoft-Windows-Kernel-Disk. Source: the class in schemas/kernel, the manifest of the provider.
#pragma once

#include <etl/guid.hpp>

#include <algorithm>
#include <cstdint>

namespace etl::format {

/// Microsoft-Windows-Kernel-Disk.
inline constexpr Guid kernel_disk_guid = *parse_guid("c7bde69a-e1e0-4177-b6ef-283ad1525271");

enum class DiskOperation : std::uint8_t { read, write, flush };

/// A hook of DiskIo.
struct DiskHook {
    std::uint16_t id;
    DiskOperation operation;
};

inline constexpr DiskHook disk_hooks[] = {
    {0x010A, DiskOperation::read},  {0x010B, DiskOperation::write}, {0x010E, DiskOperation::flush},
    {0x0137, DiskOperation::read}, // 0x0137 to 0x0139: optical disks
    {0x0138, DiskOperation::write}, {0x0139, DiskOperation::flush}};

/// An event of the provider, by its ID.
struct DiskEvent {
    std::uint16_t id;
    DiskOperation operation;
};

inline constexpr DiskEvent disk_events[] = {
    {10, DiskOperation::read}, {11, DiskOperation::write}, {14, DiskOperation::flush}};

/// Returns whether a hook is that of a completion.
constexpr bool is_disk_completion(std::uint16_t hook) noexcept {
    return std::ranges::any_of(disk_hooks, [&](const DiskHook& one) { return one.id == hook; });
}

} // namespace etl::format
