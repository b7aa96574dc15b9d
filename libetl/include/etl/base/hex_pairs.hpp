// Two lower-case hex digits for each value of a byte: the one table. Any thread.
#pragma once

#include <array>
#include <cstddef>

namespace etl {

/// By the value of a byte.
inline constexpr auto hex_pairs = [] {
    constexpr char digits[] = "0123456789abcdef";
    std::array<std::array<char, 2>, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = {digits[i >> 4U], digits[i & 15U]};
    }
    return table;
}();

/// Writes the pair for `byte`, for which there is room, and returns the place behind it.
inline char* put_hex(char* to, std::byte byte) noexcept {
    const auto& pair = hex_pairs[std::to_integer<std::size_t>(byte)];
    *to++ = pair[0];
    *to++ = pair[1];
    return to;
}

} // namespace etl
