// JSON string escaping.
#pragma once

#include "base/bytes.hpp"

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

} // namespace etl
