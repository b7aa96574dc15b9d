// Integers of variable length, as Protocol Buffers and Thrift write them. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace etl {

/// Appends `value` in groups of 7 bits, the lowest first (ULEB128): 1 to 10 bytes.
inline void append_varint(std::string& to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) {
        to.push_back(static_cast<char>(value | 0x80U));
    }
    to.push_back(static_cast<char>(value));
}

/// Returns a number that is small if the magnitude of `value` is: 0, -1, 1, -2 become 0, 1, 2, 3.
constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
    return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63U);
}

} // namespace etl
