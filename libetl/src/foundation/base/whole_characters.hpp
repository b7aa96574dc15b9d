// UTF-8 text of a bounded size.
#pragma once

#include <cstddef>
#include <string_view>

namespace etl {

/// Returns the longest beginning of UTF-8 text that has at most `most` bytes and does not end
/// within a character.
constexpr std::string_view whole_characters(std::string_view text, std::size_t most) noexcept {
    if (text.size() <= most) {
        return text;
    }
    std::size_t size = most;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) {
        --size;
    }
    return text.substr(0, size);
}

} // namespace etl
