// Bounds of the room authoring, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Findings listed by the validation of one manifest; dumps of live systems come to some hundreds.
inline constexpr std::size_t manifest_findings = 1000;

} // namespace etl::limits
