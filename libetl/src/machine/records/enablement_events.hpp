// What a machine session has enabled, as events in the session itself: the event 14 (Provider,
// Enable) of Microsoft-Windows-Kernel-EventTracing, version 1. On Windows, sessions that enable
// that provider contain it; here, all machine sessions do. docs/machine-sessions.md#enablements
#pragma once

#include <etl/session/runtime.hpp>
#include <etl/session/session.hpp>

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>

namespace etl::machine {

/// Writes an event for each provider and group that the session has enabled, or only for one of
/// them. Without effect if the session has ended, has no file, or no free buffer.
void record_enablements(session::Runtime& runtime, const session::Session& session,
                        const std::optional<Guid>& only = std::nullopt);

/// Files that sessions have begun and that do not contain their enablements yet. Any thread.
class BegunFiles {
public:
    /// Called by an observer of the runtime; calls nothing.
    void add(std::uint16_t session);

    /// Writes the enablements of all sessions that have begun a file since the last call. When it
    /// returns, those of earlier calls in other threads have been written as well.
    void record_all(session::Runtime& runtime);

private:
    std::optional<std::uint16_t> next();

    std::mutex recording_; // taken before the other one
    std::mutex mutex_;
    std::set<std::uint16_t> begun_; // session numbers
};

} // namespace etl::machine
