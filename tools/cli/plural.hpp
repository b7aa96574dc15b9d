// Counts in messages.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace cli {

/// `1 event`, `2 events`; `many` if the plural is not `one` with an `s`.
inline std::string plural(std::uint64_t count, std::string_view one, std::string_view many = {}) {
    return count == 1     ? fmt::format("1 {}", one)
           : many.empty() ? fmt::format("{} {}s", count, one)
                          : fmt::format("{} {}", count, many);
}

} // namespace cli
