// Names of flags and numbers in fields of kernel events. Private to dumper.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace etl::dumper {

struct FlagName {
    std::uint32_t flag;
    std::string_view name;
};

/// IRP_*, FILE_ATTRIBUTE_*, FILE_SHARE_*.
extern const std::span<const FlagName> irp_flag_names, file_attribute_names, share_access_names;

/// Appends `name | name | 17`: flags without a name by the number of their bit.
void append_flags(std::string& to, std::uint64_t flags, std::span<const FlagName> names);

/// Appends the disposition, in the high byte of CreateOptions, and the options.
void append_create_options(std::string& to, std::uint64_t options);

/// Appends ` COMMIT RESERVE`: the MEM_* flags of VirtualAlloc and VirtualFree.
void append_allocation_flags(std::string& to, std::uint64_t flags);

/// Returns IO_PRIORITY_HINT + 1 of the flags of an IRP; 0: not set.
constexpr std::uint64_t io_priority_of(std::uint64_t irp_flags) noexcept {
    constexpr unsigned shift = 17;
    return irp_flags >> shift & 7U;
}

/// Returns "NotSet" for 0, "VeryLow", "Low", "Normal", "High", "Critical".
std::string_view name_of_io_priority(std::uint64_t priority) noexcept;

/// Returns the name of a page fault by its type, such as "DemandZero" for 11.
std::string_view fault_name(std::uint8_t type) noexcept;

} // namespace etl::dumper
