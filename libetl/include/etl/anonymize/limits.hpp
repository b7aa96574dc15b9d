// Limits of the anonymize module, each with its reason. See etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Users, and computers, collected by one run of --anonymize, and names that begin with the same
/// word: each word of all texts is looked up among them.
inline constexpr std::size_t private_names = 1U << 14U;
inline constexpr std::size_t names_of_one_word = 16;

/// Names that begin with the same characters, of those that are found inside of words as well: all
/// bytes that no schema describes are compared with them.
inline constexpr std::size_t names_of_one_beginning = 256;

/// Characters of the shape of a kept text in the report.
inline constexpr std::size_t shape_units = 80;

/// Characters before a `=` or `:` that can be the name of a value in a text.
inline constexpr std::size_t key_units = 64;

} // namespace etl::limits
