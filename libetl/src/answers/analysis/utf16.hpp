// Text in payloads. Private to analysis.
#pragma once

#include "base/layout.hpp"
#include "base/text.hpp"

#include <string>

namespace etl::analysis {

/// Returns UTF-16 text up to its NUL, or to the end, as UTF-8.
inline std::string terminated_utf16(Bytes bytes) {
    std::size_t size = 0;
    while (size + 2 <= bytes.size() && load_le<std::uint16_t>(bytes.data() + size) != 0) {
        size += 2;
    }
    std::string text;
    append_utf16le(text, bytes.first(size));
    return text;
}

} // namespace etl::analysis
