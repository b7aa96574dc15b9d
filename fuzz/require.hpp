// How a fuzz target says what must hold. Used by all of them.
#pragma once

#include <etl/bytes.hpp>

#include <cstdlib>
#include <functional>
#include <span>
#include <string_view>

namespace etl::fuzz {

inline void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

inline Bytes bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

inline bool lies_inside(Bytes part, Bytes whole) {
    const std::less_equal<> before; // pointers into different arrays have an order here
    return part.empty() || (before(whole.data(), part.data()) &&
                            before(part.data() + part.size(), whole.data() + whole.size()));
}

} // namespace etl::fuzz
