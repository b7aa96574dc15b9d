// What controllers ask of a host. Each has a thread of its own in it, so a file that hangs holds up
// no other one.
#include "host/places.hpp"
#include "machine/host_state.hpp"
#include "machine/protocol/opened_files.hpp"
#include "machine/protocol/packets.hpp"
#include "session/control/adoption.hpp"
#include "session/control/runtime_state.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

namespace etl::machine {

namespace {

using session::Outcome;
using session::Session;
using session::SessionState;
using session::Status;
using Clock = std::chrono::steady_clock;

const session::Failure missing{Status::wmi_instance_not_found, "no session of this name", 0};

/// A file that is being written is refused as by the files of Windows: it is another session's, or
/// another process'.
Reply reply_of(const session::Failure& failure) {
    const bool is_in_use =
        failure.status == Status::bad_pathname && io::is_in_use({.os_code = failure.os_code});
    if (is_in_use) {
        return {.status = Status::sharing_violation, .what = failure.what};
    }
    return {.status = host::is_out_of_resources(failure.os_code) ? Status::no_system_resources
                                                                 : failure.status,
            .what = failure.what,
            .os_code = failure.os_code};
}

Reply reply_of(const Outcome<SessionState>& outcome) {
    if (!outcome) {
        return reply_of(outcome.error());
    }
    return {.sessions = {*outcome}};
}

Reply reply_of(const Outcome<void>& outcome) {
    return outcome ? Reply{} : reply_of(outcome.error());
}

Reply no_resources() {
    return {.status = Status::no_system_resources,
            .what = "the host gets no memory, descriptor, or thread for the request"};
}

} // namespace

void Host::State::serve_controller(ControllerThread& controller) {
    const Caller& caller = controller.caller;
    std::this_thread::sleep_for(caller.account->delay_of_request(Clock::now())); // to connect
    // From here on, this thread and the loggers of the sessions that it starts open files as the
    // user could: the host is no way around permissions.
    const bool is_host_itself = caller.peer.user_id == host::user_id() || host::user_id() != 0;
    const bool has_rights =
        is_host_itself || host::use_file_rights_of(caller.peer.user_id, caller.peer.group_id,
                                                   controller.socket.peer_groups());
    while (serve_request(controller, has_rights)) {
    }
}

/// Executes a request and answers it, whatever the machine lacks for it: that is the user's alone.
/// False: the connection ends.
bool Host::State::serve_request(ControllerThread& controller, bool has_rights) {
    bool is_received = false;
    try {
        auto message = receive_message(controller.socket, most_request_bytes);
        if (!message) {
            return false;
        }
        is_received = true;
        std::this_thread::sleep_for(controller.caller.account->delay_of_request(Clock::now()));
        const auto request = decode_request(message->bytes);
        Reply reply{.status = Status::invalid_parameter, .what = "malformed request"};
        if (!has_rights) {
            reply = {.status = Status::access_denied,
                     .what = "the host cannot take over the rights of the user"};
        } else if (message->has_lost_descriptor) {
            reply = no_resources();
        } else if (request) {
            reply = execute(*request, controller.caller, std::move(message->descriptor));
        }
        return send_message(controller.socket, encode(reply));
    } catch (const std::exception&) {
        return send_message(controller.socket, encode(no_resources())) && is_received;
    }
}

/// Processes that waited for this host name their providers within moments of its start, unless the
/// machine is busy.
void Host::State::wait_for_woken() const {
    constexpr std::chrono::seconds longest{3};
    constexpr std::chrono::milliseconds pause{2};
    const auto announced = [&] {
        return std::ranges::count_if(drain_->links(),
                                     [](const auto& link) { return link->has_announced(); });
    };
    while (Clock::now() - opened_ < longest && announced() < woken_) {
        std::this_thread::sleep_for(pause);
    }
}

Reply Host::State::execute(const Request& request, const Caller& caller, host::Descriptor passed) {
    if (request.verb == Verb::events) {
        return session_events(request, caller);
    }
    wait_for_woken();
    drain_->settle();
    if (is_stopping_) {
        return reply_of(session::Failure{Status::wmi_instance_not_found, "the host is ending"});
    }
    if (request.verb == Verb::start) {
        return start(request, caller, std::move(passed));
    }
    if (request.verb == Verb::list) {
        return {.sessions = visible_sessions(caller)};
    }
    if (request.verb == Verb::providers) {
        return {.providers = visible_providers(caller)};
    }
    const std::optional<Session> session = runtime_.find(request.session);
    const auto state = session ? session->query() : Outcome<SessionState>(std::unexpected(missing));
    if (!state || !may_see(caller, *state)) {
        return reply_of(missing);
    }
    if (request.verb == Verb::control) {
        return control(*session, *state, request, caller);
    }
    if (request.verb == Verb::disallow) {
        return reply_of(session->disallow(request.disallowed));
    }
    if (request.verb == Verb::disallowed) {
        return {.disallowed =
                    runtime_.state().registrations.disallowed(runtime_.state().running(state->id))};
    }
    if (request.verb == Verb::deliver) {
        return reply_of(deliver(*session, *state, request, caller, passed));
    }
    return reply_of(check_and_change(*session, *state, request, caller, std::move(passed)));
}

Reply Host::State::session_events(const Request& request, const Caller& caller) {
    constexpr std::chrono::milliseconds none{0}, longest{std::chrono::seconds(1)};
    if (!caller.is_privileged) {
        return {
            .status = Status::access_denied,
            .what =
                "monitoring sessions requires full rights on the host: those of its user, root, "
                "or the group etl"};
    }
    return {.events = log_.wait(request.since, std::clamp(request.limit, none, longest))};
}

/// The memory of a consumer: its queue, and a buffer of each processor before and in the pipe.
Outcome<void> Host::State::deliver(const Session& session, const SessionState& state,
                                   const Request& request, const Caller& caller,
                                   const host::Descriptor& passed) {
    constexpr std::uint64_t kilobyte = 1024, copies = 2;
    const std::uint64_t queue = caller.account->limits().queue_bytes;
    const std::uint64_t written =
        copies * kilobyte * state.options.buffer_kb * session::stripes(state.options);
    auto one = caller.account->take(Good::consumer);
    auto memory = caller.account->take(Good::queue_bytes, queue + written);
    if (!one || !memory) {
        return session::refuse(Status::no_system_resources,
                               "the user has too many real-time consumers");
    }
    host::Descriptor pipe = passed ? host::reopen_to_write(passed.number()) : host::Descriptor();
    if (!pipe) {
        return session::refuse(Status::bad_pathname, "cannot open the pipe",
                               passed ? errno : request.passing_os_code);
    }
    auto source = session.listen({.queue_bytes = queue});
    if (!source) {
        return std::unexpected(source.error());
    }
    Consumer consumer{.source = std::move(*source),
                      .pipe = std::move(pipe),
                      .has_connection_ended = caller.has_ended,
                      .shares = {}};
    consumer.shares.push_back(std::move(*one));
    consumer.shares.push_back(std::move(*memory));
    return deliveries_.add(std::move(consumer));
}

Outcome<SessionState> Host::State::check_and_change(const Session& session,
                                                    const SessionState& state,
                                                    const Request& request, const Caller& caller,
                                                    host::Descriptor passed) {
    std::unique_lock<std::mutex> one_at_a_time;
    if (request.verb == Verb::update) {
        one_at_a_time = caller.account->lock_starts();
    }
    const auto buffers = check_update(state, request, caller);
    if (!buffers) {
        return std::unexpected(buffers.error());
    }
    return change(session, state, request, std::move(passed));
}

Outcome<SessionState> Host::State::change(const Session& session, const SessionState& state,
                                          const Request& request, host::Descriptor passed) {
    const auto owned = files_of(state);
    if (owned == nullptr) {
        return std::unexpected(missing);
    }
    if (!needs_file(request, state.options.mode)) { // and takes none: it could be another's series
        return change_now(session, request);
    }
    const std::lock_guard one_at_a_time(owned->changing);
    const std::string& file = request.verb == Verb::update ? request.update.file : request.file;
    add_passed(owned->files, file, request, std::move(passed));
    auto changed = change_now(session, request);
    const auto now = session.query();
    owned->files.keep_only(now ? now->options.file : std::string());
    return changed;
}

/// A session that has just been started can be found before start() has stored its files. Null: it
/// has ended.
std::shared_ptr<Host::State::SessionFiles> Host::State::files_of(const SessionState& state) {
    constexpr std::chrono::seconds longest{1};
    const std::shared_ptr<SessionFiles>& files = files_.at(state.id - 1U);
    std::unique_lock lock(files_mutex_);
    const bool is_stored = files_stored_.wait_for(
        lock, longest, [&] { return files != nullptr && &files->files == state.options.files; });
    return is_stored ? files : nullptr;
}

Outcome<SessionState> Host::State::change_now(const Session& session, const Request& request) {
    switch (request.verb) {
    case Verb::query:
        return session.query();
    case Verb::flush:
        return session.flush(request.file);
    case Verb::update:
        return session.update(request.update);
    case Verb::next_file:
        return session.switch_to_next_file();
    case Verb::to_real_time:
        return session.switch_to_real_time();
    case Verb::stop:
        return session.stop(request.file);
    case Verb::start:
    case Verb::list:
    case Verb::control:
    case Verb::providers:
    case Verb::deliver:
    case Verb::disallow:
    case Verb::disallowed:
    case Verb::events:
        break;
    }
    return session::refuse(Status::invalid_parameter, "unknown request");
}

Reply Host::State::start(const Request& request, const Caller& caller, host::Descriptor passed) {
    session::SessionOptions options = request.options;
    const auto owned = std::make_shared<SessionFiles>();
    add_passed(owned->files, options.file, request, std::move(passed));
    options.files = &owned->files;
    options.owner = caller.peer.user_id;
    options.is_for_owner_only = !caller.is_privileged;
    if (const std::uint64_t most = caller.account->limits().backlog_bytes; most != 0) {
        options.backlog_bytes =
            options.backlog_bytes == 0 ? most : std::min(options.backlog_bytes, most);
    }
    const std::unique_lock one_at_a_time = caller.account->lock_starts();
    const auto buffers = check_limits(options, caller);
    if (!buffers) {
        return reply_of(buffers.error());
    }
    const auto session = runtime_.start(options);
    if (!session) {
        return reply_of(session.error());
    }
    owned->keeps_itself = owned; // until the session certainly has ended, or keeps them
    try {
        const auto state = keep_files(*session, owned);
        owned->keeps_itself.reset();
        return reply_of(state);
    } catch (const std::exception&) {
        static_cast<void>(session->stop());
        owned->keeps_itself.reset();
        throw;
    }
}

Outcome<SessionState> Host::State::keep_files(const Session& session,
                                              const std::shared_ptr<SessionFiles>& owned) {
    const std::lock_guard lock(files_mutex_);
    auto state = session.query();
    const bool has_ended = !state && state.error().status == Status::wmi_instance_not_found;
    if (!has_ended) { // or its number may be that of another session
        files_.at(session.id() - 1U) = owned;
        files_stored_.notify_all();
    }
    return state;
}

Reply Host::State::control(const Session& session, const SessionState& state,
                           const Request& request, const Caller& caller) {
    session::EnableOptions how = request.enable;
    how.only_user =
        state.options.is_for_owner_only ? std::optional(state.options.owner) : std::nullopt;
    if (request.control == session::Control::enable) {
        if (auto checked = check_slots(request.provider, caller); !checked) {
            return reply_of(checked.error());
        }
    }
    return enable(session, request, how);
}

/// Enables, disables, or captures state, and waits for the processes that this reaches.
Reply Host::State::enable(const Session& session, const Request& request,
                          const session::EnableOptions& asked) {
    constexpr std::chrono::milliseconds longest{std::chrono::minutes(10)};
    const auto deadline = Clock::now() + std::min(asked.timeout.value_or(longest), longest);
    const bool waits = !asked.timeout || asked.timeout->count() > 0;
    session::EnableOptions how = asked;
    how.timeout.reset(); // callbacks here only write to control pages
    std::vector<std::pair<std::shared_ptr<ProviderLink>, std::uint32_t>> links;
    for (auto& link : drain_->links()) {
        const std::uint32_t published = link->published();
        links.emplace_back(std::move(link), published);
    }
    Outcome<void> done;
    switch (request.control) {
    case session::Control::enable:
        done = session.enable(request.provider, how);
        break;
    case session::Control::disable:
        done = session.disable(request.provider, how);
        break;
    case session::Control::capture_state:
        done = session.capture_state(request.provider, how);
        break;
    }
    if (!done) {
        return reply_of(done.error());
    }
    drain_->wake(); // from now on it looks regularly
    bool is_confirmed = true;
    for (const auto& [link, before] : links) {
        if (waits && link->published() != before) {
            is_confirmed = link->wait_until_confirmed(deadline) && is_confirmed;
        }
    }
    return is_confirmed
               ? Reply{}
               : Reply{.status = Status::timeout, .what = "callbacks of the provider are running"};
}

} // namespace etl::machine
