// JSON as encode wants it. Header only; for those who link simdjson.
#pragma once

#include "encode/input_value.hpp"

#include <simdjson.h>

#include <vector>

namespace etl::test {

/// Appends `element` and everything inside; views into the parser's memory.
inline void append_given(std::vector<encode::InputValue>& to, std::string_view name,
                         simdjson::dom::element element) {
    using encode::InputValue;
    using simdjson::dom::element_type;
    const std::size_t index = to.size();
    InputValue& given = to.emplace_back();
    given.name = name;
    switch (element.type()) {
    case element_type::NULL_VALUE:
        break;
    case element_type::BOOL:
        given.kind = InputValue::Kind::boolean;
        given.boolean = element.get_bool().value_unsafe();
        break;
    case element_type::INT64:
        given.kind = InputValue::Kind::integer;
        given.integer = element.get_int64().value_unsafe();
        break;
    case element_type::UINT64:
        given.kind = InputValue::Kind::unsigned_integer;
        given.unsigned_integer = element.get_uint64().value_unsafe();
        break;
    case element_type::DOUBLE:
        given.kind = InputValue::Kind::real;
        given.real = element.get_double().value_unsafe();
        break;
    case element_type::STRING:
        given.kind = InputValue::Kind::text;
        given.text = element.get_string().value_unsafe();
        break;
    case element_type::ARRAY:
        given.kind = InputValue::Kind::array;
        for (const simdjson::dom::element inner : simdjson::dom::array(element)) {
            append_given(to, {}, inner);
        }
        break;
    case element_type::OBJECT:
        given.kind = InputValue::Kind::object;
        for (const auto& [key, inner] : simdjson::dom::object(element)) {
            append_given(to, key, inner);
        }
        break;
    }
    to[index].descendants = static_cast<std::uint32_t>(to.size() - index - 1);
}

} // namespace etl::test
