// Limits of the repair module, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Losses of one trace reported individually.
inline constexpr std::size_t repair_losses = 1U << 14U;

} // namespace etl::limits
