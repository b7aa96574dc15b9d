// Limits of the room view, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::view::limits {

/// Findings kept per walk: a damaged trace can have one per buffer.
inline constexpr std::size_t kept_findings = 1000;

/// Lines about schemas in Trace::remarks: a directory can contain thousands of files.
inline constexpr std::size_t kept_remarks = 100;

} // namespace etl::view::limits
