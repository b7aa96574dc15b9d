// What a user may see and do: those without all rights have sessions of their own, which reach the
// user's own processes, within limits. docs/machine-sessions.md#rights
#include "host/memory.hpp"
#include "host/process.hpp"
#include "machine/host_state.hpp"
#include "session/control/adoption.hpp"
#include "session/control/start_checks.hpp"

#include <algorithm>

namespace etl::machine {

namespace {

using session::Outcome;
using session::ProviderState;
using session::refuse;
using session::SessionOptions;
using session::SessionState;
using session::Status;

/// Of the sessions of a machine and of the 8 slots of a provider, for all users without all rights
/// together: the others remain for those who have them.
constexpr std::ptrdiff_t most_sessions_of_users = 32;
constexpr std::ptrdiff_t most_slots_of_users = 4;

std::uint64_t buffer_bytes(const SessionOptions& adopted) {
    constexpr std::uint64_t kilobyte = 1024;
    return kilobyte * adopted.buffer_kb * adopted.maximum_buffers;
}

} // namespace

bool Host::State::may_see(const Caller& caller, const SessionState& state) noexcept {
    return caller.is_privileged ||
           (state.options.is_for_owner_only && state.options.owner == caller.peer.user_id);
}

std::vector<SessionState> Host::State::visible_sessions(const Caller& caller) const {
    std::vector<SessionState> sessions = runtime_.sessions();
    std::erase_if(sessions, [&](const SessionState& one) { return !may_see(caller, one); });
    return sessions;
}

std::vector<ProviderState> Host::State::visible_providers(const Caller& caller) const {
    std::vector<ProviderState> providers = runtime_.providers();
    if (caller.is_privileged) {
        return providers;
    }
    std::vector<std::uint32_t> own_processes;
    for (const auto& link : drain_->links()) {
        if (link->peer().user_id == caller.peer.user_id) {
            own_processes.push_back(link->peer().process_id);
        }
    }
    std::vector<std::uint16_t> own_sessions;
    for (const SessionState& session : visible_sessions(caller)) {
        own_sessions.push_back(session.id);
    }
    for (ProviderState& provider : providers) {
        std::erase_if(provider.instances, [&](const ProviderState::Instance& one) {
            return std::ranges::find(own_processes, one.process_id) == own_processes.end();
        });
        for (ProviderState::Instance& instance : provider.instances) {
            std::erase_if(instance.enabled, [&](const ProviderState::Enablement& one) {
                return std::ranges::find(own_sessions, one.session_id) == own_sessions.end();
            });
        }
    }
    std::erase_if(providers, [](const ProviderState& one) { return one.instances.empty(); });
    return providers;
}

Outcome<Share> Host::State::check_limits(const SessionOptions& options,
                                         const Caller& caller) const {
    constexpr std::uint32_t private_kinds =
        session::mode::private_logger | session::mode::private_in_proc;
    if ((options.mode & private_kinds) != 0) { // could also make the drain wait (BLOCKING)
        return refuse(Status::invalid_parameter, "private sessions belong to a process");
    }
    if (!session::check_start(options, {})) { // the start tells why not
        return Share{};
    }
    const std::vector<SessionState> all = runtime_.sessions(session::Runtime::Private::included);
    const auto own =
        std::ranges::count_if(all, [&](const SessionState& one) { return may_see(caller, one); });
    if (!caller.is_privileged &&
        static_cast<std::size_t>(own) >= caller.account->limits().sessions) {
        return refuse(Status::no_system_resources, "the user has too many sessions (at most 8)");
    }
    const auto of_users = std::ranges::count_if(
        all, [](const SessionState& one) { return one.options.is_for_owner_only; });
    if (!caller.is_privileged && of_users >= most_sessions_of_users) {
        return refuse(Status::no_system_resources, "too many sessions of users");
    }
    return check_buffers(session::adopt(options, {.processors = host::processor_count()}), 0,
                         caller);
}

/// With the buffers that a session, by its number, shall have from now on. They are counted before
/// others are, so two users cannot both have the last of the memory.
Outcome<Share> Host::State::check_buffers(const SessionOptions& adopted, std::uint16_t session,
                                          const Caller& caller) const {
    constexpr std::uint64_t part = 4;
    static const std::uint64_t most = host::memory_of_machine() / part;
    std::uint64_t of_user = buffer_bytes(adopted);
    auto share = of_all_->take(Good::new_buffers, of_user);
    std::uint64_t of_all = of_all_->held(Good::new_buffers);
    for (const SessionState& one : runtime_.sessions(session::Runtime::Private::included)) {
        if (one.id != session) {
            of_all += buffer_bytes(one.options);
            of_user += may_see(caller, one) ? buffer_bytes(one.options) : 0;
        }
    }
    if (of_user > caller.account->limits().buffer_bytes) {
        return refuse(Status::no_system_resources,
                      "buffers of the user's sessions would exceed 64 MB; use fewer or smaller "
                      "buffers");
    }
    if (most != 0 && of_all > most) {
        return refuse(Status::no_system_resources,
                      "buffers of all sessions would exceed a quarter of the machine's memory; use "
                      "fewer or smaller buffers");
    }
    return std::move(*share);
}

Outcome<void> Host::State::check_slots(const Guid& provider, const Caller& caller) const {
    if (caller.is_privileged) {
        return {};
    }
    const auto sessions = runtime_.sessions(session::Runtime::Private::included);
    const auto of_users = std::ranges::count_if(sessions, [&](const SessionState& one) {
        return one.options.is_for_owner_only &&
               std::ranges::find(one.providers, provider, &SessionState::Provider::guid) !=
                   one.providers.end();
    });
    if (of_users >= most_slots_of_users) {
        return refuse(Status::no_system_resources,
                      "too many sessions of users have enabled the provider (at most 4)");
    }
    return {};
}

/// The files of a series are opened with the rights of the session's owner, whoever asks.
Outcome<Share> Host::State::check_update(const SessionState& state, const Request& request,
                                         const Caller& caller) const {
    if (request.verb != Verb::update) {
        return Share{};
    }
    const bool is_owner = state.options.owner == caller.peer.user_id;
    if (!request.update.file.empty() && !is_owner && caller.peer.user_id != 0) {
        return refuse(Status::access_denied,
                      "only the owner of the session and root can change its file");
    }
    SessionOptions options = state.options;
    options.maximum_buffers =
        std::max(options.maximum_buffers, request.update.maximum_buffers.value_or(0));
    return options.maximum_buffers == state.options.maximum_buffers
               ? Outcome<Share>{}
               : check_buffers(options, state.id, caller);
}

} // namespace etl::machine
