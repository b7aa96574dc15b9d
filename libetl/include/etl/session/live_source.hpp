// LiveSource: the events of a session that runs, as they come, in the order of time. A flow::Source
// like Reader, so that Mux, filters, decoders and sinks take it. docs/sessions.md#live
#pragma once

#include <etl/flow/source.hpp>
#include <etl/flow/trace_info.hpp>
#include <etl/session/status.hpp>

#include <cstdint>
#include <memory>

namespace etl::session {

class LiveReading;

/// What happens when a consumer does not keep up with its session.
enum class SlowConsumer : std::uint8_t {
    drop_newest, // buffers that find no room in its queue are lost for it, and counted
    drop_oldest, // the oldest ones in its queue make room
    disconnect,  // it comes to its end, with what it has
};

struct LiveOptions {
    /// Of buffers that wait for this consumer, the backlog aside. One buffer always fits.
    std::uint64_t queue_bytes = 64U << 20U;
    SlowConsumer slow = SlowConsumer::drop_newest;
    bool with_backlog = true; // begin with what was kept while nobody listened
};

/// One thread reads; close() may come from any.
class LiveSource final : public flow::Source {
public:
    LiveSource(const LiveSource&) = delete;
    LiveSource& operator=(const LiveSource&) = delete;
    /// Disconnects.
    ~LiveSource() override;

    /// Waits until events can be given: those of which no earlier one can come any more, for which
    /// buffers are flushed at least each second (FlushTimer). The first one is the log file header
    /// record. What was lost is told by Lost_Event records (RTLostEvent, RTLostBuffer, RTLostFile).
    /// Empty when the session was stopped and all was given, or after close().
    flow::Run next_run() override;
    flow::Pin pin() const override;

    const Error* error() const noexcept override { return nullptr; }

    const flow::TraceInfo& info() const noexcept;

    /// Ends next_run() of another thread; what is queued is still given.
    void close() noexcept;

    /// Buffers that were lost for this consumer.
    std::uint64_t buffers_lost() const noexcept;

private:
    friend class LiveQueue;
    friend class Consumption;
    explicit LiveSource(std::unique_ptr<LiveReading> reading) noexcept;
    std::unique_ptr<LiveReading> reading_;
};

} // namespace etl::session
