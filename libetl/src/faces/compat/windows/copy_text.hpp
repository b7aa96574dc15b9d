// Copies of text into buffers of callers, of 8- and 16-bit units. Any thread.
#pragma once

#include <etl/compat/strsafe.h>

#include "compat/c_values.hpp"

#include <algorithm>
#include <cstddef>

namespace etl::compat {

/// At most `max` units. False: there is not enough space for these; what fits is there.
template <typename Unit>
bool copy_text(Unit* to, std::size_t room, const Unit* from,
               std::size_t max = static_cast<std::size_t>(-1)) noexcept {
    std::size_t i = 0;
    for (; i + 1 < room && i < max && from[i] != 0; ++i) {
        to[i] = from[i];
    }
    to[i] = 0;
    return i == max || from[i] == 0;
}

template <typename Unit>
HRESULT copy_checked(Unit* to, std::size_t room, const Unit* from) noexcept {
    if (to == nullptr || from == nullptr || room == 0) {
        return STRSAFE_E_INVALID_PARAMETER;
    }
    return copy_text(to, room, from) ? S_OK : STRSAFE_E_INSUFFICIENT_BUFFER;
}

template <typename Unit>
HRESULT copy_at_end(Unit* to, std::size_t room, const Unit* from) noexcept {
    const auto length = to == nullptr ? std::nullopt : length_within(to, room);
    if (!length || from == nullptr) {
        return STRSAFE_E_INVALID_PARAMETER;
    }
    return copy_text(to + *length, room - *length, from) ? S_OK : STRSAFE_E_INSUFFICIENT_BUFFER;
}

} // namespace etl::compat
