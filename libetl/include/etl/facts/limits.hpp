// Bounds of the room facts, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// What --enrich keeps of one trace (docs/enrich.md#memory): distinct names of processes, images
/// and files; stacks, their index included; what is seen of processes and threads each, of which a
/// busy machine has some thousand, of images and files, of which it has a hundred times as many;
/// and partitions.
inline constexpr std::size_t fact_name_bytes = 16U << 20U;
inline constexpr std::size_t fact_stack_bytes = 128U << 20U;
inline constexpr std::size_t fact_lifetimes = 1U << 18U;
inline constexpr std::size_t fact_images = 1U << 20U;
inline constexpr std::size_t fact_files = 1U << 20U;
inline constexpr std::size_t fact_partitions = 1024;

/// Origins of events: the inputs of a tagged merge have numbers of 16 bits. Names of some hundred
/// bytes each.
inline constexpr std::size_t origins = 1U << 16U;

/// PDB files that are kept, and executables: a trace of a whole machine names some thousand.
inline constexpr std::size_t named_files = 1U << 16U;

/// Frames of one stack: Windows stops at 192.
inline constexpr std::size_t stack_frames = 1024;

} // namespace etl::limits
