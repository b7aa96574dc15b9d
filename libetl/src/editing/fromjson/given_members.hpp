// Small readings of given values. Private to the lines.
#pragma once

#include "base/bytes.hpp"
#include "base/guid.hpp"
#include "encode/input_value.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::fromjson {

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
