// Limits of the room match, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::match::limits {

/// Size of an expression in bytes: a typed expression has a few hundred.
inline constexpr std::size_t expression_bytes = 64U << 10U;

/// Tests in one expression: lists of addresses have thousands of values, not tests.
inline constexpr std::size_t expression_tests = 4096;

/// Nesting of parentheses and negations.
inline constexpr std::size_t expression_depth = 100;

/// Field names stored for suggestions.
inline constexpr std::size_t suggested_names = 4096;

/// Bytes of a text matched by a regular expression: time and stack use grow with it.
inline constexpr std::size_t regex_text_bytes = 256U << 10U;

} // namespace etl::match::limits
