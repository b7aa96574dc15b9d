// The check of an option that is a number.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace cli {

/// `1000000000`, not `1e+09`.
template <typename T>
std::string shown_bound(T bound) {
    return bound == static_cast<T>(static_cast<std::int64_t>(bound))
               ? fmt::format("{}", static_cast<std::int64_t>(bound))
               : fmt::format("{}", bound);
}

/// Accepts numbers from `least` to `most`. Words of the parser would differ between its versions.
template <typename T>
CLI::Validator in_range(T least, T most) {
    return {[least, most](std::string& word) {
                T value{};
                const bool is_one = CLI::detail::lexical_cast(word, value) && value >= least &&
                                    value <= most;
                return is_one ? std::string()
                              : fmt::format("'{}' is not a number from {} to {}", word,
                                            shown_bound(least), shown_bound(most));
            },
            ""};
}

} // namespace cli
