// Fast, locale-independent text conversion without streams. Functions append to a reusable string.
#pragma once

#include <etl/bytes.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etl {

/// Returns the bytes as characters.
inline std::string_view as_text(Bytes bytes) noexcept {
    // char may alias any object; no byte is reinterpreted as another type.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Appends the decimal digits of an integer.
template <std::integral T>
void append_decimal(std::string& to, T value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    to.append(digits, static_cast<std::size_t>(end - digits));
}

/// Appends `0x` and lowercase digits without leading zeros; zero is `0x0`.
void append_hex(std::string& to, std::uint64_t value);

/// Appends lowercase hex pairs without separators.
void append_hex_bytes(std::string& to, Bytes bytes);

/// Appends the shortest decimal form that parses to the same number; NaN and infinities as `NaN`,
/// `Infinity`, `-Infinity`.
void append_float(std::string& to, float value);
void append_float(std::string& to, double value);

/// Appends UTF-16LE units as UTF-8; an unpaired surrogate or an odd last byte becomes U+FFFD.
void append_utf16le(std::string& to, Bytes units);

/// Appends bytes of unknown encoding as UTF-8: valid UTF-8 is kept, anything else is treated as
/// Windows-1252.
void append_ansi(std::string& to, Bytes text);

/// Appends UTF-8, with each invalid sequence replaced by U+FFFD.
void append_utf8(std::string& to, Bytes text);

/// Appends one code point as UTF-8; surrogates and values above 0x10FFFF become U+FFFD.
void append_code_point(std::string& to, std::uint32_t code_point);

bool is_valid_utf8(std::string_view text) noexcept;

/// Both handle the case of ASCII letters only.
bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept;
std::string to_lower_ascii(std::string_view text);

/// Parses a text that consists of decimal digits, or of hexadecimal digits after `0x`. Empty if it
/// is not a number, or exceeds 64 bits.
std::optional<std::uint64_t> parse_number(std::string_view text) noexcept;

/// Matches a shell pattern with `*` and `?`, ignoring ASCII case. Linear in the text for each `*`.
bool matches_glob(std::string_view pattern, std::string_view text) noexcept;

/// Converts UTF-8 to UTF-16 units; invalid sequences become U+FFFD.
std::u16string to_utf16(std::string_view text);

/// Writes the same as UTF-16LE bytes to `to`, which must have space for twice the size of `text`.
/// Returns the end of the output.
std::byte* put_utf16le(std::byte* to, std::string_view text) noexcept;

/// Writes UTF-8 text as Windows-1252 to `to`, which must have space for the size of `text`. Returns
/// the end of the output; null if the text cannot be represented in that code page.
std::byte* put_windows_1252(std::byte* to, std::string_view text) noexcept;

// Text without the blanks around it.

inline constexpr std::string_view blanks = " \t\r\n";

/// Returns the text without the characters of `around` at both ends.
constexpr std::string_view trimmed(std::string_view text,
                                   std::string_view around = blanks) noexcept {
    const std::size_t begin = text.find_first_not_of(around);
    return begin == text.npos ? std::string_view{}
                              : text.substr(begin, text.find_last_not_of(around) - begin + 1);

} // namespace etl

// UTF-8 text of a bounded size.

/// Returns the longest beginning of UTF-8 text that has at most `max` bytes and does not end
/// within a character.
constexpr std::string_view whole_characters(std::string_view text, std::size_t max) noexcept {
    if (text.size() <= max) {
        return text;
    }
    std::size_t size = max;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) {
        --size;
    }
    return text.substr(0, size);
}

/// `1 event`, `2 events`; `many` if the plural is not `one` with an `s`.
inline std::string plural(std::uint64_t count, std::string_view one, std::string_view many = {}) {
    std::string text = std::to_string(count) + " ";
    text += count == 1 || many.empty() ? one : many;
    return count == 1 || !many.empty() ? text : text + "s";
}

/// Appends `text` in quotes, its quotes doubled: CSV (RFC 4180).
void append_csv_quoted(std::string& to, std::string_view text);

} // namespace etl
