// Limits of the room repair, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::repair::limits {

/// Losses of one trace reported individually.
inline constexpr std::size_t losses = 1U << 14U;

} // namespace etl::repair::limits
