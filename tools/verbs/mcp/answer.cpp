#include "verbs/mcp/answer.hpp"

#include "base/text.hpp"
#include "verbs/mcp/tools.hpp"

namespace cli::mcp {

std::string_view first_lines(std::string_view text, std::size_t most) {
    if (text.size() <= most) {
        return text;
    }
    const std::size_t line_end = text.substr(0, most).rfind('\n');
    if (line_end != text.npos) {
        return text.substr(0, line_end + 1);
    }
    return etl::whole_characters(text, most);
}

Answer refusal(std::string_view problem) {
    return {.text = std::string(first_lines(problem, min_answer)), .is_error = true};
}

} // namespace cli::mcp
