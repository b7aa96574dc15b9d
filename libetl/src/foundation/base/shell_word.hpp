// Commands shown to people.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace etl {

/// Returns a word of a POSIX shell.
inline std::string shell_word(std::string_view text) {
    const bool is_plain = !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_./:=+,@%-").contains(c);
    });
    if (is_plain) {
        return std::string(text);
    }
    std::string word = "'";
    for (const char c : text) {
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return word + '\'';
}

} // namespace etl
