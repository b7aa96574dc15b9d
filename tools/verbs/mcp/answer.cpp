#include "verbs/mcp/answer.hpp"

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
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end);
}

Answer refusal(std::string_view problem) {
    return {std::string(first_lines(problem, least_answer)), true};
}

} // namespace cli::mcp
