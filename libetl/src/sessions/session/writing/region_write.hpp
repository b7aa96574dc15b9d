// An event into the region that a process shares with the host of machine sessions.
// docs/machine-sessions-internals.md#region
#pragma once

#include <etl/session.hpp>

#include "session/writing/event_image.hpp"
#include "session/writing/event_targets.hpp"

namespace etl::session {

/// Written once for all machine sessions: the host decides which of them record it. Events that
/// find no space count as lost in the sessions that match them.
WriteResult write_to_region(const MachineTarget& target, const EventImage& image) noexcept;

/// Writes a classic record for one machine session, as the payload of an EVENT record. The host
/// stores process ID, timestamp, and sequence number in it. Errors: more_data (too large),
/// not_enough_memory; the session then lost an event.
WriteResult write_classic_to_region(link::RegionWriter& region, std::uint16_t session,
                                    Bytes record) noexcept;

/// Counts a classic record that was not written.
void lose_classic_in_region(link::RegionWriter& region, std::uint16_t session) noexcept;

} // namespace etl::session
