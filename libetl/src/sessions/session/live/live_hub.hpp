// LiveHub: one session on its way to those who listen. Lives as long as the session or one of its
// consumers. Any thread. docs/session-internals.md#live
#pragma once

#include <etl/session.hpp>

#include "host/local_socket.hpp"
#include "host/process.hpp"
#include "session/buffers/delivered_buffer.hpp"
#include "session/live_source.hpp"
#include "trace/recording.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace etl::session {

/// Bell: how those who wait hear that something came, be it from one session or from several. Any
/// thread. Without a lock, so that a child of a fork cannot find it locked.
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

/// Listener: what waits for one consumer. Everything is guarded by the hub's mutex.
/// docs/session-internals.md#live
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

struct HubPlan {
    trace::Recording recording;
    std::uint32_t buffer_size = 0;
    bool is_real_time = false;
    std::uint64_t backlog_bytes = 0;
    /// Called under the hub's mutex: must not call the hub or wait. LiveQueue::open
    std::function<void(std::uint32_t)> admit;
};

/// What a consumer sees when it looks.
struct Look {
    std::vector<Waiting> taken;       // the next buffer of stripes of which it had none
    std::vector<std::int64_t> floors; // of each stripe: nothing older comes behind what waits
    bool has_ended = false;           // nothing comes any more behind what waits
};

class LiveHub {
public:
    explicit LiveHub(HubPlan plan);

    const trace::Recording& recording() const noexcept { return plan_.recording; }

    std::uint32_t buffer_size() const noexcept { return plan_.buffer_size; }

    DeliveryCounts deliver(const ClosedBuffer& closed, std::int64_t sequence);
    std::uint64_t refusals() const noexcept;
    void advance(std::int64_t time);
    void tell_lost_events();
    void set_real_time(bool is_real_time);
    void end();

    Outcome<std::shared_ptr<Listener>> connect(const LiveOptions& options);
    std::uint32_t consumers() const noexcept;

    // Those who listen.

    /// `open`: the buffers that the consumer has already, by stripe; null or behind the end: none.
    void look(Listener& listener, std::span<const std::shared_ptr<OpenBuffer>> open, Look& into);

    /// What was lost behind all that it took.
    Losses last_losses(Listener& listener) noexcept;

    enum class Rest : std::uint8_t { stays, goes };
    void disconnect(Listener& listener, Rest rest);
    void hear(Listener& listener, std::shared_ptr<Bell> bell);
    std::uint64_t buffers_lost(const Listener& listener) const noexcept;

    /// In the child of a fork: nobody may touch the mutex any more.
    void forget() noexcept { is_forgotten_.store(true); }

    /// The queue forgets but the hub of its session; consumers of earlier ones have the process.
    bool is_forgotten() const noexcept {
        return is_forgotten_.load() || process_id_ != host::process_id();
    }

private:
    // Call all of these under the mutex.
    bool wants_buffers() const noexcept { return is_real_time_ || !listeners_.empty(); }

    DeliveryCounts keep(const SharedBuffer& buffer);
    void raise_floor(std::size_t stripe, std::int64_t time);
    std::uint64_t kept_bytes() const noexcept;
    void drop_backlog();
    void remove_ended();

    bool keeps() const noexcept { return is_real_time_ && listeners_.empty(); }

    std::uint32_t admitted(std::uint64_t kept) const noexcept;
    void decide_admission();

    const HubPlan plan_;
    const std::uint32_t process_id_ = host::process_id();
    std::atomic<bool> is_forgotten_{false};
    mutable std::mutex mutex_;
    std::vector<std::int64_t> floors_;
    std::vector<std::shared_ptr<Listener>> listeners_;
    std::deque<Waiting> backlog_; // while nobody listens
    std::uint64_t backlog_bytes_ = 0;
    Losses losses_; // behind the backlog
    std::uint64_t deliveries_ = 0, refusals_ = 0;
    bool is_real_time_ = false;
    bool is_refusing_ = false;
    std::uint32_t admitted_ = Buffers::no_limit; // as it was said last
    bool has_ended_ = false;
};

} // namespace etl::session
