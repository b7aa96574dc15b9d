// Delivery: the events of a real-time session as a trace into a named pipe, for a consumer in
// another process. docs/machine-sessions-internals.md#live
#pragma once

#include <etl/io/passed_files.hpp>
#include <etl/session/live_source.hpp>
#include <etl/session/status.hpp>

#include <memory>
#include <string>

namespace etl::machine {

/// Delivers until the session ends or the pipe has no reader; in threads of its own, which end with
/// that. The pipe was passed in `files`. A reader that is slow loses events (SlowConsumer), and
/// delays nothing. Errors: bad_pathname (it cannot be written to).
session::Outcome<void> deliver(std::unique_ptr<session::LiveSource> source, const std::string& pipe,
                               std::unique_ptr<io::PassedFiles> files);

} // namespace etl::machine
