// Whether a trace states all that its session lost. docs/repair.md#unknown
#pragma once

#include <etl/flow/event.hpp>

namespace etl::flow {

/// Returns whether EventsLost and BuffersLost of the header are the totals. False for a session
/// that was not stopped: Windows counts there only at its end. A trace written from such a one has
/// a finalized header and says so by an event: tells_unknown_losses().
bool counts_losses(const TraceInfo& trace) noexcept;

/// Returns whether the event states that more was lost than the header counts
/// (`LibEtl.Losses/Unknown`, format/losses_event.hpp).
bool tells_unknown_losses(const Event& event) noexcept;

} // namespace etl::flow
