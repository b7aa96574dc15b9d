// Limits of the room io, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::io::limits {

/// Entries examined in one archive.
inline constexpr std::size_t archive_entries = 1U << 16U;

/// Maximum decompressed size of one input (--max-unpacked) if the free space is unknown.
inline constexpr std::uint64_t unpacked_bytes = std::uint64_t{64} << 30U;

/// Default maximum of the decompressed size, in times of the compressed one. Traces have 5 to 30
/// times; the unused space of a preallocated one, and a bomb, 1000 times and more.
inline constexpr std::uint64_t unpacked_times = 100;

/// Decompressed size that the ratio does not limit.
inline constexpr std::uint64_t always_unpacked_bytes = std::uint64_t{1} << 30U;

/// Members of one archive that unpack() returns: each is mapped, and Linux allows a process 65,530
/// mappings. Other mappings need the rest.
inline constexpr std::size_t unpacked_members = 65'000;

/// Directory depth for --recursive.
inline constexpr int directory_depth = 32;

/// Entries of one directory that are listed. Large symbol stores have some 100,000.
inline constexpr std::size_t directory_names = std::size_t{1} << 20U;

} // namespace etl::io::limits
