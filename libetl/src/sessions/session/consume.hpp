// Consumption: the events of files and running sessions, merged in time order, optionally within a
// time window. Corresponds to ProcessTrace. docs/sessions.md#consuming
#pragma once

#include "flow/source.hpp"
#include "session/live_source.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace etl::session {

/// A buffer whose events have all been returned.
struct ConsumedBuffer {
    const flow::TraceInfo* trace = nullptr;
    std::uint64_t buffers_read = 0; // buffers read from this source, including this one
    std::uint32_t buffer_size = 0;  // buffer size of the session, in bytes
    std::uint32_t filled = 0;       // used bytes of the buffer, including its header
};

struct ConsumeOptions {
    /// Time window. Events before `from` or after `to` are omitted, except log file headers.
    std::optional<Filetime> from{}, to{};
    /// Called in next_run() when all events of a buffer have been consumed, including buffers
    /// completely outside the window. Return false to cancel (is_canceled).
    std::function<bool(const ConsumedBuffer&)> on_buffer{};
};

/// Not thread-safe, except cancel(). Events are ordered by wall time, so clocks may differ; at
/// equal times, the source added first comes first, if both events have arrived.
class Consumption final : public flow::Source {
public:
    explicit Consumption(ConsumeOptions options = {});
    Consumption(const Consumption&) = delete;
    Consumption& operator=(const Consumption&) = delete;
    ~Consumption() override;

    /// Adds a source in time order that does not wait, such as a trace::Reader. Call before
    /// next_run(). The source must outlive this object.
    void add(flow::Source& source);
    /// Adds a session. A session without events delays other sources only until its next flush.
    void add(LiveSource& source);

    /// Blocks like LiveSource. Returns an empty run when all sources have ended or passed the
    /// window, or after cancel().
    flow::Run next_run() override;
    flow::Pin pin() const override;
    /// Returns the error of the first source that has one; the others continue.
    const Error* error() const noexcept override;

    /// Ends next_run(), even while it blocks in another thread. No more events are returned.
    /// Thread-safe.
    void cancel() noexcept;

    /// Returns whether cancel() was called or on_buffer returned false.
    bool is_canceled() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::session
