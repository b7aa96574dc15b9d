// Text of traces that stays in its line and its column, and aligned text. Private to dumper.
#pragma once

#include <etl/guid.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace etl::dumper {

/// Appends text with control characters escaped as `\x0a`.
void append_line_text(std::string& to, std::string_view text);

/// The same; commas become `;`.
void append_cell_text(std::string& to, std::string_view text);

/// The same as append_line_text(), in quotes; quotes in it are doubled.
void append_quoted(std::string& to, std::string_view text);

/// Appends `text`, right-aligned.
void append_padded(std::string& to, std::string_view text, std::size_t width);

/// Appends `0x` and at least `digits` hexadecimal digits.
void append_hex_digits(std::string& to, std::uint64_t value, unsigned digits);

/// Appends `{GUID}`.
void append_braced(std::string& to, const Guid& guid);

} // namespace etl::dumper
