// Text as it lies in a payload, UTF-16 or 8-bit, in one form: units. A unit is a UTF-16 unit or a
// byte; a text keeps its number of them. Private to anonymize.
#pragma once

#include <etl/bytes.hpp>

#include "anonymize/limits.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace etl::anonymize {

using Units = std::span<char16_t>;
using Text = std::u16string_view;

enum class UnitSize : std::uint8_t { one = 1, two = 2 };

constexpr bool is_digit(char16_t c) noexcept {
    return c >= u'0' && c <= u'9';
}

constexpr bool is_upper_ascii(char16_t c) noexcept {
    return c >= u'A' && c <= u'Z';
}

constexpr bool is_ascii_letter(char16_t c) noexcept {
    return is_upper_ascii(c) || (c >= u'a' && c <= u'z');
}

constexpr bool is_hex_digit(char16_t c) noexcept {
    return is_digit(c) || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
}

/// What a pseudonym replaces: ASCII letters and digits, and everything beyond ASCII.
constexpr bool is_wordy(char16_t c) noexcept {
    return is_digit(c) || is_ascii_letter(c) || c >= 0x80;
}

constexpr bool is_blank(char16_t c) noexcept {
    return c == u' ' || c == u'\t' || c == u'\r' || c == u'\n';
}

constexpr bool is_slash(char16_t c) noexcept {
    return c == u'\\' || c == u'/';
}

/// Lower case as Windows compares names: ASCII, Latin, Greek and Cyrillic letters.
constexpr char16_t folded(char16_t c) noexcept {
    if (c < 0x80) {
        return is_upper_ascii(c) ? static_cast<char16_t>(c + 0x20) : c;
    }
    const bool by_32 = (c >= 0xC0 && c <= 0xDE && c != 0xD7) ||
                       (c >= 0x391 && c <= 0x3A9 && c != 0x3A2) || (c >= 0x410 && c <= 0x42F);
    if (by_32) {
        return static_cast<char16_t>(c + 0x20);
    }
    if (c >= 0x400 && c <= 0x40F) {
        return static_cast<char16_t>(c + 0x50);
    }
    const bool even_is_upper = (c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177);
    const bool odd_is_upper = (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E);
    if ((even_is_upper && c % 2 == 0) || (odd_is_upper && c % 2 == 1)) {
        return static_cast<char16_t>(c + 1);
    }
    return c;
}

std::u16string folded(Text text);

/// `lower` is in lower case.
constexpr bool equals_folded(Text text, Text lower) noexcept {
    if (text.size() != lower.size()) {
        return false;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (folded(text[i]) != lower[i]) {
            return false;
        }
    }
    return true;
}

/// The units of `bytes`; an odd last byte is left out.
void load_units(Bytes bytes, UnitSize size, std::u16string& to);

/// Puts `units` where they came from.
void store_units(Text units, UnitSize size, MutableBytes to) noexcept;

// The ASCII form of names.

/// The ASCII form of a part of a text, for names.
class KeyText {
public:
    explicit KeyText(Text text) noexcept : size_(std::min(text.size(), limits::key_units)) {
        std::ranges::transform(text.substr(0, size_), letters_.begin(),
                               [](char16_t c) { return c < 0x80 ? static_cast<char>(c) : '?'; });
    }

    std::string_view view() const noexcept { return {letters_.data(), size_}; }

private:
    std::array<char, limits::key_units> letters_{};
    std::size_t size_;
};

} // namespace etl::anonymize
