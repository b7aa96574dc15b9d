// Schemas in a line, JSON in, hex out.
#pragma once

#include <etl/base/text.hpp>
#include <etl/encode/payload.hpp>

#include "tests/support/given_of_json.hpp"

#include <stdexcept>
#include <string>

namespace etl::test {

using schema::EventSchema;
using schema::Extent;
using schema::Field;
using schema::InType;
using schema::OutType;

inline Field field(std::string name, InType in, OutType out = OutType::none, Extent count = {},
                   Extent length = {}) {
    Field made;
    made.name = std::move(name);
    made.in_type = in;
    made.out_type = out;
    made.count = count;
    made.length = length;
    return made;
}

inline Field structure(std::string name, std::uint16_t members, Extent count = {}) {
    Field made = field(std::move(name), InType::structure, OutType::none, count);
    made.members = members;
    return made;
}

inline Extent fixed(std::uint32_t value) {
    return {Extent::Kind::fixed, value};
}

inline Extent told_by(std::uint32_t index) {
    return {Extent::Kind::field, index};
}

inline constexpr Extent prefixed{Extent::Kind::prefixed, 0};
inline constexpr Extent to_the_end{Extent::Kind::rest, 0};

/// Marks the fields that others refer to.
inline EventSchema schema_of(std::vector<Field> fields) {
    EventSchema schema;
    schema.fields = std::move(fields);
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        for (const Extent& extent : {schema.fields[i].count, schema.fields[i].length}) {
            if (extent.kind == Extent::Kind::field) {
                schema.fields.at(extent.value).referenced = true;
            }
        }
    }
    return schema;
}

/// Values that live as long as this.
class Json {
public:
    explicit Json(std::string_view text) {
        const auto element = parser_.parse(simdjson::padded_string(text));
        if (element.error() != simdjson::SUCCESS) {
            throw std::logic_error("no JSON: " + std::string(text));
        }
        append_given(given_, {}, element.value_unsafe());
    }

    std::span<const encode::Given> given() const { return given_; }

private:
    simdjson::dom::parser parser_;
    std::vector<encode::Given> given_;
};

/// The payload in hex, or `! path: what is wrong`.
inline std::string encoded(const EventSchema& schema, std::string_view json,
                           const encode::PayloadOptions& options = {}) {
    const Json values(json);
    encode::PayloadEncoder encoder;
    ByteWriter payload;
    payload.u8(0xEE); // what stands before it stays
    const auto done = encoder.encode(schema, values.given(), options, payload);
    std::string text;
    if (!done) {
        return (payload.size() == 1 ? "! " : "appended! ") + done.error().field + ": " +
               done.error().what;
    }
    append_hex_bytes(text, payload.view().subspan(1));
    return text;
}

/// One field `v`.
inline std::string encoded_value(const Field& one, std::string_view json) {
    return encoded(schema_of({one}), "{\"v\":" + std::string(json) + "}");
}

inline std::string encoded_value(InType in, OutType out, std::string_view json) {
    return encoded_value(field("v", in, out), json);
}

} // namespace etl::test
