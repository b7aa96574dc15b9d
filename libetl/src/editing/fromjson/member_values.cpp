#include "fromjson/member_values.hpp"

#include "flow/event.hpp"

#include <charconv>

namespace etl::fromjson {

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

} // namespace etl::fromjson
