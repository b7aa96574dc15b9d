// Bounds of the room io, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Entries of one archive that are looked at.
inline constexpr std::size_t archive_entries = 1U << 16U;

/// Bytes that one packed input may unpack to unless --max-unpacked says otherwise.
inline constexpr std::uint64_t unpacked_bytes = std::uint64_t{64} << 30U;

/// Depth of folders for --recursive.
inline constexpr int directory_depth = 32;

} // namespace etl::limits
