// Bounds of the room view, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::limits {

/// Findings of one walk that are kept: a damaged trace can have one per buffer.
inline constexpr std::size_t kept_findings = 1000;

/// Lines of Trace::remarks about schemas: a directory can contain thousands of files.
inline constexpr std::size_t kept_remarks = 100;

} // namespace etl::limits
