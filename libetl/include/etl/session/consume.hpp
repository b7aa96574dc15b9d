// Consumption: the events of files and of sessions that run, together in the order of time and
// within a window of it: what ProcessTrace does. docs/sessions.md#consuming
#pragma once

#include <etl/flow/source.hpp>
#include <etl/session/live_source.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace etl::session {

/// A buffer of which all events were given.
struct ConsumedBuffer {
    const flow::TraceInfo* trace = nullptr;
    std::uint64_t buffers_read = 0; // of this source, this one included
    std::uint32_t buffer_size = 0;  // of the session, bytes
    std::uint32_t filled = 0;       // of the buffer, its header included
};

struct ConsumeOptions {
    /// Events before `from` and after `to` do not come, log file headers aside.
    std::optional<Filetime> from{}, to{};
    /// Told in next_run(), when the caller is done with the events of a buffer and asks for more.
    /// False ends it all (is_canceled). Those of which the window takes everything count, too.
    std::function<bool(const ConsumedBuffer&)> on_buffer{};
};

/// One thread; cancel() may come from any. Wall time decides, so that clocks may differ; of equal
/// times the source comes first that was added first, where both are known.
class Consumption final : public flow::Source {
public:
    explicit Consumption(ConsumeOptions options = {});
    Consumption(const Consumption&) = delete;
    Consumption& operator=(const Consumption&) = delete;
    ~Consumption() override;

    /// Before the first run is asked for. Sources outlive this. One that is in the order of time
    /// and does not wait: a trace::Reader.
    void add(flow::Source& source);
    /// A session that has nothing to say holds others up only until its next flush.
    void add(LiveSource& source);

    /// Waits as LiveSource does. Empty when all sources came to their end or beyond the window, or
    /// after cancel().
    flow::Run next_run() override;
    flow::Pin pin() const override;
    /// Of the first source that has one; the others go on.
    const Error* error() const noexcept override;

    /// Ends next_run(), also while it waits in another thread. Nothing more is given.
    void cancel() noexcept;

    /// By cancel(), or by on_buffer.
    bool is_canceled() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::session
