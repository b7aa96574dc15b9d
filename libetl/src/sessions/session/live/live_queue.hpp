// LiveQueue: from the logger to those who listen: what LiveSource reads from, and what is kept
// while nobody does. One per session. docs/session-internals.md#live
#pragma once

#include "session/buffers/buffers.hpp"
#include "session/buffers/delivered_buffer.hpp"
#include "session/live_source.hpp"
#include "trace/recording.hpp"

#include <memory>

namespace etl::session {

class LiveQueue {
public:
    LiveQueue();
    ~LiveQueue();

    /// A session begins. Without real time deliveries are not kept. `admit` is called whenever the
    /// number of buffers changes that the session may have in use (Buffers::admit): so that what it
    /// accepts while there is no consumer never exceeds `backlog_bytes`; what was in use when the
    /// last consumer left may. It is called under the queue's lock: it must not call the queue or
    /// wait.
    void open(const trace::Recording& recording, std::uint32_t buffer_size, bool is_real_time,
              std::uint64_t backlog_bytes, std::function<void(std::uint32_t)> admit);
    void set_real_time(bool is_real_time);

    // The logger.

    /// A copy goes to every consumer, or into the backlog.
    DeliveryCounts deliver(const ClosedBuffer& closed, std::int64_t sequence);

    /// How often the backlog was full.
    std::uint64_t refusals() const noexcept;

    /// No event that is delivered from now on is older than this (Buffers::close_open).
    void advance(std::int64_t time);

    /// Told to consumers by Lost_Event records.
    void tell_lost_events(std::uint64_t count);

    /// Consumers get what there is, and their end.
    void end();

    // Any thread.

    Outcome<std::unique_ptr<LiveSource>> connect(const LiveOptions& options);
    std::uint32_t consumers() const noexcept;
    void forget_in_child() noexcept;

private:
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace etl::session
