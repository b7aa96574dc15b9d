// Limits of the room base, each with its reason. Every room keeps its own in a file limits.hpp, in
// the namespace etl::ROOM::limits. They bound all effects of hostile input: file content alone
// never determines a size, a depth, or a number of iterations.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// The maximum BufferSize of a session on Windows is 16 MB (docs/format/buffer.md#size).
inline constexpr std::uint32_t buffer_bytes = 16U << 20U;

/// Processor numbers are 11 bits wide on disk (docs/format/buffer.md#context).
inline constexpr std::uint32_t processors = 2048;

} // namespace etl::limits
