// Answers of tools: text of a bounded size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cli::mcp {

/// What `tools/call` returns. UTF-8.
struct Answer {
    std::string text;
    bool is_error = false;
};

/// Returns as much of a text as whole lines of at most `most` bytes; of a longer line, whole
/// characters.
std::string_view first_lines(std::string_view text, std::size_t most);

/// Returns an answer about a wrong argument. It may contain what the client sent, of any length.
Answer refusal(std::string_view problem);

} // namespace cli::mcp
