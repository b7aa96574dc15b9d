// Bounds of the room repair, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Losses of one trace that are told one by one.
inline constexpr std::size_t repair_losses = 1U << 14U;

} // namespace etl::limits
