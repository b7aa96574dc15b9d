// Counts and lists in messages.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cli {

/// `1 event`, `2 events`; `many` if the plural is not `one` with an `s`.
inline std::string plural(std::uint64_t count, std::string_view one, std::string_view many = {}) {
    return count == 1     ? fmt::format("1 {}", one)
           : many.empty() ? fmt::format("{} {}s", count, one)
                          : fmt::format("{} {}", count, many);
}

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
