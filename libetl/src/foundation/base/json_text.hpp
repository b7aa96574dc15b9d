// JSON string escaping.
#pragma once

#include <etl/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace etl {

/// Appends `text`, which must be valid UTF-8, escaped for a JSON string, without quotes.
void append_json_escaped(std::string& to, std::string_view text);

/// The inverse of append_json_escaped.
void append_json_unescaped(std::string& to, std::string_view escaped);

/// The same with quotes.
void append_json_string(std::string& to, std::string_view text);

/// Appends a JSON list of strings.
void append_json_strings(std::string& to, std::span<const std::string_view> texts);

/// Appends UTF-16LE units, escaped for a JSON string, without quotes; invalid surrogates become
/// U+FFFD.
void append_json_utf16le(std::string& to, Bytes units);

// Integers in JSON that readers with 53 bits would round.

/// The largest integer up to which a double represents all.
inline constexpr std::uint64_t max_exact_integer = std::uint64_t{1} << 53U;

/// Quotes the integers of a JSON text, from `begin` on, whose magnitude exceeds `largest`; if that
/// is INT64_MAX, not INT64_MIN, which has 64 bits, too. The text must be valid JSON there, complete
/// values only. Texts and fractions stay as they are.
void quote_large_integers(std::string& json, std::size_t begin, std::uint64_t largest);

} // namespace etl
