#include "inputs/live_session.hpp"

#include <etl/machine/controller.hpp>

#include "cli/console.hpp"

#include <fmt/format.h>

namespace cli {

std::unique_ptr<etl::host::TemporaryPipe> deliver_session(const std::string& session) {
    auto host = etl::machine::Controller::connect();
    if (!host) {
        say(printable(fmt::format("machine sessions: {}", describe(host.error()))));
        return nullptr;
    }
    auto pipe = std::make_unique<etl::host::TemporaryPipe>();
    if (!pipe->is_open()) {
        say(printable(pipe->path()) + ": cannot create a named pipe");
        return nullptr;
    }
    if (const auto delivered = host->deliver(session, pipe->path()); !delivered) {
        say(printable(
            fmt::format("{}: {}{}", session, describe(delivered.error()),
                        delivered.error().status == etl::session::Status::wmi_instance_not_found
                            ? "; `etl session list` lists the sessions, and "
                              "`etl session start --live` starts one in real-time mode"
                            : "")));
        return nullptr;
    }
    return pipe;
}

} // namespace cli
