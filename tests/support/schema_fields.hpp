// Schemas said in a line.
#pragma once

#include "schema/event_schema.hpp"

#include <string>
#include <vector>

namespace etl::test {

inline schema::Field field(std::string name, schema::InType in,
                           schema::OutType out = schema::OutType::none, schema::Extent count = {},
                           schema::Extent length = {}) {
    schema::Field made;
    made.name = std::move(name);
    made.in_type = in;
    made.out_type = out;
    made.count = count;
    made.length = length;
    return made;
}

inline schema::Field structure(std::string name, std::uint16_t members, schema::Extent count = {}) {
    schema::Field made =
        field(std::move(name), schema::InType::structure, schema::OutType::none, count);
    made.members = members;
    return made;
}

/// Marks the fields that others refer to, as the loaders do.
inline schema::EventSchema schema_of(std::vector<schema::Field> fields) {
    schema::EventSchema schema;
    schema.fields = std::move(fields);
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        for (const schema::Extent& extent : {schema.fields[i].count, schema.fields[i].length}) {
            if (extent.kind == schema::Extent::Kind::field && extent.value < schema.fields.size()) {
                schema.fields[extent.value].referenced = true;
            }
        }
    }
    return schema;
}

} // namespace etl::test
