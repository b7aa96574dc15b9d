// Bell: how those who wait hear that something came, be it from one session or from several. Any
// thread. Without a lock, so that a child of a fork cannot find it locked.
#pragma once

#include "host/local_socket.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace etl::session {

class Bell {
public:
    Bell() noexcept = default;

    /// It wakes a poller, too.
    explicit Bell(std::shared_ptr<const host::Poller> poller) noexcept
        : poller_(std::move(poller)) {}

    void ring() noexcept {
        rings_.fetch_add(1);
        rings_.notify_all();
        if (poller_ != nullptr) {
            poller_->wake();
        }
    }

    /// How often it rang. Asked before one looks; then wait() misses nothing.
    std::uint32_t rings() const noexcept { return rings_.load(); }

    void wait(std::uint32_t seen) const noexcept { rings_.wait(seen); }

private:
    std::atomic<std::uint32_t> rings_{0};
    const std::shared_ptr<const host::Poller> poller_;
};

} // namespace etl::session
