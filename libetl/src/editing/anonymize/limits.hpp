// Limits of the room anonymize, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::anonymize::limits {

/// Users, and computers, collected by one run of --anonymize; also names of Windows files.
inline constexpr std::size_t private_names = 1U << 18U;

/// Characters of the shape of a kept text in the report.
inline constexpr std::size_t shape_units = 80;

/// Characters before a `=` or `:` that can be the name of a value in a text.
inline constexpr std::size_t key_units = 64;

} // namespace etl::anonymize::limits
