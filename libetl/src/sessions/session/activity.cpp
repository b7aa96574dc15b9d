
#include <etl/session.hpp>

#include "base/layout.hpp"
#include "host/process.hpp"
#include "session/unique_number.hpp"

#include <atomic>
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

namespace {

// A thread takes so many at a time, and what it has not used when it ends is never used.
constexpr std::uint64_t taken_at_once = 1024;

constinit std::atomic<std::uint64_t> next_free{1};

struct Taken {
    std::uint64_t next = 0, end = 0;
};

constinit thread_local Taken taken{};

} // namespace

std::uint64_t unique_number() noexcept {
    if (taken.next == taken.end) {
        taken.next = next_free.fetch_add(taken_at_once, std::memory_order_relaxed);
        taken.end = taken.next + taken_at_once;
    }
    return taken.next++;
}

} // namespace etl::session
