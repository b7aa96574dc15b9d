// Hook ids of kernel records and the event classes behind them. docs/format/record.md#hooks
#pragma once

#include <etl/base/guid.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace etl::format {

/// The class GUID of a hook id (Group << 8 | Type). Image load is logged under the Process group
/// but belongs to the Image class. Groups without a class give the zero GUID.
Guid class_of_hook(std::uint16_t hook_id) noexcept;

/// The inverse for an event type: the hook id whose class and type these are; nothing for classes
/// that the kernel has no group for. The type is the low byte.
std::optional<std::uint16_t> hook_of_class(const Guid& class_guid, std::uint8_t type) noexcept;

/// "Process", "DiskIo", ...; empty for unknown groups.
std::string_view class_name(const Guid& class_guid) noexcept;

/// The names of all classes, by group number. Static.
std::span<const std::string_view> class_names() noexcept;

/// The hook of the log file header record.
inline constexpr std::uint16_t logfile_header_hook = 0x0000;

/// GUID of the provider of all kernel classes, and its name.
inline constexpr Guid system_trace_guid = *parse_guid("9e814aad-3204-11d2-9a82-006008a86939");
inline constexpr std::string_view system_trace_name = "MSNT_SystemTrace";

/// Classes of the records that a merge injects.
inline constexpr Guid event_metadata_guid = *parse_guid("bbccf6c1-6cd1-48c4-80ff-839482e37671");
inline constexpr Guid event_trace_guid = *parse_guid("68fdd900-4a3e-11d1-84f4-0000f80464e3");

} // namespace etl::format
