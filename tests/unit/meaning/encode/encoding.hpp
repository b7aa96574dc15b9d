// JSON in, hex out.
#pragma once

#include "base/text.hpp"
#include "encode/payload.hpp"
#include "tests/support/given_of_json.hpp"
#include "tests/support/schema_fields.hpp"

#include <stdexcept>
#include <string>

namespace etl::test {

using schema::EventSchema;
using schema::Extent;
using schema::Field;
using schema::InType;
using schema::OutType;

inline Extent fixed(std::uint32_t value) {
    return {Extent::Kind::fixed, value};
}

inline Extent told_by(std::uint32_t index) {
    return {Extent::Kind::field, index};
}

inline constexpr Extent prefixed{Extent::Kind::prefixed, 0};
inline constexpr Extent to_the_end{Extent::Kind::rest, 0};

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

    std::span<const encode::InputValue> given() const { return given_; }

private:
    simdjson::dom::parser parser_;
    std::vector<encode::InputValue> given_;
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
