// Activity IDs, which relate events to each other. Each thread has a current ID, initially zero.
// Corresponds to EventActivityIdControl. docs/sessions.md#activities
#pragma once

#include "base/guid.hpp"

#include <cstdint>

namespace etl::session {

/// Returns the activity ID of the calling thread.
Guid current_activity() noexcept;

/// Sets the activity ID of the calling thread. Returns the previous one.
Guid set_activity(const Guid& activity) noexcept;

/// Returns a new ID, unique on this machine until it restarts. No system call.
Guid new_activity() noexcept;

/// Sets the activity of the thread during the lifetime of this object.
class ActivityScope {
public:
    explicit ActivityScope(const Guid& activity = new_activity()) noexcept
        : before_(set_activity(activity)) {}

    ActivityScope(const ActivityScope&) = delete;
    ActivityScope& operator=(const ActivityScope&) = delete;

    ~ActivityScope() { set_activity(before_); }

private:
    Guid before_;
};

// Numbers that no two callers in this process get, from 1 on. Any thread; most calls touch nothing
// that threads share.

std::uint64_t unique_number() noexcept;

} // namespace etl::session
