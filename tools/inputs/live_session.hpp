// The events of a machine session, as they are written. docs/machine-sessions.md
#pragma once

#include <etl/host/temporary_pipe.hpp>

#include <memory>
#include <string>

namespace cli {

/// Makes a session in real-time mode deliver its events to a new pipe, which trace::StreamReader
/// reads as a trace. Null on failure, after printing the reason.
std::unique_ptr<etl::host::TemporaryPipe> deliver_session(const std::string& session);

} // namespace cli
