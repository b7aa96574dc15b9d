// Limits of the room format, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::format {

/// Size of a record: the size field of every record is 16 bits wide. docs/format/record.md
inline constexpr std::size_t max_record_size = 0xFFFF;

} // namespace etl::format

namespace etl::limits {

/// Extended data items of one record: Windows attaches a few; a record cannot contain more than
/// 8191.
inline constexpr std::uint32_t extended_items = 64;

/// Nesting depth of structures in a schema. TraceLogging providers use two or three levels.
inline constexpr std::uint32_t struct_depth = 8;

/// Payload of a record.
inline constexpr std::size_t payload_bytes = format::max_record_size;

/// Bytes of schema metadata in an event.
inline constexpr std::size_t metadata_bytes = format::max_record_size;

} // namespace etl::limits
