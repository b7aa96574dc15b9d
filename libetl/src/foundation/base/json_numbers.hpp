// Integers in JSON that readers with 53 bits would round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace etl {

/// The largest integer up to which a double represents all.
inline constexpr std::uint64_t largest_exact_integer = std::uint64_t{1} << 53U;

/// Quotes the integers of a JSON text, from `begin` on, whose magnitude exceeds `largest`; if that
/// is INT64_MAX, not INT64_MIN, which has 64 bits, too. The text must be valid JSON there, complete
/// values only. Texts and fractions stay as they are.
void quote_large_integers(std::string& json, std::size_t begin, std::uint64_t largest);

} // namespace etl
