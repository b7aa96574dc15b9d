// Limits of the room profiles, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::profiles::limits {

/// Samples of formats that list them by thread: 1,000 a second on 16 processors for 17 minutes.
/// 16 bytes each.
inline constexpr std::size_t samples = 16U << 20U;

/// Slices, waits, and marks of formats that list them by thread. 24 bytes each.
inline constexpr std::size_t markers = 8U << 20U;

/// Distinct pairs of a stack and a thread: each has a node of a stack tree.
inline constexpr std::size_t stacks = 4U << 20U;

} // namespace etl::profiles::limits
