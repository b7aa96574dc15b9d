// How much of a file's own text a remark about it may quote. Pure; any thread. Private to schema.
#pragma once

#include <string_view>

namespace etl::schema {

/// The first `most` bytes at the most, cut between UTF-8 characters.
constexpr std::string_view clipped(std::string_view text, std::size_t most) noexcept {
    std::size_t size = most;
    while (size > 0 && size < text.size() && (text[size] & '\xC0') == '\x80') {
        --size;
    }
    return text.substr(0, size);
}

} // namespace etl::schema
