#include "verbs/sql/prompt.hpp"

#if __has_include(<editline/readline.h>)

#include <cstdlib>
#include <editline/readline.h>

namespace cli {

std::optional<std::string> read_prompt(const char* prompt) {
    char* const line = ::readline(prompt);
    if (line == nullptr) {
        return std::nullopt;
    }
    std::string text(line);
    std::free(line); // NOLINT(cppcoreguidelines-no-malloc): libedit allocated it
    return text;
}

void remember(const std::string& text) {
    ::add_history(text.c_str());
}

} // namespace cli

#else // without libedit: plain lines

#include <iostream>

namespace cli {

std::optional<std::string> read_prompt(const char* prompt) {
    std::cout << prompt << std::flush;
    std::string line;
    return std::getline(std::cin, line) ? std::optional(line) : std::nullopt;
}

void remember(const std::string&) {}

} // namespace cli

#endif
