// Limits of the room columnfiles, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::columnfiles::limits {

/// Longer bounds of a chunk are omitted: they would fill the footer.
inline constexpr std::size_t bound_bytes = 256;

/// Values of a dictionary: with more, indices save little, and the table leaves the cache.
inline constexpr std::size_t dictionary_values = 1U << 16U;

} // namespace etl::columnfiles::limits
