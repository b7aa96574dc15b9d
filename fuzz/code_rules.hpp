// What manifests must not get out of in generated code: comments and literals.
#pragma once

#include "fuzz/require.hpp"

#include <string_view>

namespace etl::fuzz {

inline constexpr std::string_view letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
inline constexpr std::string_view signs = "(){}[]<>:;,.=&* ";
inline constexpr std::string_view hidden[] = {"\xE2\x80\xAE", "\xE2\x80\xA8", "\xE2\x81\xA6"};

/// Behind the comment that begins `text`.
inline std::string_view behind_comment(std::string_view text) {
    const std::size_t end = text.find('\n');
    require(end != text.npos && text[end - 1] != '\\');
    const std::string_view comment = text.substr(0, end);
    require(!comment.ends_with("?\?/"));
    for (const char c : comment) {
        require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
    }
    for (const std::string_view mark : hidden) { // they turn what stands behind them
        require(comment.find(mark) == comment.npos);
    }
    return text.substr(end);
}

/// Behind the string literal that begins `text`: escapes have three octal digits.
inline std::string_view behind_literal(std::string_view text) {
    text.remove_prefix(1);
    while (true) {
        require(!text.empty() && text.front() >= 0x20 && text.front() < 0x7F);
        if (text.front() == '"') {
            return text.substr(1);
        }
        const bool is_escape = text.front() == '\\';
        require(!is_escape || (text.size() > 4 && text.substr(1, 3).find_first_not_of("01234567") ==
                                                      std::string_view::npos));
        text.remove_prefix(is_escape ? 4 : 1);
    }
}

} // namespace etl::fuzz
