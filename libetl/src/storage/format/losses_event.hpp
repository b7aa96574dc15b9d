// The event `LibEtl.Losses/Unknown`: more events and buffers can be lost than EventsLost and
// BuffersLost of the log file header count. A trace that is written from one that does not state
// its losses (an unfinalized one, or one without a header) contains it, since its own header is
// finalized.
// docs/repair.md#unknown
#pragma once

#include <etl/guid.hpp>

#include <string_view>

namespace etl::format::losses_event {

/// The GUID is derived from the name as in TraceLogging, so that `--provider LibEtl.Losses` matches
/// it. The provider has no other event.
inline constexpr std::string_view provider_name = "LibEtl.Losses";
inline constexpr Guid provider = *parse_guid("7f3018b2-a6d9-5da7-300d-848bf29d29eb");
inline constexpr std::string_view name = "Unknown";

} // namespace etl::format::losses_event
