// Bounds of the room relog, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Kept events that are remembered for the stacks behind them (a power of two), and keys of stacks
/// that kept events name: a stack comes soon, a live system has some ten thousand keys.
inline constexpr std::size_t kept_timestamps = 1U << 18U;
inline constexpr std::size_t kept_stack_keys = 1U << 20U;

/// Events that an edit made ahead of their time, kept until the source has got there.
inline constexpr std::size_t waiting_drafts = 16U << 20U;

/// Kinds of events that are counted one by one when a trace is thinned out.
inline constexpr std::size_t counted_kinds = 1U << 17U;

/// Files that one trace may be split into; those that are written at one time (a program may have
/// 256 open, or 1024); and the buffers that these fill. More parts are made in further passes.
inline constexpr std::size_t split_parts = 1U << 16U;
inline constexpr std::size_t split_parts_at_once = 128;
inline constexpr std::size_t split_buffer_bytes = 40U << 20U;

} // namespace etl::limits
