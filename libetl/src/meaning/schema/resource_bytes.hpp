// What the readers of executables and of their resources share. Pure; any thread. Private to
// schema.
#pragma once

#include "base/layout.hpp"

namespace etl::schema {

/// A number at an offset that is known to lie inside.
template <typename T>
T load_at(Bytes bytes, std::size_t offset) noexcept {
    return load_le<T>(bytes.data() + offset);
}

/// Text in units of 1 or 2 bytes up to the first NUL: what follows pads it.
inline Bytes until_zero(Bytes text, std::size_t unit) noexcept {
    for (std::size_t at = 0; text.size() - at >= unit; at += unit) {
        if (text[at] == std::byte{0} && text[at + unit - 1] == std::byte{0}) {
            return text.first(at);
        }
    }
    return text;
}

} // namespace etl::schema
