// Counts and lists in messages.
#pragma once

#include "base/text.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

namespace cli {

using etl::plural;

/// `a, b, or c`
inline std::string list_of(std::span<const std::string> words, std::string_view conjunction) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text += i == 0 ? "" : i + 1 < words.size() ? ", " : fmt::format(", {} ", conjunction);
        text += words[i];
    }
    return text;
}

} // namespace cli
