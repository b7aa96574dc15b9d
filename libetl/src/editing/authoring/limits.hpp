// Limits of the room authoring, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::authoring::limits {

/// Findings listed for one manifest; manifests dumped from live systems have a few hundred.
inline constexpr std::size_t manifest_findings = 1000;

} // namespace etl::authoring::limits
