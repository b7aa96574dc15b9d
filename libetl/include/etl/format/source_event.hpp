// The event `Etl-Merge/Source`, by which a merge says what it was made of: one for each input, in
// front of all others. The buffers of an input have its number as LoggerId. docs/merge.md#sources
#pragma once

#include <etl/base/guid.hpp>

#include <string_view>

namespace etl::format::source_event {

/// As TraceLogging derives the GUID from the name, so that `--provider Etl-Merge` finds it.
inline constexpr std::string_view provider_name = "Etl-Merge";
inline constexpr Guid provider = *parse_guid("db41954b-010e-5779-8fff-439d2ecd2866");
inline constexpr std::string_view name = "Source";

} // namespace etl::format::source_event
