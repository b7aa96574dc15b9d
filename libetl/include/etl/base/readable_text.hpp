// Text that fits into a line and is safe for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace etl {

/// Appends UTF-8 text with its control characters escaped (`\n`, `\x1b`), so that it stays on its
/// line and cannot control a terminal.
void append_escaped(std::string& to, std::string_view text);

/// The same, in quotes if the text is empty or contains blanks, commas, quotes, or brackets.
void append_readable(std::string& to, std::string_view text);

/// Gives the end of `text`, from `begin` on, the form that append_readable() gives it.
void make_readable(std::string& text, std::size_t begin);

} // namespace etl
