// Bounds of the room trace, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Windows makes no smaller buffers, and sizes of buffers are multiples of a granule
/// (docs/format/buffer.md#size).
inline constexpr std::uint32_t smallest_buffer = 1024;
inline constexpr std::uint32_t buffer_granule = 512;

/// Buffers that a writer fills at one time. Those of all processors are fewer but on hostile
/// traces; those of processors times origins, when many traces are merged, can be any number.
inline constexpr std::size_t open_buffers = 1024;

/// Processors times origins of a merged trace that are kept apart when it is read, and buffers of
/// these that are open at one time: each event takes its place among them.
inline constexpr std::size_t buffer_streams = 1U << 16U;
inline constexpr std::size_t merged_buffers = 1U << 14U;

/// Places of one trace at which its clock may have been set back: some buffers are loaded to find
/// out. A virtual machine that is corrected once a minute comes to 1,440 a day.
inline constexpr std::size_t clock_rollbacks = 4096;

/// What the largest compressed buffers of all processors may claim to unpack to, added up, before
/// the claims are doubted: 64 processors with buffers of 16 MB. Beyond it a buffer is believed to
/// unpack to so many times its size.
inline constexpr std::uint64_t inflated_bytes = std::uint64_t{1} << 30U;
inline constexpr std::uint32_t assumed_ratio = 64;

/// Damaged places of one container that are stepped over: at each one frames are looked for in what
/// was taken for the last one.
inline constexpr std::size_t damaged_places = 4096;

} // namespace etl::limits
