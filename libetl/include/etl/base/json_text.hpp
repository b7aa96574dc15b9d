// JSON string escapes: the one place that knows them.
#pragma once

#include <etl/base/bytes.hpp>

#include <span>
#include <string>
#include <string_view>

namespace etl {

/// Appends `text`, which is valid UTF-8, escaped as the inside of a JSON string (no quotes).
void append_json_escaped(std::string& to, std::string_view text);

/// The inverse, of what append_json_escaped has written.
void append_json_unescaped(std::string& to, std::string_view escaped);

/// As append_json_escaped, with quotes around it.
void append_json_string(std::string& to, std::string_view text);

/// A list of them.
void append_json_strings(std::string& to, std::span<const std::string_view> texts);

/// UTF-16LE units straight to the inside of a JSON string; bad surrogates become U+FFFD.
void append_json_utf16le(std::string& to, Bytes units);

} // namespace etl
