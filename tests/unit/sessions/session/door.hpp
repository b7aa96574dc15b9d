// Door: where threads of a test wait for each other.
#pragma once

#include <condition_variable>
#include <mutex>

namespace etl::session {

/// A point that one thread opens and others wait at.
class Door {
public:
    void open() {
        const std::lock_guard lock(mutex_);
        is_open_ = true;
        changed_.notify_all();
    }

    void pass() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return is_open_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_open_ = false;
};

} // namespace etl::session
