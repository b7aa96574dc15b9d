// Activity ids: which events belong together. One current id per thread, zero at first.
// EventActivityIdControl. docs/sessions.md#activities
#pragma once

#include <etl/base/guid.hpp>

namespace etl::session {

/// Of the calling thread.
Guid current_activity() noexcept;

/// Returns the one of before.
Guid set_activity(const Guid& activity) noexcept;

/// Never the same twice on this machine until it starts again. No system call.
Guid new_activity() noexcept;

/// While it lives the thread has this activity.
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

} // namespace etl::session
