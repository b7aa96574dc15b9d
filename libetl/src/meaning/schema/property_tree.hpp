// Properties as TRACE_EVENT_INFO and the templates of WEVT_TEMPLATE list them: the top-level ones
// first, the members of all structures behind them, found by the index of the first. Brought into
// our order, where members stand behind their structure. docs/format/decoding.md#event-info
#pragma once

#include <etl/error.hpp>

#include "schema/event_schema.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etl::schema {

/// PROPERTY_FLAGS of tdh.h.
namespace property_flags {

inline constexpr std::uint32_t is_structure = 0x01;    // PropertyStruct
inline constexpr std::uint32_t length_by_field = 0x02; // PropertyParamLength
inline constexpr std::uint32_t count_by_field = 0x04;  // PropertyParamCount
inline constexpr std::uint32_t fixed_length = 0x10;    // PropertyParamFixedLength
inline constexpr std::uint32_t fixed_count = 0x20;     // PropertyParamFixedCount
inline constexpr std::uint32_t has_tags = 0x40;        // PropertyHasTags
inline constexpr std::uint32_t custom_schema = 0x80;   // PropertyHasCustomSchema

} // namespace property_flags

struct Property {
    std::string name;
    std::uint32_t flags = 0;
    std::uint16_t in_type = 0;  // of a structure: index of the first member
    std::uint16_t out_type = 0; // of a structure: number of members
    std::uint16_t count = 0;    // or the index of the property that has it
    std::uint16_t length = 0;   // likewise
    std::uint32_t map = 0;      // what the list calls a map by; 0: none
    std::uint32_t tags = 0;
};

struct PropertyTree {
    std::vector<Field> fields;
    std::vector<std::pair<std::uint16_t, std::uint32_t>> map_of_field; // field, Property::map
};

/// Errors: malformed (members outside of the list, or in two structures), limit
/// (format::max_struct_depth).
Result<PropertyTree> arrange(std::span<const Property> properties, std::size_t top_level);

} // namespace etl::schema
