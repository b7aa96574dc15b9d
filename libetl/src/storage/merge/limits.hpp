// Limits of the room merge, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::merge::limits {

/// Bytes of context events with one timestamp that a merge stores to remove duplicates from other
/// traces: rundowns have a timestamp per event; clocks that tick at 64 Hz have a thousand events
/// per timestamp.
inline constexpr std::size_t repeated_context = 4U << 20U;

} // namespace etl::merge::limits
