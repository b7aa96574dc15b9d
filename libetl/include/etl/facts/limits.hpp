// Limits of the facts module, each with its reason. See etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Limits of --enrich per trace (docs/enrich.md#memory): bytes of distinct names of processes,
/// images, and files; bytes of stacks, including their index; lifetimes of processes and of threads
/// (a busy machine has a few thousand of each); images and files (a hundred times as many); and
/// partitions.
inline constexpr std::size_t fact_name_bytes = 16U << 20U;
inline constexpr std::size_t fact_stack_bytes = 128U << 20U;
inline constexpr std::size_t fact_lifetimes = 1U << 18U;
inline constexpr std::size_t fact_images = 1U << 20U;
inline constexpr std::size_t fact_files = 1U << 20U;
inline constexpr std::size_t fact_partitions = 1024;

/// Origins of events: the inputs of a tagged merge have 16-bit numbers. Names have a few hundred
/// bytes each.
inline constexpr std::size_t origins = 1U << 16U;

/// PDB files, and executables, stored: a trace of an entire machine names a few thousand.
inline constexpr std::size_t named_files = 1U << 16U;

/// Frames of one stack: the maximum on Windows is 192.
inline constexpr std::size_t stack_frames = 1024;

} // namespace etl::limits
