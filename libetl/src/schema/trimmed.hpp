// Text without the blanks around it. Pure; any thread. Private to schema.
#pragma once

#include <string_view>

namespace etl::schema {

inline constexpr std::string_view blanks = " \t\r\n";

constexpr std::string_view trimmed(std::string_view text) noexcept {
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == text.npos ? std::string_view{}
                              : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

} // namespace etl::schema
