// Numbers as queries and columns write them, which SQLite would round. Private to sql.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace etl::sql {

inline constexpr double two_to_63 = 9223372036854775808.0, two_to_64 = 18446744073709551616.0;

/// std::uint64_t only if INTEGER cannot hold it.
using Number = std::variant<std::int64_t, std::uint64_t, double>;

Number number_of_bits(std::uint64_t bits) noexcept;

/// Parses a decimal number, and nothing else.
std::optional<Number> number_of_text(std::string_view text) noexcept;

/// Parses `0x1c`, of at most 64 bits.
std::optional<std::uint64_t> bits_of_hex(std::string_view text) noexcept;

/// Returns the bits of `0x1c`, or of an unsigned number that INTEGER cannot hold.
std::optional<std::uint64_t> bits_of_text(std::string_view text) noexcept;

/// Parses one or the other.
std::optional<Number> number_of_any(std::string_view text) noexcept;

/// Exact. Not for NaN.
std::strong_ordering compare_numbers(const Number& one, const Number& other) noexcept;

/// Whether a text is the decimal form of an unsigned number that INTEGER cannot hold.
bool is_large_number(std::string_view text) noexcept;

enum class NumberSize : std::uint8_t {
    integer,         // also a REAL that is smaller than 2^63
    beyond_integer,  // an unsigned number of 64 bits
    beyond_unsigned, // others, REAL for SQLite
};

/// Of a number in a query.
NumberSize number_size(std::string_view number) noexcept;

} // namespace etl::sql
