// LiveSource: the events of a running session, as they arrive, in time order. A flow::Source like
// Reader, usable with Mux, filters, decoders, and sinks. docs/sessions.md#live
#pragma once

#include <etl/session.hpp>

#include "flow/source.hpp"
#include "flow/trace_info.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace etl::host {
class Poller;
}

namespace etl::session {

class LiveReading;
class Session;

/// How to handle a consumer that does not keep up with its session.
enum class SlowConsumer : std::uint8_t {
    drop_newest, // drop buffers that do not fit in the queue, and count them
    drop_oldest, // drop the oldest buffers in the queue
    disconnect,  // end the source after the queued buffers
};

struct LiveOptions {
    /// Maximum size of the queue, without the backlog. One buffer always fits.
    std::uint64_t queue_bytes = 64U << 20U;
    SlowConsumer slow = SlowConsumer::drop_newest;
    bool with_backlog = true; // start with the events kept while no consumer was connected
};

/// Not thread-safe, except close().
class LiveSource final : public flow::Source {
public:
    /// Returns a new consumer of a session. Errors: those of the calls of Session;
    /// wmi_instance_not_found (not a real-time session).
    static Outcome<std::unique_ptr<LiveSource>> listen(const Session& session,
                                                       const LiveOptions& options = {});
    LiveSource(const LiveSource&) = delete;
    LiveSource& operator=(const LiveSource&) = delete;
    /// Disconnects.
    ~LiveSource() override;

    /// Blocks until it can return events that no later arrival can precede; buffers are flushed at
    /// least every second (FlushTimer) for this purpose. The first event is the log file header
    /// record. Lost_Event records (RTLostEvent, RTLostBuffer, RTLostFile) report losses. Returns an
    /// empty run when the session has stopped and all events were returned, or after close().
    flow::Run next_run() override;

    /// The same without waiting. Nothing: there is none yet.
    std::optional<flow::Run> try_next_run();

    /// Wakes `poller` when try_next_run() may return more, for a thread that waits for several
    /// things.
    void wake(std::shared_ptr<const host::Poller> poller);

    flow::Pin pin() const override;

    const Error* error() const noexcept override { return nullptr; }

    const flow::TraceInfo& info() const noexcept;

    /// Ends next_run() in another thread; queued events are still returned. Thread-safe.
    void close() noexcept;

    /// Returns the number of buffers lost by this consumer.
    std::uint64_t buffers_lost() const noexcept;

private:
    friend class LiveQueue;
    friend class Consumption;
    explicit LiveSource(std::unique_ptr<LiveReading> reading) noexcept;
    std::unique_ptr<LiveReading> reading_;
};

} // namespace etl::session
