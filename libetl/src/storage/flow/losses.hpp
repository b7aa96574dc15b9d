// Whether a trace states all that its session lost. docs/repair.md#unknown
#pragma once

#include "flow/event.hpp"

#include <optional>

namespace etl::flow {

/// Returns whether EventsLost and BuffersLost of the header are the totals. False for a session
/// that was not stopped: Windows counts there only at its end. A trace written from such a session
/// records this in an event (TraceInfo::has_unknown_losses).
bool counts_losses(const TraceInfo& trace) noexcept;

/// What a session lost, as far as its trace states it.
struct StatedLosses {
    std::optional<std::uint64_t> events, buffers; // none: unknown
    bool are_totals = false;                      // false: more can be lost
};

/// Returns the losses for tables and other outputs. Of an event log that was converted, `events`
/// are the records that it lacks, if there are any. `has_unknown`: an event outside the header
/// buffer indicates unknown losses.
StatedLosses stated_losses(const TraceInfo& trace, bool has_unknown = false) noexcept;

/// Returns the sum of two counts; nothing if one is unknown and the other is 0.
std::optional<std::uint64_t> sum_of_losses(std::optional<std::uint64_t> one,
                                           std::optional<std::uint64_t> other) noexcept;

/// Returns whether the event states that more was lost than the header counts
/// (`LibEtl.Losses/Unknown`, format/own_events.hpp).
bool indicates_unknown_losses(const Event& event) noexcept;

/// Returns whether one of these consecutive records is such an event.
bool indicate_unknown_losses(Bytes records) noexcept;

} // namespace etl::flow
