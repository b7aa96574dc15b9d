// The events of a machine session, as they are written. docs/machine-sessions.md
#pragma once

#include <etl/machine.hpp>

#include "host/descriptor.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace cli {

/// A pipe to which a host delivers events as long as this lives.
class DeliveredSession {
public:
    explicit DeliveredSession(etl::machine::Controller host) : host_(std::move(host)) {}

    etl::machine::Controller& host() noexcept { return host_; }

    const etl::host::TemporaryPipe& pipe() const noexcept { return pipe_; }

    const std::string& path() const noexcept { return pipe_.path(); }

private:
    etl::machine::Controller host_;
    etl::host::TemporaryPipe pipe_;
};

/// Makes a session in real-time mode deliver its events to a new pipe, which trace::StreamReader
/// reads as a trace. Null on failure, after printing the reason.
std::unique_ptr<DeliveredSession> deliver_session(const std::string& session);

/// Returns the path of the file that a session is writing. Nothing on failure, after printing the
/// reason.
std::optional<std::string> file_of_session(const std::string& session);

} // namespace cli
