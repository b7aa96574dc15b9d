// Limits of the anonymize module, each with its reason. See etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Users, and computers, collected by one run of --anonymize, and names that begin with the same
/// word: each word of all texts is looked up among them.
inline constexpr std::size_t private_names = 1U << 14U;
inline constexpr std::size_t names_of_one_word = 16;

} // namespace etl::limits
