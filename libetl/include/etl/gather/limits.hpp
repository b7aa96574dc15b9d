// Bounds of the room gather, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::limits {

/// Embedded schemas that are rejected one by one; the rest is counted. A damaged trace can reject
/// thousands.
inline constexpr std::size_t reported_rejections = 10;

/// Kinds of events of a stream that are counted one by one while they lack a schema.
inline constexpr std::size_t counted_stream_kinds = 1U << 17U;

} // namespace etl::limits
