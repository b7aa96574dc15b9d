#include "session/activity.hpp"

#include "base/layout.hpp"
#include "host/process.hpp"
#include "session/buffers/unique_number.hpp"

#include <utility>

namespace etl::session {

namespace {

constinit thread_local Guid current{};

} // namespace

Guid current_activity() noexcept {
    return current;
}

Guid set_activity(const Guid& activity) noexcept {
    return std::exchange(current, activity);
}

Guid new_activity() noexcept {
    Guid activity;
    store_le(activity.bytes.data(), unique_number());
    store_le(activity.bytes.data() + 8, host::process_start_key());
    return activity;
}

} // namespace etl::session
