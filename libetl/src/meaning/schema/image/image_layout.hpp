// Structures of resources in PE images, from Microsoft's public "PE Format" (winnt.h).
// docs/format/images.md#pe
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::schema {

/// IMAGE_RESOURCE_DIRECTORY, _ENTRY, _DATA_ENTRY.
namespace resource_layout {

inline constexpr std::size_t data_directory = 2;
inline constexpr std::size_t named_entries = 12;
inline constexpr std::size_t numbered_entries = 14;
inline constexpr std::size_t directory_size = 16;
inline constexpr std::size_t entry_size = 8;
inline constexpr std::size_t data_size = 16;
inline constexpr std::uint32_t high_bit = 0x80000000U; // of a name: text; of an offset: directory

} // namespace resource_layout

} // namespace etl::schema
