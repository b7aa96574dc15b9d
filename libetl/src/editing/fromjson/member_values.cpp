#include "fromjson/member_values.hpp"

#include "base/hex_pairs.hpp"
#include "flow/event.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace etl::fromjson {

namespace {

using etl::encode::InputValue;

void append_named(std::string_view name, const JsonValue& value, std::size_t max,
                  std::vector<InputValue>& to);

// `size` is how many entries `to` has behind the container's own.
void close(std::vector<InputValue>& to, std::size_t at) noexcept {
    to[at].descendants = static_cast<std::uint32_t>(to.size() - at - 1);
}

void append_inside(const JsonValue& value, std::size_t max, std::vector<InputValue>& to) {
    if (value.type() == JsonType::ARRAY) {
        for (const JsonValue element : simdjson::dom::array(value.get_array().value_unsafe())) {
            if (to.size() >= max) {
                return;
            }
            append_named({}, element, max, to);
        }
        return;
    }
    for (const auto member : simdjson::dom::object(value.get_object().value_unsafe())) {
        if (to.size() >= max) {
            return;
        }
        append_named(member.key, member.value, max, to);
    }
}

void append_named(std::string_view name, const JsonValue& value, std::size_t max,
                  std::vector<InputValue>& to) {
    const std::size_t at = to.size();
    InputValue& given = to.emplace_back();
    given.name = name;
    // No switch: newer parsers have a further type, for large integers, which are errors here.
    const JsonType type = value.type();
    if (type == JsonType::ARRAY || type == JsonType::OBJECT) {
        given.kind = type == JsonType::ARRAY ? InputValue::Kind::array : InputValue::Kind::object;
        append_inside(value, max, to); // `given` is gone
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

void append_given(const JsonValue& value, std::size_t max, std::vector<InputValue>& to) {
    append_named({}, value, max, to);
}

const char* read_id(const JsonValue& value, std::uint32_t& to) noexcept {
    to = etl::flow::no_id;
    return read_number(value, to);
}

std::optional<std::uint64_t> parse_bits(std::string_view text) noexcept {
    if (!text.starts_with("0x") || text.size() == 2) {
        return std::nullopt;
    }
    std::uint64_t bits = 0;
    const char* const end = text.data() + text.size();
    const auto [at, code] = std::from_chars(text.data() + 2, end, bits, 16);
    return code == std::errc{} && at == end ? std::optional(bits) : std::nullopt;
}

const char* read_bits(const JsonValue& value, std::optional<std::uint64_t>& to) noexcept {
    if (value.type() != JsonType::STRING) {
        return read_number(value, to);
    }
    to = parse_bits(value.get_string().value_unsafe());
    return to ? nullptr : "neither a number nor 0x with hex digits";
}

const char* read_text(const JsonValue& value, std::optional<std::string_view>& to) noexcept {
    if (value.type() == JsonType::STRING) {
        to = value.get_string().value_unsafe();
        return nullptr;
    }
    return value.is_null() ? nullptr : "not a string";
}

const char* read_boolean(const JsonValue& value, bool& to) noexcept {
    if (value.type() == JsonType::BOOL) {
        to = value.get_bool().value_unsafe();
        return nullptr;
    }
    return value.is_null() ? nullptr : "not true or false";
}

const char* read_guid(const JsonValue& value, std::optional<etl::Guid>& to) noexcept {
    if (value.is_null()) {
        return nullptr;
    }
    if (value.type() == JsonType::STRING) {
        to = etl::parse_guid(value.get_string().value_unsafe());
    }
    return to ? nullptr : "not a GUID";
}

const char* read_guid(const JsonValue& value, etl::Guid& to) noexcept {
    std::optional<etl::Guid> guid;
    const char* const problem = read_guid(value, guid);
    to = guid.value_or(etl::Guid{});
    return problem;
}

const char* read_kind(const JsonValue& value, etl::format::RecordKind& to) noexcept {
    if (value.is_null()) {
        return nullptr;
    }
    if (value.type() == JsonType::STRING) {
        const std::string_view name = value.get_string().value_unsafe();
        if (const auto kind = etl::format::record_kind_of(name)) {
            to = *kind;
            return nullptr;
        }
    }
    return "not a kind of record";
}

using etl::encode::InputValue;

namespace {

/// `0x...`, or decimal, as --big-numbers text writes it.
std::optional<std::uint64_t> number_of(std::string_view text) noexcept {
    if (text.starts_with("0x")) {
        return parse_bits(text);
    }
    const char* const end = text.data() + text.size();
    std::uint64_t number = 0;
    std::int64_t negative = 0;
    const bool is_negative = text.starts_with('-');
    const auto [at, code] = is_negative ? std::from_chars(text.data(), end, negative)
                                        : std::from_chars(text.data(), end, number);
    if (code != std::errc{} || at != end) {
        return std::nullopt;
    }
    return is_negative ? static_cast<std::uint64_t>(negative) : number;
}

} // namespace

std::optional<std::uint64_t> whole(const InputValue& given) noexcept {
    if (given.kind == InputValue::Kind::integer) {
        return static_cast<std::uint64_t>(given.integer);
    }
    if (given.kind == InputValue::Kind::unsigned_integer) {
        return given.unsigned_integer;
    }
    return given.kind == InputValue::Kind::text ? number_of(given.text) : std::nullopt;
}

std::optional<std::string_view> text(const InputValue& given) noexcept {
    return given.kind == InputValue::Kind::text ? std::optional(given.text) : std::nullopt;
}

std::optional<etl::Guid> guid(const InputValue& given) noexcept {
    return given.kind == InputValue::Kind::text ? etl::parse_guid(given.text) : std::nullopt;
}

std::span<const InputValue> member(std::span<const InputValue> object,
                                   std::string_view name) noexcept {
    for (etl::encode::InputValueList at(object); !at.empty(); at.pop_front()) {
        if (at.front().front().name == name) {
            return at.front();
        }
    }
    return {};
}

namespace {

std::string twice_in_object(std::span<const InputValue> object) {
    std::vector<std::string_view> names;
    for (etl::encode::InputValueList at(object); !at.empty(); at.pop_front()) {
        names.push_back(at.front().front().name);
    }
    std::ranges::sort(names);
    const auto found = std::ranges::adjacent_find(names);
    return found == names.end() ? std::string() : std::string(*found);
}

} // namespace

std::string find_given_twice(std::span<const InputValue> value) {
    if (value.empty()) {
        return {};
    }
    const bool is_object = value.front().kind == InputValue::Kind::object;
    if (std::string name = is_object ? twice_in_object(value) : ""; !name.empty()) {
        return name;
    }
    std::size_t index = 0;
    for (etl::encode::InputValueList at(value); !at.empty(); at.pop_front(), ++index) {
        if (const std::string inside = find_given_twice(at.front()); !inside.empty()) {
            std::string here =
                is_object ? std::string(at.front().front().name) : fmt::format("[{}]", index);
            return here.append(inside.front() == '[' ? "" : ".").append(inside);
        }
    }
    return {};
}

bool read_hex(std::string_view digits, std::vector<std::byte>& to) {
    to.resize(digits.size() / 2);
    return etl::put_bytes_of_hex(to.data(), digits) != nullptr || digits.empty();
}

} // namespace etl::fromjson
