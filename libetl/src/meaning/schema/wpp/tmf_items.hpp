// The types of WPP arguments as fields. Private to schema. docs/format/wpp.md#items
#pragma once

#include "schema/event_schema.hpp"

#include <memory>
#include <string_view>

namespace etl::schema {

struct TmfItem {
    Field field;                         // without name and map
    std::shared_ptr<const ValueMap> map; // of a list or set; null: none
    bool is_known = true;                // else the field can only stop the decoder
    bool is_cut = false;                 // its list has more names than are kept
};

/// `type` is what a TMF says behind the expression: `ItemLong`, `ItemListLong(a,b=5,c)`. For plain
/// numbers `conversion`, the letter that the format string shows the argument with, decides between
/// signed, unsigned, hexadecimal and character.
TmfItem parse_tmf_item(std::string_view type, char conversion);

/// Memory that the map of this type will occupy, at most.
std::size_t bytes_of_map(std::string_view type) noexcept;

} // namespace etl::schema
