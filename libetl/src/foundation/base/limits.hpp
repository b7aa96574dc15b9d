// All limits on the effects of hostile input are in files named limits.hpp, each with its reason:
// shared limits in this file, others in their modules. File content alone never determines a size,
// a depth, or a number of iterations.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// The maximum BufferSize of a session on Windows is 16 MB (docs/format/buffer.md#size).
inline constexpr std::uint32_t buffer_bytes = 16U << 20U;

/// Processor numbers are 11 bits wide on disk (docs/format/buffer.md#context).
inline constexpr std::uint32_t processors = 2048;

} // namespace etl::limits
