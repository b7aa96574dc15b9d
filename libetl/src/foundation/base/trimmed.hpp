// Text without the blanks around it.
#pragma once

#include <string_view>

namespace etl {

inline constexpr std::string_view blanks = " \t\r\n";

/// Returns the text without the characters of `around` at both ends.
constexpr std::string_view trimmed(std::string_view text,
                                   std::string_view around = blanks) noexcept {
    const std::size_t begin = text.find_first_not_of(around);
    return begin == text.npos ? std::string_view{}
                              : text.substr(begin, text.find_last_not_of(around) - begin + 1);
}

} // namespace etl
