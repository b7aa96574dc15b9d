// The check of an option that is a number.
#pragma once

#include "cli/verb.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <type_traits>

namespace cli {

/// `1000000000`, not `1e+09`.
template <typename T>
std::string shown_bound(T bound) {
    if constexpr (std::is_floating_point_v<T>) {
        constexpr T max_exact = 1e15; // whole numbers below are exact
        return std::abs(bound) < max_exact && std::trunc(bound) == bound
                   ? fmt::format("{:.0f}", bound)
                   : fmt::format("{}", bound);
    } else {
        return fmt::format("{}", bound);
    }
}

/// Accepts numbers from `min` to `max`. Words of the parser would differ between its versions.
template <typename T>
Check in_range(T min, T max) {
    return [min, max](std::string& word) {
        T value{};
        const bool is_one = read_number(word, value) && value >= min && value <= max;
        return is_one ? std::string()
                      : fmt::format("'{}' is not a number from {} to {}", word, shown_bound(min),
                                    shown_bound(max));
    };
}

} // namespace cli
