// SessionLog: what became of sessions, for those who ask. Any thread.
#pragma once

#include "machine/controller.hpp"
#include "session/runtime.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>

namespace etl::machine {

class SessionLog {
public:
    void add(const session::SessionEvent& event);

    /// Returns the events from number `since` on, once there are any, or when the time is over.
    /// 0: none, only the number of the next one.
    SessionEvents wait(std::uint64_t since, std::chrono::milliseconds limit);

    /// Ends all waits.
    void close();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<session::SessionEvent> events_; // the latest
    std::uint64_t next_ = 1;                   // number of the next one
    bool is_closed_ = false;
};

} // namespace etl::machine
