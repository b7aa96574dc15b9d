#include "inputs/live_session.hpp"

#include <etl/machine.hpp>

#include "cli/console.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

/// Nothing on failure, after printing the reason.
std::optional<etl::machine::Controller> connect() {
    auto host = etl::machine::Controller::connect();
    if (!host) {
        say(printable(fmt::format("machine sessions: {}", describe(host.error()))));
        return std::nullopt;
    }
    return *std::move(host);
}

} // namespace

std::unique_ptr<DeliveredSession> deliver_session(const std::string& session) {
    auto host = connect();
    if (!host) {
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

std::optional<std::string> file_of_session(const std::string& session) {
    auto host = connect();
    if (!host) {
        return std::nullopt;
    }
    const auto state = host->query(session);
    if (!state) {
        say(printable(fmt::format("{}: {}; `etl session list` lists the sessions", session,
                                  describe(state.error()))));
        return std::nullopt;
    }
    if (state->file.empty()) {
        say(printable(fmt::format("{}: the session writes no file; `etl session update {} -o FILE` "
                                  "makes it write one, and `etl live {}` prints its events",
                                  session, session, session)));
        return std::nullopt;
    }
    return state->file;
}

} // namespace cli
