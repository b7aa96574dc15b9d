// Bell: how those who wait hear that something came, be it from one session or from several. Any
// thread. Without a lock, so that a child of a fork cannot find it locked.
#pragma once

#include <atomic>
#include <cstdint>

namespace etl::session {

class Bell {
public:
    void ring() noexcept {
        rings_.fetch_add(1);
        rings_.notify_all();
    }

    /// How often it rang. Asked before one looks; then wait() misses nothing.
    std::uint32_t rings() const noexcept { return rings_.load(); }

    void wait(std::uint32_t seen) const noexcept { rings_.wait(seen); }

private:
    std::atomic<std::uint32_t> rings_{0};
};

} // namespace etl::session
