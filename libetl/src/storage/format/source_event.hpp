// The event `Etl-Merge/Source`, which identifies an input of a merge: one per input, before all
// other events. The buffers of an input have its number as LoggerId. docs/merge.md#sources
#pragma once

#include <etl/guid.hpp>

#include <string_view>

namespace etl::format::source_event {

/// The GUID is derived from the name as in TraceLogging, so that `--provider Etl-Merge` matches it.
inline constexpr std::string_view provider_name = "Etl-Merge";
inline constexpr Guid provider = *parse_guid("db41954b-010e-5779-8fff-439d2ecd2866");
inline constexpr std::string_view name = "Source";

} // namespace etl::format::source_event
