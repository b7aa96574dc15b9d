// Limits of the room relog, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::relog::limits {

/// Kept events remembered for the stacks that follow (a power of two), and stack keys used by kept
/// events: a stack follows soon after its event; a live system has some ten thousand keys.
inline constexpr std::size_t kept_timestamps = 1U << 18U;
inline constexpr std::size_t kept_stack_keys = 1U << 20U;

/// Threads whose last event of the .NET runtime is remembered for the stack that follows it.
inline constexpr std::size_t kept_runtime_threads = 1U << 16U;

/// Bytes of emitted drafts held until the source reaches their time.
inline constexpr std::size_t waiting_drafts = 16U << 20U;

/// Kinds of events counted separately in downsampling.
inline constexpr std::size_t counted_kinds = 1U << 17U;

/// Files that one trace may be split into; files written concurrently (a process may have 256 or
/// 1024 open files); and bytes of their buffers. More parts require further passes.
inline constexpr std::size_t split_parts = 1U << 16U;
inline constexpr std::size_t split_parts_at_once = 128;
inline constexpr std::size_t split_buffer_bytes = 40U << 20U;

} // namespace etl::relog::limits
