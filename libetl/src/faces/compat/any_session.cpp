#include "compat/any_session.hpp"

#include "compat/environment.hpp"

#include <algorithm>
#include <utility>

namespace etl::compat {

using machine::Controller;
using machine::StartHost;
using session::Outcome;
using session::SessionState;

namespace {

/// In the handles of private sessions.
constexpr std::uint64_t private_bit = 0x0100'0000;

Outcome<Controller> host(StartHost start = StartHost::never) {
    return Controller::connect({.start = start});
}

/// Asks the host, or returns why it cannot be asked.
template <typename Ask>
auto ask(const Ask& ask_controller) -> decltype(ask_controller(std::declval<Controller&>())) {
    auto controller = host();
    if (!controller) {
        return std::unexpected(controller.error());
    }
    return ask_controller(*controller);
}

} // namespace

Outcome<SessionState> MachineSession::query() const {
    return ask([&](Controller& to) { return to.query(name_); });
}

Outcome<SessionState> MachineSession::flush(const std::string& file) const {
    return ask([&](Controller& to) { return to.flush(name_, file); });
}

Outcome<SessionState> MachineSession::update(const session::UpdateOptions& update) const {
    return ask([&](Controller& to) { return to.update(name_, update); });
}

Outcome<SessionState> MachineSession::switch_to_next_file() const {
    return ask([&](Controller& to) { return to.switch_to_next_file(name_); });
}

Outcome<SessionState> MachineSession::switch_to_real_time() const {
    return ask([&](Controller& to) { return to.switch_to_real_time(name_); });
}

Outcome<SessionState> MachineSession::stop(const std::string& file) const {
    return ask([&](Controller& to) { return to.stop(name_, file); });
}

Outcome<void> MachineSession::control(const Guid& provider, session::Control control,
                                      const session::EnableOptions& how) const {
    return ask([&](Controller& to) {
        switch (control) {
        case session::Control::disable:
            return to.disable(name_, provider, how);
        case session::Control::enable:
            return to.enable(name_, provider, how);
        case session::Control::capture_state:
            break;
        }
        return to.capture_state(name_, provider, how);
    });
}

Outcome<void> MachineSession::disallow(const std::vector<Guid>& providers) const {
    return ask([&](Controller& to) { return to.disallow(name_, providers); });
}

Outcome<std::vector<Guid>> MachineSession::disallowed() const {
    return ask([&](Controller& to) { return to.disallowed(name_); });
}

Outcome<std::vector<Guid>> disallowed(const AnySession& session) {
    if (const auto* of_machine = std::get_if<MachineSession>(&session)) {
        return of_machine->disallowed();
    }
    const Environment& all = environment();
    return all.registrations.disallowed(
        all.state.running(std::get<session::Session>(session).handle()));
}

Outcome<AnySession> start_session(const session::SessionOptions& options) {
    constexpr std::uint32_t kinds = session::mode::private_logger | session::mode::private_in_proc;
    Environment& all = environment();
    if (!all.is_of_machine || (options.mode & kinds) != 0) {
        const auto session = all.runtime.start(options);
        return session ? Outcome<AnySession>(*session) : std::unexpected(session.error());
    }
    auto controller = host(StartHost::if_needed);
    if (!controller) {
        return std::unexpected(controller.error());
    }
    const auto state = controller->start(options);
    return state ? Outcome<AnySession>(MachineSession(state->options.name))
                 : std::unexpected(state.error());
}

std::optional<AnySession> find_session(std::string_view name) {
    const Environment& all = environment();
    if (!all.is_of_machine) {
        const auto session = all.runtime.find(name);
        return session ? std::optional<AnySession>(*session) : std::nullopt;
    }
    MachineSession session{std::string(name)};
    return session.query() ? std::optional<AnySession>(std::move(session)) : std::nullopt;
}

std::optional<AnySession> find_session(std::uint64_t handle) {
    const Environment& all = environment();
    if (!all.is_of_machine || (handle & private_bit) != 0) {
        const auto session = all.runtime.find(handle);
        return session ? std::optional<AnySession>(*session) : std::nullopt;
    }
    const auto sessions = all_sessions();
    const auto found = std::ranges::find(sessions, handle, &SessionState::handle);
    return found == sessions.end() ? std::nullopt
                                   : std::optional<AnySession>(MachineSession(found->options.name));
}

std::vector<SessionState> all_sessions() {
    const Environment& all = environment();
    if (!all.is_of_machine) {
        return all.runtime.sessions();
    }
    auto sessions = ask([](Controller& to) { return to.sessions(); });
    return sessions ? std::move(*sessions) : std::vector<SessionState>();
}

std::vector<session::ProviderState> all_providers() {
    const Environment& all = environment();
    if (all.is_of_machine) {
        if (auto providers = ask([](Controller& to) { return to.providers(); })) {
            return std::move(*providers);
        }
    }
    return all.runtime.providers();
}

} // namespace etl::compat
