// UTF-16 in payloads as text. Private to packets.
#pragma once

#include "base/text.hpp"

#include <string>

namespace etl::packets {

inline std::string utf8_of(Bytes units) {
    std::string text;
    append_utf16le(text, units);
    return text;
}

} // namespace etl::packets
