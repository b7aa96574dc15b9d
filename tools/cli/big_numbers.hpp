// --big-numbers: how JSON shows integers that readers with 53 bits would round.
#pragma once

#include "base/json_text.hpp"
#include "cli/verb.hpp"

#include <cstdint>
#include <string>

namespace cli {

enum class BigNumbers : std::uint8_t { number, text };

/// Adds --big-numbers. `to` must outlive `verb`.
void add_big_numbers(Verb& verb, BigNumbers& to);

/// The largest integer that is written as a number.
constexpr std::uint64_t largest_of(BigNumbers how) noexcept {
    return how == BigNumbers::text ? etl::max_exact_integer : UINT64_MAX;
}

/// Returns complete JSON values in that form.
std::string with_big_numbers(std::string json, BigNumbers how);

} // namespace cli
