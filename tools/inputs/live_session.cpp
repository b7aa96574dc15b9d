#include "inputs/live_session.hpp"

#include <etl/machine.hpp>

#include "cli/console.hpp"

#include <fmt/format.h>

namespace cli {

std::unique_ptr<DeliveredSession> deliver_session(const std::string& session) {
    auto host = etl::machine::Controller::connect();
    if (!host) {
        say(printable(fmt::format("machine sessions: {}", describe(host.error()))));
        return nullptr;
    }
    auto made = std::make_unique<DeliveredSession>(std::move(*host));
    if (!made->pipe().is_open()) {
        say(printable(made->path()) + ": cannot create a named pipe");
        return nullptr;
    }
    if (const auto delivered = made->host().deliver(session, made->path()); !delivered) {
        say(printable(
            fmt::format("{}: {}{}", session, describe(delivered.error()),
                        delivered.error().status == etl::session::Status::wmi_instance_not_found
                            ? "; `etl session list` lists the sessions, and "
                              "`etl session start --live` starts one in real-time mode"
                            : "")));
        return nullptr;
    }
    return made;
}

} // namespace cli
