// Writes that the losses of a session are unknown. docs/repair.md#unknown
#pragma once

#include "trace/recording.hpp"

namespace etl::trace {

/// Adds the event `LibEtl.Losses/Unknown` (flow::indicates_unknown_losses()) to the header buffer,
/// as the last of Recording::extra_records, unless it is among them. Readers of Windows show it as
/// a TraceLogging event.
void record_unknown_losses(Recording& recording);

} // namespace etl::trace
