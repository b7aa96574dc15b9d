#include "machine/session_log.hpp"

namespace etl::machine {

void SessionLog::add(const session::SessionEvent& event) {
    constexpr std::size_t most = 256;
    const std::lock_guard lock(mutex_);
    events_.push_back(event);
    ++next_;
    if (events_.size() > most) {
        events_.pop_front();
    }
    changed_.notify_all();
}

SessionEvents SessionLog::wait(std::uint64_t since, std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    if (since == 0 || since > next_) { // of another host
        return {.next = next_};
    }
    changed_.wait_for(lock, limit, [&] { return next_ > since || is_closed_; });
    const std::uint64_t first = next_ - events_.size();
    SessionEvents result{.next = next_, .missed = first > since ? first - since : 0};
    const std::uint64_t from = since > first ? since - first : 0;
    result.events.assign(events_.begin() + static_cast<std::ptrdiff_t>(from), events_.end());
    return result;
}

void SessionLog::close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
}

} // namespace etl::machine
