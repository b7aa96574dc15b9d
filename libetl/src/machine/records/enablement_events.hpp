// What a machine session has enabled, as events in the session itself: the event 14 (Provider,
// Enable) of Microsoft-Windows-Kernel-EventTracing, version 1. On Windows, sessions that enable
// that provider contain it; here, all machine sessions do. docs/machine-sessions.md#enablements
#pragma once

#include <etl/session/runtime.hpp>
#include <etl/session/session.hpp>

#include <optional>

namespace etl::machine {

/// Writes an event for each provider and group that the session has enabled, or only for one of
/// them. Without effect if the session has ended, has no file, or no free buffer.
void record_enablements(session::Runtime& runtime, const session::Session& session,
                        const std::optional<Guid>& only = std::nullopt);

} // namespace etl::machine
