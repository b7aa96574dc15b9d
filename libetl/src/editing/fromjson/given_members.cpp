#include "fromjson/given_members.hpp"

#include "base/hex_pairs.hpp"
#include "fromjson/member_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace etl::fromjson {

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
