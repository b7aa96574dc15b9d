// Values of keys, with their types checked: each function returns null when all is well, else what
// is wrong with the value. Null says nothing and changes nothing. Private to fromjson.
#pragma once

#include <etl/bytes.hpp>
#include <etl/guid.hpp>

#include "encode/input_value.hpp"
#include "format/record_kind.hpp"

#include <simdjson.h>

#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::fromjson {

// What simdjson read, as values that somebody gave.

using JsonValue = simdjson::dom::element;
using JsonType = simdjson::dom::element_type;

/// Why a text is no JSON, for people.
const char* why_no_json(simdjson::error_code code) noexcept;

/// Appends a value with everything inside, in pre-order, until `to` has `max` entries. The views
/// live as long as the document. Its depth is bounded by the parser.
void append_given(const JsonValue& value, std::size_t max,
                  std::vector<etl::encode::InputValue>& to);

template <std::integral T>
constexpr const char* out_of_range() noexcept {
    return sizeof(T) == 1   ? "not a number from 0 to 255"
           : sizeof(T) == 2 ? "not a number from 0 to 65535"
           : sizeof(T) == 4 ? "not a number from 0 to 4294967295"
                            : "not a 64-bit integer";
}

template <std::integral T>
const char* read_number(const JsonValue& value, T& to) noexcept {
    if (value.type() == JsonType::INT64) {
        const std::int64_t number = value.get_int64().value_unsafe();
        if (!std::in_range<T>(number)) {
            return out_of_range<T>();
        }
        to = static_cast<T>(number);
        return nullptr;
    }
    if (value.type() == JsonType::UINT64) {
        const std::uint64_t number = value.get_uint64().value_unsafe();
        if (!std::in_range<T>(number)) {
            return out_of_range<T>();
        }
        to = static_cast<T>(number);
        return nullptr;
    }
    if (value.type() == JsonType::STRING) { // as --big-numbers text writes it
        const std::string_view text = value.get_string().value_unsafe();
        const char* const end = text.data() + text.size();
        T number = 0;
        const auto [at, code] = std::from_chars(text.data(), end, number);
        if (code == std::errc{} && at == end) {
            to = number;
            return nullptr;
        }
    }
    return value.is_null() ? nullptr : out_of_range<T>();
}

template <std::integral T>
const char* read_number(const JsonValue& value, std::optional<T>& to) noexcept {
    T number = 0;
    const char* const problem = read_number(value, number);
    if (problem == nullptr && !value.is_null()) {
        to = number;
    }
    return problem;
}

/// A process or thread; null: not known.
const char* read_id(const JsonValue& value, std::uint32_t& to) noexcept;

/// A number, or text `0x...`.
const char* read_bits(const JsonValue& value, std::optional<std::uint64_t>& to) noexcept;

const char* read_text(const JsonValue& value, std::optional<std::string_view>& to) noexcept;
const char* read_boolean(const JsonValue& value, bool& to) noexcept;
const char* read_guid(const JsonValue& value, etl::Guid& to) noexcept;
const char* read_guid(const JsonValue& value, std::optional<etl::Guid>& to) noexcept;

/// `EVENT64` and the like.
const char* read_kind(const JsonValue& value, etl::format::RecordKind& to) noexcept;

/// `0x...`; nothing: it is none.
std::optional<std::uint64_t> parse_bits(std::string_view text) noexcept;

// Small readings of given values.

/// A whole number, or text `0x...`; negative ones as their bits.
std::optional<std::uint64_t> whole(const etl::encode::InputValue& given) noexcept;

std::optional<std::string_view> text(const etl::encode::InputValue& given) noexcept;
std::optional<etl::Guid> guid(const etl::encode::InputValue& given) noexcept;

/// The member of this name with everything inside, or nothing.
std::span<const etl::encode::InputValue> member(std::span<const etl::encode::InputValue> object,
                                                std::string_view name) noexcept;

/// The path to a member whose name another one of its object has, too (`Rows[3].Name`), or nothing.
std::string find_given_twice(std::span<const etl::encode::InputValue> value);

/// Puts the bytes of hex digits in place of what `to` holds; false: these are no hex digits.
bool read_hex(std::string_view digits, std::vector<std::byte>& to);

} // namespace etl::fromjson
