// Limits of the room evtx, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::evtx::limits {

/// Elements open at once in one record. Windows' own events have 4 or 5.
inline constexpr std::size_t xml_depth = 64;

/// Template instances inside each other. Windows uses 2.
inline constexpr std::size_t template_depth = 8;

/// Nodes of one event. Templates can refer to a value more than once, so that nested ones multiply;
/// a record of 64 KB that does not do so has fewer.
inline constexpr std::size_t nodes = std::size_t{1} << 16U;

/// Tokens and values read for one event, for the same reason: not all of them become nodes.
inline constexpr std::size_t tokens = std::size_t{1} << 18U;

/// Memory for what packed events have in common; beyond it, all is forgotten. A trace can describe
/// each of its events in another way.
inline constexpr std::size_t known_shape_bytes = std::size_t{16} << 20U;

} // namespace etl::evtx::limits
