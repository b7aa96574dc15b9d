// Bounds of the room match, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::limits {

/// An expression, in bytes: one that a person types has some hundred.
inline constexpr std::size_t expression_bytes = 64U << 10U;

/// Tests of one expression: lists of addresses have thousands of values, not tests.
inline constexpr std::size_t expression_tests = 4096;

/// Parentheses and negations within each other.
inline constexpr std::size_t expression_depth = 100;

/// Names of fields that are remembered to suggest one that was meant.
inline constexpr std::size_t suggested_names = 4096;

/// Bytes of a text that a regular expression is asked about: time and stack grow with it.
inline constexpr std::size_t regex_text_bytes = 256U << 10U;

} // namespace etl::limits
