// TRACE_EVENT_INFO, EVENT_PROPERTY_INFO and EVENT_MAP_INFO of the public SDK header tdh.h.
// docs/format/decoding.md#event-information
#pragma once

#include <etl/bytes.hpp>
#include <etl/guid.hpp>

#include "base/layout.hpp"

#include <cstdint>
#include <string>

namespace etl::schema {

namespace event_info_layout {

inline constexpr etl::LayoutField<Guid> provider{0}; // ProviderGuid
inline constexpr etl::LayoutField<Guid> event_class{
    16}; // EventGuid: of the task, or the class of a classic event
inline constexpr etl::LayoutField<std::uint16_t> id{32};      // EventDescriptor.Id
inline constexpr etl::LayoutField<std::uint8_t> version{34};  // .Version
inline constexpr etl::LayoutField<std::uint8_t> channel{35};  // .Channel
inline constexpr etl::LayoutField<std::uint8_t> level{36};    // .Level
inline constexpr etl::LayoutField<std::uint8_t> opcode{37};   // .Opcode
inline constexpr etl::LayoutField<std::uint16_t> task{38};    // .Task
inline constexpr etl::LayoutField<std::uint64_t> keyword{40}; // .Keyword
inline constexpr etl::LayoutField<std::uint32_t> source{48};  // DecodingSource
inline constexpr etl::LayoutField<std::uint32_t> provider_name{52};
inline constexpr etl::LayoutField<std::uint32_t> level_name{56};
inline constexpr etl::LayoutField<std::uint32_t> channel_name{60};
inline constexpr etl::LayoutField<std::uint32_t> keywords_name{
    64}; // several strings, an empty one ends them
inline constexpr etl::LayoutField<std::uint32_t> task_name{68};
inline constexpr etl::LayoutField<std::uint32_t> opcode_name{72};
inline constexpr etl::LayoutField<std::uint32_t> message{76};          // EventMessageOffset
inline constexpr etl::LayoutField<std::uint32_t> provider_message{80}; // its name for people
inline constexpr etl::LayoutField<std::uint32_t> binary_xml{84};       // of the template
inline constexpr etl::LayoutField<std::uint32_t> binary_xml_size{88};
inline constexpr etl::LayoutField<std::uint32_t> event_name{
    92}; // ActivityIDNameOffset of classic events
inline constexpr etl::LayoutField<std::uint32_t> attributes{
    96}; // RelatedActivityIDNameOffset of classic events
inline constexpr etl::LayoutField<std::uint32_t> properties{100}; // PropertyCount, members included
inline constexpr etl::LayoutField<std::uint32_t> top_level{104};  // TopLevelPropertyCount
inline constexpr etl::LayoutField<std::uint32_t> flags_and_tags{108}; // 4 bits of flags, 28 of tags
inline constexpr std::size_t size = 112;
static_assert(tiles<size>(provider, event_class, id, version, channel, level, opcode, task, keyword,
                          source, provider_name, level_name, channel_name, keywords_name, task_name,
                          opcode_name, message, provider_message, binary_xml, binary_xml_size,
                          event_name, attributes, properties, top_level, flags_and_tags));

} // namespace event_info_layout

/// EVENT_PROPERTY_INFO. Its flags: property_tree.hpp.
namespace property_layout {

inline constexpr etl::LayoutField<std::uint32_t> flags{0};
inline constexpr etl::LayoutField<std::uint32_t> name{4};
inline constexpr etl::LayoutField<std::uint16_t> in_type{8};   // of a structure: StructStartIndex
inline constexpr etl::LayoutField<std::uint16_t> out_type{10}; // of a structure: NumOfStructMembers
inline constexpr etl::LayoutField<std::uint32_t> map_name{12};
inline constexpr etl::LayoutField<std::uint16_t> count{
    16}; // or the index of the property that has it
inline constexpr etl::LayoutField<std::uint16_t> length{18}; // likewise
inline constexpr etl::LayoutField<std::uint32_t> tags{20};
inline constexpr std::size_t size = 24;
static_assert(tiles<size>(flags, name, in_type, out_type, map_name, count, length, tags));

} // namespace property_layout

/// What stands before the entries: the provider, then the head of EVENT_MAP_INFO. Offsets count
/// from the latter.
namespace map_info_layout {

inline constexpr etl::LayoutField<Guid> provider{0};
inline constexpr etl::LayoutField<std::uint32_t> name{16};
inline constexpr etl::LayoutField<std::uint32_t> flag{20};
inline constexpr etl::LayoutField<std::uint32_t> entries{24};
inline constexpr etl::LayoutField<std::uint32_t> value_type{
    28}; // of entries; pattern maps: FormatStringOffset
inline constexpr std::size_t size = 32;
static_assert(tiles<size>(provider, name, flag, entries, value_type));

inline constexpr std::size_t origin = 16; // of offsets
inline constexpr std::size_t entry_size = 8;

inline constexpr std::uint32_t value_map = 0x01;   // EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP
inline constexpr std::uint32_t bit_map = 0x02;     // ..._MANIFEST_BITMAP
inline constexpr std::uint32_t pattern_map = 0x04; // ..._MANIFEST_PATTERNMAP
inline constexpr std::uint32_t wbem_values = 0x08; // ..._WBEM_VALUEMAP
inline constexpr std::uint32_t wbem_bits = 0x10;   // ..._WBEM_BITMAP
inline constexpr std::uint32_t wbem_flag = 0x20; // ..._WBEM_FLAG: a value map that is meant as bits
// ..._WBEM_NO_MAP: entries are numbered by their position.
inline constexpr std::uint32_t wbem_no_map = 0x40;

} // namespace map_info_layout

/// How many times its own size the texts of one blob may add up to.
inline constexpr std::size_t overlap = 16;

/// The text at `offset`, without its terminator; empty for offset 0 and for offsets outside.
/// Unfinished text reaches to the end.
Bytes text16_at(Bytes blob, std::size_t offset) noexcept;
std::string string_at(Bytes blob, std::size_t offset);

} // namespace etl::schema
