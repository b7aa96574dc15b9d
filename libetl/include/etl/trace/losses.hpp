// Whether the log file header counts what a session lost. docs/repair.md#unknown
#pragma once

#include <etl/flow/event.hpp>
#include <etl/trace/recording.hpp>

namespace etl::trace {

/// Returns whether EventsLost and BuffersLost of the header are the totals. False for a session that
/// was not stopped: Windows counts there only at its end. A trace written from such a one has a
/// finalized header and says so by an event: tells_unknown_losses().
bool counts_losses(const flow::TraceInfo& trace) noexcept;

/// Returns whether the event states that more was lost than the header counts
/// (`LibEtl.Losses/Unknown`).
bool tells_unknown_losses(const flow::Event& event) noexcept;

/// Adds that event to the header buffer, as the last of Recording::extra_records. Readers of Windows
/// show it as an event of an unknown TraceLogging provider.
void record_unknown_losses(Recording& recording);

} // namespace etl::trace
