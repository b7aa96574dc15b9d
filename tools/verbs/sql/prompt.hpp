// The prompt of `etl sql`: lines with a history. docs/sql.md#prompt
#pragma once

#include <optional>
#include <string>

namespace cli {

/// Reads a line, without its end, from the terminal; nothing at the end of the input.
std::optional<std::string> read_prompt(const char* prompt);

/// Adds what can be recalled with the arrow keys, in this run of the program.
void remember(const std::string& text);

} // namespace cli
