// Providers whose events several analyzers read. Private to analysis.
#pragma once

#include <etl/base/guid.hpp>

namespace etl::analysis {

inline constexpr Guid kernel_process = *parse_guid("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");
inline constexpr Guid dotnet_runtime = *parse_guid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
inline constexpr Guid javascript = *parse_guid("57277741-3638-4a4b-bdba-0ac6e45da56c");

} // namespace etl::analysis
