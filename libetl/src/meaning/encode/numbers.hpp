// Numbers from what was given: JSON's own, and text in digits. Pure; any thread. Private to encode.
#pragma once

#include "encode/input_value.hpp"

#include <optional>

namespace etl::encode {

/// A whole number: 64 bits and what they mean.
struct Whole {
    std::uint64_t bits = 0;
    bool is_negative = false; // the bits are those of a negative std::int64_t
    bool is_hex = false;      // written in hexadecimal: the bits count, not the sign
};

/// Digits, `-` and digits, or `0x` and digits.
std::optional<Whole> read_whole(std::string_view text) noexcept;

/// A number, or text that is one. Nothing: it is something else, or beyond 64 bits.
std::optional<Whole> read_whole(const InputValue& given) noexcept;

/// A number, or text that is one, `NaN`, `Infinity` and `-Infinity` included.
std::optional<double> read_real(const InputValue& given) noexcept;

bool fits_unsigned(const Whole& number, std::uint32_t size) noexcept;
bool fits_signed(const Whole& number, std::uint32_t size) noexcept;

} // namespace etl::encode
