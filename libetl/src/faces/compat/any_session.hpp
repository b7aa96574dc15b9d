// AnySession: a session of this process, or one of the machine (ETL_SCOPE=machine): the functions
// of controllers do not differ. docs/compat.md#machine
#pragma once

#include <etl/machine.hpp>
#include <etl/session.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace etl::compat {

/// A session by its name. Each call is a connection of its own, so that none waits for one of
/// another thread.
class MachineSession {
public:
    explicit MachineSession(std::string name) : name_(std::move(name)) {}

    session::Outcome<session::SessionState> query() const;
    session::Outcome<session::SessionState> flush(const std::string& file) const;
    session::Outcome<session::SessionState> update(const session::UpdateOptions& update) const;
    session::Outcome<session::SessionState> switch_to_next_file() const;
    session::Outcome<session::SessionState> switch_to_real_time() const;
    session::Outcome<session::SessionState> stop(const std::string& file) const;
    session::Outcome<void> control(const Guid& provider, session::Control control,
                                   const session::EnableOptions& how) const;
    session::Outcome<void> disallow(const std::vector<Guid>& providers) const;
    session::Outcome<std::vector<Guid>> disallowed() const;

private:
    std::string name_;
};

using AnySession = std::variant<session::Session, MachineSession>;

inline session::Outcome<session::SessionState> query(const AnySession& session) {
    return std::visit([](const auto& one) { return one.query(); }, session);
}

/// Private sessions are of the process, whatever the scope. Starts a host if there is none. Errors:
/// as Runtime::start, and those of Controller::connect.
session::Outcome<AnySession> start_session(const session::SessionOptions& options);

std::optional<AnySession> find_session(std::string_view name);
std::optional<AnySession> find_session(std::uint64_t handle);

/// The providers that it excludes when a provider group is enabled.
session::Outcome<std::vector<Guid>> disallowed(const AnySession& session);

/// Without private ones.
std::vector<session::SessionState> all_sessions();

/// Returns the providers of all processes of the machine; of this one if no host runs.
std::vector<session::ProviderState> all_providers();

} // namespace etl::compat
