// The `%n` of messages, as far as validation wants to know. Private to authoring.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace etl::authoring {

/// The highest number behind a single `%`, of up to two digits; 0: none. `%%` is a percent sign.
inline std::size_t highest_insert(std::string_view text) noexcept {
    std::size_t highest = 0;
    for (std::size_t at = text.find('%'); at != text.npos; at = text.find('%', at)) {
        ++at;
        if (at < text.size() && text[at] == '%') {
            ++at;
            continue;
        }
        std::size_t number = 0;
        for (int digits = 0; digits < 2 && at < text.size() && text[at] >= '0' && text[at] <= '9';
             ++digits, ++at) {
            number = number * 10 + static_cast<std::size_t>(text[at] - '0');
        }
        highest = std::max(highest, number);
    }
    return highest;
}

} // namespace etl::authoring
