// What a decoder relies on in every schema, whichever bytes it was made from.
#pragma once

#include "base/text.hpp"
#include "format/limits.hpp"
#include "fuzz/require.hpp"
#include "schema/event_schema.hpp"
#include "schema/limits.hpp"

namespace etl::fuzz {

/// Members lie inside of their structure, and structures are nested no deeper than the limit.
inline void require_nesting(const std::vector<schema::Field>& fields, std::size_t begin,
                            std::size_t end, std::uint32_t depth) {
    require(depth <= format::max_struct_depth);
    for (std::size_t i = begin; i < end; i += 1U + fields[i].members) {
        require(fields[i].members <= end - i - 1);
        require(fields[i].members == 0 || fields[i].in_type == schema::InType::structure);
        require_nesting(fields, i + 1, i + 1 + fields[i].members,
                        depth + (fields[i].members != 0 ? 1U : 0U));
    }
}

/// A reference leads to an earlier scalar that knows of it.
inline void require_reference(const schema::EventSchema& event, std::size_t field,
                              const schema::Extent& extent) {
    if (extent.kind == schema::Extent::Kind::field) {
        require(extent.value < field);
        const schema::Field& target = event.fields[extent.value];
        require(target.referenced && target.members == 0);
        require(target.count.kind == schema::Extent::Kind::natural);
    }
}

inline void require_sound(const schema::EventSchema& event) {
    require(event.fields.size() <= schema::limits::fields);
    require_nesting(event.fields, 0, event.fields.size(), 0);
    for (std::size_t i = 0; i < event.fields.size(); ++i) {
        const schema::Field& field = event.fields[i];
        require(is_valid_utf8(field.name));
        require(field.map == schema::Field::no_map || field.map < event.maps.size());
        require_reference(event, i, field.count);
        require_reference(event, i, field.length);
        require(field.length.kind != schema::Extent::Kind::prefixed);
    }
    require(is_valid_utf8(event.event_name));
    require(is_valid_utf8(event.message));
}

} // namespace etl::fuzz
