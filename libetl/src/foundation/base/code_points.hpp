// Steps over text: one code point at a time between UTF-8, UTF-16LE and numbers, and the end of a
// string as raw memory. Private to base.
#pragma once

#include <etl/bytes.hpp>

#include "base/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace etl {

// The end of a string as raw memory to write to.

/// Makes room for `max` more characters, lets `write(char* from) -> char* end` fill some of them,
/// and keeps those. No character is written twice, as resize() would.
template <typename Write>
void append_at_most(std::string& to, std::size_t max, Write write) {
    const std::size_t before = to.size();
    to.resize_and_overwrite(before + max, [&](char* data, std::size_t) {
        return static_cast<std::size_t>(write(data + before) - data);
    });
}

inline constexpr std::uint32_t replacement = 0xFFFD;

/// Writes up to four characters and returns the place behind them. `code_point` is a scalar value.
inline char* put_code_point(char* to, std::uint32_t code_point) noexcept {
    const auto put = [&](std::uint32_t byte) { *to++ = static_cast<char>(byte); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0U | (code_point >> 6U));
        put(0x80U | (code_point & 0x3FU));
    } else if (code_point < 0x10000) {
        put(0xE0U | (code_point >> 12U));
        put(0x80U | ((code_point >> 6U) & 0x3FU));
        put(0x80U | (code_point & 0x3FU));
    } else {
        put(0xF0U | (code_point >> 18U));
        put(0x80U | ((code_point >> 12U) & 0x3FU));
        put(0x80U | ((code_point >> 6U) & 0x3FU));
        put(0x80U | (code_point & 0x3FU));
    }
    return to;
}

/// What stands at the front of some text, and how many bytes of it.
struct CodePoint {
    std::uint32_t value;
    unsigned size;
    bool valid;
};

/// Decodes the front of UTF-16LE bytes, of which there is at least one.
inline CodePoint front_of_utf16le(const std::byte* units, std::size_t left) noexcept {
    if (left < 2) {
        return {replacement, 1, false};
    }
    const std::uint32_t unit = load_le<std::uint16_t>(units);
    if (unit < 0xD800 || unit > 0xDFFF) {
        return {unit, 2, true};
    }
    if (unit < 0xDC00 && left >= 4) {
        const std::uint32_t low = load_le<std::uint16_t>(units + 2);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            return {0x10000U + ((unit - 0xD800U) << 10U) + (low - 0xDC00U), 4, true};
        }
    }
    return {replacement, 2, false};
}

/// Decodes the front of UTF-8, of which there is at least one byte. A bad sequence is as long as
/// its part that could have begun a good one (Unicode 15, 3.9, "substitution of maximal subparts").
inline CodePoint front_of_utf8(const std::byte* text, std::size_t left) noexcept {
    const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(text[i]); };
    const std::uint32_t lead = at(0);
    if (lead < 0x80) {
        return {lead, 1, true};
    }
    if (lead < 0xC2 || lead > 0xF4) {
        return {replacement, 1, false};
    }
    const unsigned size = lead < 0xE0 ? 2U : lead < 0xF0 ? 3U : 4U;
    // The second byte is narrower after four leads: no overlong forms, no surrogates, nothing above
    // 0x10FFFF.
    const std::uint32_t low = lead == 0xE0 ? 0xA0U : lead == 0xF0 ? 0x90U : 0x80U;
    const std::uint32_t high = lead == 0xED ? 0x9FU : lead == 0xF4 ? 0x8FU : 0xBFU;
    if (left < 2 || at(1) < low || at(1) > high) {
        return {replacement, 1, false};
    }
    std::uint32_t value = ((lead & (0x7FU >> size)) << 6U) | (at(1) & 0x3FU);
    for (unsigned i = 2; i < size; ++i) {
        if (i >= left || (at(i) & 0xC0U) != 0x80U) {
            return {replacement, i, false};
        }
        value = (value << 6U) | (at(i) & 0x3FU);
    }
    return {value, size, true};
}

} // namespace etl
