// Text made fast and the same everywhere: no locale, no stream. Appenders into a string that is
// reused.
#pragma once

#include <etl/base/bytes.hpp>

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etl {

/// Characters of an 8-bit view.
inline std::string_view as_text(Bytes bytes) noexcept {
    // char may alias any object; no byte is reinterpreted as another type.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Decimal digits of an integer.
template <std::integral T>
void append_decimal(std::string& to, T value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    to.append(digits, static_cast<std::size_t>(end - digits));
}

/// `0x` and lower-case digits without leading zeros; zero is `0x0`.
void append_hex(std::string& to, std::uint64_t value);

/// Lower-case hex pairs, no separator.
void append_hex_bytes(std::string& to, Bytes bytes);

/// The shortest decimal form that reads back as the same number; NaN and infinities as `NaN`,
/// `Infinity`,
/// `-Infinity`.
void append_float(std::string& to, float value);
void append_float(std::string& to, double value);

/// UTF-16LE units to UTF-8; an unpaired surrogate or an odd last byte becomes U+FFFD.
void append_utf16le(std::string& to, Bytes units);

/// Bytes of unknown origin as UTF-8: valid UTF-8 is kept, anything else is read as Windows-1252.
void append_ansi(std::string& to, Bytes text);

/// UTF-8, each bad sequence replaced by U+FFFD.
void append_utf8(std::string& to, Bytes text);

/// One code point as UTF-8; surrogates and values above 0x10FFFF become U+FFFD.
void append_code_point(std::string& to, std::uint32_t code_point);

bool is_valid_utf8(std::string_view text) noexcept;

/// Both ignore the case of ASCII letters only.
bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept;
std::string to_lower_ascii(std::string_view text);

/// A number that is the whole text: decimal digits, or hexadecimal ones after `0x`. Empty: it is
/// none, or beyond 64 bits.
std::optional<std::uint64_t> parse_number(std::string_view text) noexcept;

/// Shell pattern with `*` and `?`, ASCII case ignored. Linear in the text for each `*`.
bool matches_glob(std::string_view pattern, std::string_view text) noexcept;

/// UTF-8 text to UTF-16 units; bad sequences become U+FFFD.
std::u16string to_utf16(std::string_view text);

/// The same as bytes of UTF-16LE at `to`, where there is room for two bytes for each one of `text`.
/// Returns the place behind them.
std::byte* put_utf16le(std::byte* to, std::string_view text) noexcept;

/// UTF-8 text as Windows-1252 at `to`, where there is room for as many bytes. Returns the place
/// behind them; null: not all of it can be said in that code page.
std::byte* put_windows_1252(std::byte* to, std::string_view text) noexcept;

} // namespace etl
