// Text of traces and files on a line of a terminal.
#pragma once

#include "base/readable_text.hpp"

#include <string>
#include <string_view>

namespace etl {

/// Returns a text whose unsafe characters, line ends, and bytes that are not UTF-8 are escaped as
/// append_visible_front() does.
inline std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        text.remove_prefix(append_visible_front(result, text));
    }
    return result;
}

} // namespace etl
