// Limits of the room trace, each with its reason. See base/limits.hpp.
#pragma once

#include "base/limits.hpp"

#include <cstddef>
#include <cstdint>

namespace etl::trace::limits {

/// Minimum buffer size on Windows, and the granularity of buffer sizes
/// (docs/format/buffer.md#size).
inline constexpr std::uint32_t min_buffer = 1024;
inline constexpr std::uint32_t buffer_granule = 512;

/// Buffers that a writer fills concurrently: one per processor. One per processor and origin, when
/// many traces are merged, is unbounded.
inline constexpr std::size_t open_buffers = etl::limits::processors;

/// Streams (processor and origin) of a merged trace that are read separately, and their
/// concurrently open buffers: each event is sorted among them.
inline constexpr std::size_t buffer_streams = 1U << 16U;
inline constexpr std::size_t merged_buffers = 1U << 14U;

/// Positions in one trace at which the clock may have been set back: checking each loads some
/// buffers. A virtual machine corrected once a minute has 1,440 a day.
inline constexpr std::size_t clock_rollbacks = 4096;

/// Total declared decompressed size of the largest compressed buffers of all processors that is
/// trusted: 64 processors with buffers of 16 MB. Beyond it, a buffer is assumed to decompress to at
/// most this multiple of its size.
inline constexpr std::uint64_t inflated_bytes = std::uint64_t{1} << 30U;
inline constexpr std::uint32_t assumed_ratio = 64;

/// What ReaderOptions::is_single_pass copies of a trace at a time. Of 64 processors with buffers of
/// 64 KB, three buffers each are 12 MB. Traces that need more are read through their mapping.
inline constexpr std::uint64_t copied_bytes = 64U << 20U;

/// Events that are merged ahead of need, with their share of the buffers
/// (docs/architecture.md#merging).
inline constexpr std::uint64_t sliced_bytes = 32U << 20U;

/// Larger buffers are read and written where they are, if possible: a copy of one for each
/// processor takes too much memory. What was allocated for one is not kept for the next.
inline constexpr std::size_t copied_buffer = 1U << 20U;

/// Buffers for which another thread is worth starting: to start and join one takes as long as to
/// read this.
inline constexpr std::uint64_t bytes_of_a_thread = 64U << 10U;

/// Damaged places of one container that are skipped: at each, frames are searched inside the
/// previous one.
inline constexpr std::size_t damaged_places = 4096;

/// Gaps between sequence numbers that are listed one by one; damage can make any number of them.
inline constexpr std::size_t listed_gaps = 1000;

/// Spans of sequence numbers that the reader of a stream keeps, 48 bytes each: buffers of different
/// processors arrive in an order that is not that of their numbers, but not far from it.
inline constexpr std::size_t number_spans = 65536;

/// Parts that traces are divided into. Each reads the headers of all buffers.
inline constexpr std::uint32_t parts = 1'000'000;

} // namespace etl::trace::limits
