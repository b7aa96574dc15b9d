// Limits of the room facts, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::facts::limits {

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

/// Sources of samples of a machine: the timer, and the counters that its processors offer.
inline constexpr std::size_t fact_sample_sources = 4096;

/// Methods of runtimes, observed when loaded, unloaded, and in each rundown: a machine with many
/// .NET processes has some hundred thousand. Their names are longer than those of files.
inline constexpr std::size_t fact_methods = 1U << 20U;
inline constexpr std::size_t fact_method_name_bytes = 64U << 20U;

/// Records that identify images: two or three for each observation of an image.
inline constexpr std::size_t fact_image_ids = 1U << 20U;

/// Origins of events: the inputs of a tagged merge have 16-bit numbers. Names have a few hundred
/// bytes each.
inline constexpr std::size_t origins = 1U << 16U;

/// PDB files, and executables, stored: a trace of an entire machine names a few thousand.
inline constexpr std::size_t named_files = 1U << 16U;

/// Kernel events by hook, version, and size of the payload whose owners are found without decoding:
/// a few hundred, most of them stacks of all lengths.
inline constexpr std::size_t owner_layouts = 1U << 14U;

/// Frames of one stack: the maximum on Windows is 192.
inline constexpr std::size_t stack_frames = 1024;

} // namespace etl::facts::limits
