// Numbers, little-endian, at the end of a text of bytes. Private to columnfiles.
#pragma once

#include "base/layout.hpp"
#include "base/text.hpp"

#include <cstddef>
#include <string>

namespace etl::columnfiles {

template <typename T>
void append_le(std::string& to, T value) {
    std::byte bytes[sizeof value];
    store_le(bytes, value);
    to.append(as_text(bytes));
}

} // namespace etl::columnfiles
