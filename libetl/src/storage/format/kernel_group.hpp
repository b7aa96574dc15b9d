// Hook IDs of kernel records and their event classes. docs/format/record.md#hooks
#pragma once

#include <etl/guid.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace etl::format {

/// Returns the class GUID of a hook ID (Group << 8 | Type). Image loads are logged under the
/// Process group but belong to the Image class. Returns the zero GUID for groups without a class.
Guid class_of_hook(std::uint16_t hook_id) noexcept;

/// Returns the hook ID of a class and an event type, which is its low byte; nothing for classes
/// without a kernel group.
std::optional<std::uint16_t> hook_of_class(const Guid& class_guid, std::uint8_t type) noexcept;

/// Returns "Process", "DiskIo", ...; empty for unknown classes.
std::string_view class_name(const Guid& class_guid) noexcept;

/// Returns the names of all classes, by group number. Static.
std::span<const std::string_view> class_names() noexcept;

/// The hook of the log file header record.
inline constexpr std::uint16_t logfile_header_hook = 0x0000;

/// GUID and name of the provider of all kernel classes.
inline constexpr Guid system_trace_guid = *parse_guid("9e814aad-3204-11d2-9a82-006008a86939");
inline constexpr std::string_view system_trace_name = "MSNT_SystemTrace";

/// Classes of the records that a merge injects.
inline constexpr Guid event_metadata_guid = *parse_guid("bbccf6c1-6cd1-48c4-80ff-839482e37671");
inline constexpr Guid event_trace_guid = *parse_guid("68fdd900-4a3e-11d1-84f4-0000f80464e3");

} // namespace etl::format
