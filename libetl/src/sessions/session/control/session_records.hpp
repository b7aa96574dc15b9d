// What a session records about itself: which providers it has enabled, and which of them other
// sessions have taken over. docs/sessions.md#records
#pragma once

#include "session/control/runtime_state.hpp"

#include <optional>

namespace etl::session {

/// Writes an event for each provider and group that the session has enabled, or only for one of
/// them: event 14 (Provider, Enable), version 1, of Microsoft-Windows-Kernel-EventTracing. On
/// Windows, sessions that enable that provider contain it; here, all with a file do. Without
/// effect if the session has ended, has no file, or no free buffer.
void record_enablements(const Runtime::State& state, const SessionRef& session,
                        const std::optional<Guid>& only = std::nullopt);

/// The same of all, unless its file is so small that they would be its content.
void record_all_enablements(const Runtime::State& state, const SessionRef& session);

/// Writes an event about a classic provider that another session, by its name, has taken over, or
/// that has returned. Without effect as above.
void record_take_over(const Runtime::State& state, const TakeOver& what, const std::string& other);

} // namespace etl::session
