// Structures of PE images, all from Microsoft's public "PE Format" (winnt.h). Private to symbols.
// docs/format/images.md#pe
#pragma once

#include "base/layout.hpp"

#include <cstdint>

namespace etl::symbols {

/// IMAGE_DOS_HEADER, what matters of it.
namespace dos_layout {

inline constexpr std::size_t pe_offset = 0x3C; // e_lfanew
inline constexpr std::size_t size = 0x40;

} // namespace dos_layout

/// Signature and IMAGE_FILE_HEADER.
namespace file_header_layout {

inline constexpr std::uint32_t magic = 0x00004550; // PE\0\0

inline constexpr etl::LayoutField<std::uint32_t> signature{0};
inline constexpr etl::LayoutField<std::uint16_t> machine{4};
inline constexpr etl::LayoutField<std::uint16_t> sections{6};
inline constexpr etl::LayoutField<std::uint32_t> time{8};
inline constexpr etl::LayoutField<std::uint32_t> symbols{12};
inline constexpr etl::LayoutField<std::uint32_t> symbol_count{16};
inline constexpr etl::LayoutField<std::uint16_t> optional_size{20};
inline constexpr etl::LayoutField<std::uint16_t> characteristics{22};
inline constexpr std::size_t size = 24;
static_assert(tiles<size>(signature, machine, sections, time, symbols, symbol_count, optional_size,
                          characteristics));

} // namespace file_header_layout

/// IMAGE_OPTIONAL_HEADER: its directories are at different offsets in the two widths.
namespace optional_header_layout {

inline constexpr std::uint16_t pe32 = 0x10B;
inline constexpr std::uint16_t pe32_plus = 0x20B;
inline constexpr std::size_t image_size = 56;
inline constexpr std::size_t directories_pe32 = 96; // after their number
inline constexpr std::size_t directories_pe32_plus = 112;
inline constexpr std::size_t directory_size = 8;
inline constexpr std::size_t most_directories = 16;

} // namespace optional_header_layout

/// IMAGE_SECTION_HEADER.
namespace section_layout {

inline constexpr etl::LayoutField<std::uint64_t> name{0};
inline constexpr etl::LayoutField<std::uint32_t> memory_bytes{8}; // VirtualSize
inline constexpr etl::LayoutField<std::uint32_t> address{12};     // VirtualAddress
inline constexpr etl::LayoutField<std::uint32_t> file_bytes{16};  // SizeOfRawData
inline constexpr etl::LayoutField<std::uint32_t> file_offset{20}; // PointerToRawData
inline constexpr std::size_t size = 40;                           // the rest is for the linker

} // namespace section_layout

} // namespace etl::symbols
