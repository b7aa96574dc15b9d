// LiveHub: one session on its way to those who listen. Lives as long as the session or one of its
// consumers. Any thread. docs/session-internals.md#live
#pragma once

#include "host/process.hpp"
#include "session/live/listener.hpp"
#include "session/status.hpp"
#include "trace/recording.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

namespace etl::session {

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
    // All of these: under the mutex.
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
