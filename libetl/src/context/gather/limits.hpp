// Bounds of the room gather, each with its reason. As base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::gather::limits {

/// Embedded schemas that are rejected one by one; the rest is counted. A damaged trace can reject
/// thousands.
inline constexpr std::size_t reported_rejections = 10;

/// Kinds of events of a stream that are counted one by one while they lack a schema.
inline constexpr std::size_t counted_stream_kinds = 1U << 17U;

/// First events of each kind that are kept of a stream of an unknown build of Windows, to choose
/// layouts by them; of further kinds each payload decides. Traces have a few hundred kinds.
inline constexpr std::size_t first_event_bytes = std::size_t{4} << 20U;

/// Places of kinds in buffers that a thread keeps while it makes an index, 8 bytes each: a trace of
/// 10 GB has 2 million. Traces with more have no kinds in their index.
inline constexpr std::size_t kind_places = std::size_t{1} << 23U;

/// Machines and boots of one merged trace that have facts of their own. Each is read with its own
/// tables.
inline constexpr std::size_t scopes_of_a_trace = 1024;

/// Names of functions kept for all images. Those of a large trace take a few megabytes.
inline constexpr std::size_t symbol_name_bytes = std::size_t{64} << 20U;

} // namespace etl::gather::limits
