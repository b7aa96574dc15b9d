// Counts in messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace etl {

/// `1 event`, `2 events`; `many` if the plural is not `one` with an `s`.
inline std::string plural(std::uint64_t count, std::string_view one, std::string_view many = {}) {
    std::string text = std::to_string(count) + " ";
    text += count == 1 || many.empty() ? one : many;
    return count == 1 || !many.empty() ? text : text + "s";
}

} // namespace etl
