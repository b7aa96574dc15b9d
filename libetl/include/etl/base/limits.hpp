// Every bound on what hostile input can make us do is in a file limits.hpp, with its reason: here
// what rooms share that know nothing of each other, the others in their rooms. Bytes of a file
// never decide a size, a depth or a loop alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Windows' own maximum for a session's BufferSize is 16 MB (docs/format/buffer.md#size).
inline constexpr std::uint32_t buffer_bytes = 16U << 20U;

/// Processor numbers are 11 bits wide on disk (docs/format/buffer.md#context).
inline constexpr std::uint32_t processors = 2048;

} // namespace etl::limits
