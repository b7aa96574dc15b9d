// LiveReading: what a LiveSource is behind its face: the buffers of one consumer, one of each
// stripe open, as one sequence of runs. docs/session-internals.md#live
#pragma once

#include "flow/merge_order.hpp"
#include "session/live/live_hub.hpp"
#include "session/live_source.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace etl::session {

class LiveReading {
public:
    LiveReading(std::shared_ptr<LiveHub> from, std::shared_ptr<Listener> as);
    LiveReading(const LiveReading&) = delete;
    LiveReading& operator=(const LiveReading&) = delete;
    ~LiveReading();

    /// The next run; empty at the end; nothing while no event can be given.
    std::optional<flow::Run> poll();

    /// After poll() came with nothing: no event that comes is older than this (raw; stamps of a
    /// caller's own aside).
    std::int64_t floor() const noexcept;

    /// Returns the time by which an event of the last run was ordered.
    std::int64_t key_of(const flow::Event& event) const noexcept { return given_->key_of(event); }

    /// What the last run points into.
    flow::Pin pin() const { return given_; }

    /// From now on it is this one that rings.
    void hear(std::shared_ptr<Bell> bell);

    const flow::TraceInfo& info() const noexcept { return info_; }

    const Bell& bell() const noexcept { return *bell_; }

    // Any thread.

    /// Nothing comes any more behind what waits.
    void close() noexcept;
    std::uint64_t buffers_lost() const noexcept;

private:
    using Open = std::shared_ptr<OpenBuffer>;

    struct Stripe {
        std::int64_t floor = 0; // nothing older comes in buffers that are not open
        std::int64_t newest = 0;
    };

    using Order = flow::MergeOrder<std::size_t>;

    void look();
    void open(Waiting waiting);
    void put_in_order();
    bool may_give() const noexcept;
    Order::Entry entry_of(std::size_t stripe) const noexcept;
    flow::Run run_of(std::size_t stripe);
    flow::Run last_notice();

    const std::shared_ptr<LiveHub> hub_;
    const std::shared_ptr<Listener> listener_;
    flow::TraceInfo info_;
    std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
    std::vector<Open> open_; // by stripe; null: none
    std::vector<Stripe> stripes_;
    Order order_; // of all stripes, by the time of their next event or, where none is open, their
                  // floor
    Look look_;
    Losses carried_;          // in front of buffers without events
    std::int64_t newest_ = 0; // of all that was given
    bool has_begun_ = false;
    bool has_ended_ = false;
    Open given_;
};

} // namespace etl::session
