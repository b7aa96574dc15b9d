// Listener: what waits for one consumer. Everything is guarded by the hub's mutex.
// docs/session-internals.md#live
#pragma once

#include "session/buffers/delivered_buffer.hpp"
#include "session/live/bell.hpp"
#include "session/live_source.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace etl::session {

struct Waiting {
    SharedBuffer buffer;
    Losses before; // told in front of it
    bool is_backlog = false;
};

class Listener {
public:
    explicit Listener(const LiveOptions& options) : options_(options) {}

    /// Hands over what was kept while nobody listened.
    void begin_with(std::deque<Waiting> backlog);

    /// What is lost by it may be that one or others.
    DeliveryCounts accept(const SharedBuffer& buffer);

    /// Told in front of the next buffer.
    void tell(const Losses& losses) noexcept { pending_.add(losses); }

    std::optional<Waiting> take(std::size_t stripe);

    /// What was lost behind all buffers. Asked at the end.
    Losses take_losses() noexcept { return std::exchange(pending_, {}); }

    /// Nothing comes any more.
    void end() noexcept { has_ended_ = true; }

    bool has_ended() const noexcept { return has_ended_; }

    /// What it holds of the backlog.
    std::uint64_t backlog_bytes() const noexcept { return backlog_bytes_; }

    std::uint64_t buffers_lost() const noexcept { return buffers_lost_; }

    void hear(std::shared_ptr<Bell> bell) noexcept { bell_ = std::move(bell); }

    void ring() const noexcept { bell_->ring(); }

private:
    bool fits(std::uint64_t cost) const noexcept {
        return live_bytes_ == 0 || live_bytes_ + cost <= options_.queue_bytes;
    }

    void push(Waiting waiting);
    std::uint32_t lose_oldest();
    void account_taken(const Waiting& waiting) noexcept;

    LiveOptions options_;
    std::vector<std::deque<Waiting>> stripes_;
    std::uint64_t live_bytes_ = 0, backlog_bytes_ = 0;
    std::uint64_t buffers_lost_ = 0;
    Losses pending_;
    bool has_ended_ = false;
    std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
};

} // namespace etl::session
