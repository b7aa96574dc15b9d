// Bounds of the room lines, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <etl/format/limits.hpp>

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// One line of JSON that `etl write` reads: a payload in hex and once more as text, six characters
/// for each byte at worst, and its metadata.
inline constexpr std::size_t json_line_bytes = 4U << 20U;

/// Nesting of the values in such a line: structures within arrays within structures.
inline constexpr std::size_t json_depth = 4UL * struct_depth;

} // namespace etl::limits
