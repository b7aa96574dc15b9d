// Bounds of the room merge, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Context of one time stamp that a merge remembers, to take out what other traces repeat of it:
/// rundowns have a stamp for each event, clocks that tick at 64 Hz have a thousand for one stamp.
inline constexpr std::size_t repeated_context = 4U << 20U;

} // namespace etl::limits
