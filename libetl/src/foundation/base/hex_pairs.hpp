// Tables for converting bytes to pairs of hex digits and back. Thread-safe.
#pragma once

#include <etl/guid.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace etl {

/// Digit pairs by byte value.
inline constexpr auto hex_pairs = [] {
    constexpr char digits[] = "0123456789abcdef";
    std::array<std::array<char, 2>, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = {digits[i >> 4U], digits[i & 15U]};
    }
    return table;
}();

/// Writes the two digits of `byte`; returns the end of the output. The caller ensures sufficient
/// space.
inline char* put_hex(char* to, std::byte byte) noexcept {
    const auto& pair = hex_pairs[std::to_integer<std::size_t>(byte)];
    *to++ = pair[0];
    *to++ = pair[1];
    return to;
}

using detail::hex_values;

/// Converts pairs of digits to bytes; `to` must have space for half the size of `text`. Returns the
/// end of the output; null if `text` is not pairs of hex digits.
inline std::byte* put_bytes_of_hex(std::byte* to, std::string_view text) noexcept {
    unsigned bad = static_cast<unsigned>(text.size() & 1U) << 4U;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
        const unsigned high = hex_values[static_cast<unsigned char>(text[i])];
        const unsigned low = hex_values[static_cast<unsigned char>(text[i + 1])];
        bad |= high | low;
        *to++ = static_cast<std::byte>(high << 4U | (low & 15U));
    }
    return bad > 15 ? nullptr : to;
}

} // namespace etl
