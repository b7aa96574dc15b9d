// Bounds of the room format, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Extended items of one record: Windows attaches a handful; 65535 bytes cannot hold more than
/// 8191.
inline constexpr std::uint32_t extended_items = 64;

/// Nesting of structures in a schema. TraceLogging providers nest two or three deep.
inline constexpr std::uint32_t struct_depth = 8;

/// A payload: the size of a record is 16 bits wide on disk.
inline constexpr std::size_t payload_bytes = 65535;

/// Bytes of schema metadata that travels in an event.
inline constexpr std::size_t metadata_bytes = 65535;

} // namespace etl::limits
