// An event into the region that a process shares with the host of machine sessions.
// docs/machine-sessions-internals.md#region
#pragma once

#include <etl/session/registration.hpp>

#include "session/writing/event_image.hpp"
#include "session/writing/event_targets.hpp"

namespace etl::session {

/// Written once for all machine sessions: the host decides which of them record it. Events that
/// find no space count as lost in the sessions that match them.
WriteResult write_to_region(const MachineTarget& target, const EventImage& image) noexcept;

} // namespace etl::session
