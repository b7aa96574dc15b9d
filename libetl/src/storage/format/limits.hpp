// Limits of the room format, each with its reason. See base/limits.hpp.
#pragma once

#include <etl/record.hpp>

#include <cstddef>
#include <cstdint>

namespace etl::format::limits {

/// Payload of a record.
inline constexpr std::size_t payload_bytes = format::max_record_size;

/// Bytes of schema metadata in an event.
inline constexpr std::size_t metadata_bytes = format::max_record_size;

} // namespace etl::format::limits
