// Limits of the room fromjson, each with its reason. See base/limits.hpp.
#pragma once

#include "format/limits.hpp"

#include <cstddef>
#include <cstdint>

namespace etl::fromjson::limits {

/// One JSON line read by `etl write`: a payload in hex and as text, up to six characters per byte,
/// and its metadata.
inline constexpr std::size_t json_line_bytes = 4U << 20U;

/// Nesting of values in such a line: structures in arrays in structures.
inline constexpr std::size_t json_depth = 4UL * format::max_struct_depth;

} // namespace etl::fromjson::limits
