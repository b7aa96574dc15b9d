#include "fromjson/json_values.hpp"

#include <algorithm>

namespace etl::fromjson {

namespace {

using etl::encode::InputValue;

void append_named(std::string_view name, const JsonValue& value, std::size_t most,
                  std::vector<InputValue>& to);

// `size` is how many entries `to` has behind the container's own.
void close(std::vector<InputValue>& to, std::size_t at) noexcept {
    to[at].descendants = static_cast<std::uint32_t>(to.size() - at - 1);
}

void append_inside(const JsonValue& value, std::size_t most, std::vector<InputValue>& to) {
    if (value.type() == JsonType::ARRAY) {
        for (const JsonValue element : simdjson::dom::array(value.get_array().value_unsafe())) {
            if (to.size() >= most) {
                return;
            }
            append_named({}, element, most, to);
        }
        return;
    }
    for (const auto member : simdjson::dom::object(value.get_object().value_unsafe())) {
        if (to.size() >= most) {
            return;
        }
        append_named(member.key, member.value, most, to);
    }
}

void append_named(std::string_view name, const JsonValue& value, std::size_t most,
                  std::vector<InputValue>& to) {
    const std::size_t at = to.size();
    InputValue& given = to.emplace_back();
    given.name = name;
    // No switch: newer parsers have a further type, for large integers, which are errors here.
    const JsonType type = value.type();
    if (type == JsonType::ARRAY || type == JsonType::OBJECT) {
        given.kind = type == JsonType::ARRAY ? InputValue::Kind::array : InputValue::Kind::object;
        append_inside(value, most, to); // `given` is gone
        close(to, at);
    } else if (type == JsonType::INT64) {
        given.kind = InputValue::Kind::integer;
        given.integer = value.get_int64().value_unsafe();
    } else if (type == JsonType::UINT64) {
        given.kind = InputValue::Kind::unsigned_integer;
        given.unsigned_integer = value.get_uint64().value_unsafe();
    } else if (type == JsonType::DOUBLE) {
        given.kind = InputValue::Kind::real;
        given.real = value.get_double().value_unsafe();
    } else if (type == JsonType::STRING) {
        given.kind = InputValue::Kind::text;
        given.text = value.get_string().value_unsafe();
    } else if (type == JsonType::BOOL) {
        given.kind = InputValue::Kind::boolean;
        given.boolean = value.get_bool().value_unsafe();
    } // null: as it is
}

} // namespace

const char* why_no_json(simdjson::error_code code) noexcept {
    struct Reason {
        simdjson::error_code code;
        const char* what;
    };

    constexpr Reason reasons[] = {
        {simdjson::UTF8_ERROR, "not valid UTF-8"},
        {simdjson::DEPTH_ERROR, "nested too deep"},
        {simdjson::CAPACITY, "line too long"},
        {simdjson::STRING_ERROR, "invalid JSON string"},
        {simdjson::UNESCAPED_CHARS, "unescaped control character in a string"},
        {simdjson::UNCLOSED_STRING, "unterminated string"},
        {simdjson::MEMALLOC, "not enough memory"},
    };
    // Newer parsers have further codes of numbers between these two.
    if (code >= simdjson::NUMBER_ERROR && code < simdjson::UTF8_ERROR) {
        return "invalid JSON number, or more than 64 bits";
    }
    const auto* const found = std::ranges::find(reasons, code, &Reason::code);
    return found != std::end(reasons) ? found->what : "not valid JSON";
}

void append_given(const JsonValue& value, std::size_t most, std::vector<InputValue>& to) {
    append_named({}, value, most, to);
}

} // namespace etl::fromjson
