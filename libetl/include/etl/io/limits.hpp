// Limits of the io module, each with its reason. See etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Entries examined in one archive.
inline constexpr std::size_t archive_entries = 1U << 16U;

/// Default maximum decompressed size of one input (--max-unpacked).
inline constexpr std::uint64_t unpacked_bytes = std::uint64_t{64} << 30U;

/// Directory depth for --recursive.
inline constexpr int directory_depth = 32;

/// Entries of one directory that are listed. Large symbol stores have some 100,000.
inline constexpr std::size_t directory_names = std::size_t{1} << 20U;

} // namespace etl::limits
