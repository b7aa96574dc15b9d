// Answers of tools: text of a bounded size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cli::mcp {

/// What `tools/call` returns. UTF-8. The two stand in content items of their own, so that nothing
/// in a trace can pass for the words of the tool.
struct Answer {
    std::string data; // what the verb printed: texts of traces; empty: nothing
    std::string text; // messages of the verb and of the server; empty: none
    bool is_error = false;
};

/// Returns as much of a text as whole lines of at most `most` bytes; of a longer line, whole
/// characters.
std::string_view first_lines(std::string_view text, std::size_t most);

/// Returns an answer about a wrong argument. It may contain what the client sent, of any length.
Answer refusal(std::string_view problem);

} // namespace cli::mcp
