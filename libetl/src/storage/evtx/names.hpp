// Characters of names of elements and attributes are made of, for reading and writing binary XML.
#pragma once

#include <algorithm>
#include <string_view>

namespace etl::evtx {

/// As far as it keeps XML well-formed; of a UTF-8 sequence each byte will do.
inline bool is_name_character(char c) noexcept {
    constexpr std::string_view forbidden = "<>&\"'=/!?%();,#[]{}";
    return static_cast<unsigned char>(c) > ' ' && forbidden.find(c) == forbidden.npos;
}

inline bool is_xml_name(std::string_view name) noexcept {
    return !name.empty() && std::ranges::all_of(name, is_name_character);
}

} // namespace etl::evtx
