// Deliveries: the events of real-time sessions as traces into pipes, for consumers in other
// processes. One thread for all of them. docs/machine-sessions-internals.md#live
#pragma once

#include <etl/session.hpp>

#include "host/descriptor.hpp"
#include "host/local_socket.hpp"
#include "machine/accounts.hpp"
#include "session/live_source.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace etl::machine {

/// One consumer.
struct Consumer {
    std::unique_ptr<session::LiveSource> source;
    host::Descriptor pipe; // a description of its own: writing does not wait
    /// The connection that asked for it. The delivery ends with it.
    std::shared_ptr<const std::atomic<bool>> has_connection_ended;
    std::vector<Share> shares; // given back at the end
};

/// A consumer that reads slowly loses events (SlowConsumer) and delays nothing. Any thread.
class Deliveries {
public:
    explicit Deliveries(std::shared_ptr<const host::Poller> poller);
    Deliveries(const Deliveries&) = delete;
    Deliveries& operator=(const Deliveries&) = delete;
    /// Ends all.
    ~Deliveries();

    /// Delivers until the session or the connection ends, or the pipe has no reader. Errors:
    /// bad_pathname (not a pipe).
    session::Outcome<void> add(Consumer consumer);

    /// Looks for connections that have ended.
    void wake() const noexcept { poller_->wake(); }

    /// Waits until no consumer is left.
    void wait_until(std::chrono::steady_clock::time_point deadline);

private:
    class Delivery;
    using All = std::list<std::unique_ptr<Delivery>>;

    void run();
    std::optional<std::int64_t> go_on(All& all);

    const std::shared_ptr<const host::Poller> poller_;
    std::mutex mutex_;
    std::condition_variable emptied_;
    All new_;
    std::size_t count_ = 0;
    std::atomic<bool> is_stopping_{false};
    std::thread thread_;
};

} // namespace etl::machine
