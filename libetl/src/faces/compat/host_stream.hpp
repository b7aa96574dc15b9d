// HostStream: the events of a session of the machine in real time, as a source that waits.
// docs/compat.md#machine
#pragma once

#include "flow/source.hpp"
#include "host/temporary_pipe.hpp"
#include "machine/controller.hpp"
#include "trace/stream.hpp"

#include <atomic>
#include <memory>
#include <string>

namespace etl::compat {

class HostStream final : public flow::Source {
public:
    /// Errors: wmi_instance_not_found (no host, no such session, or not in real time);
    /// access_denied (no pipe can be created).
    static session::Outcome<std::unique_ptr<HostStream>> open(const std::string& session);

    const flow::TraceInfo& info() const noexcept { return reader_->info(); }

    /// Blocks until events arrive, the session has ended, or after close().
    flow::Run next_run() override;

    flow::Pin pin() const override { return reader_->pin(); }

    const Error* error() const noexcept override { return reader_->error(); }

    /// Ends next_run() in another thread. Thread-safe.
    void close() noexcept { is_closed_ = true; }

    /// After the end: the host was killed, and the session did not stop.
    bool has_lost_host();

private:
    HostStream(machine::Controller controller, std::unique_ptr<host::TemporaryPipe> pipe)
        : controller_(std::move(controller)), pipe_(std::move(pipe)) {}

    machine::Controller controller_;
    std::unique_ptr<host::TemporaryPipe> pipe_;
    std::atomic<bool> is_closed_{false};
    std::unique_ptr<trace::StreamReader> reader_;
};

} // namespace etl::compat
