// Limits of the format module, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Extended data items of one record: Windows attaches a few; 65535 bytes cannot contain more than
/// 8191.
inline constexpr std::uint32_t extended_items = 64;

/// Nesting depth of structures in a schema. TraceLogging providers use two or three levels.
inline constexpr std::uint32_t struct_depth = 8;

/// Payload size: record sizes are 16 bits wide on disk.
inline constexpr std::size_t payload_bytes = 65535;

/// Bytes of schema metadata in an event.
inline constexpr std::size_t metadata_bytes = 65535;

} // namespace etl::limits
