
#include <etl/machine.hpp>

#include "host/descriptor.hpp"
#include "host/local_socket.hpp"
#include "host/places.hpp"
#include "host/process.hpp"
#include "host/programs.hpp"
#include "link/messages.hpp"
#include "machine/requests.hpp"
#include "session/crashed_files.hpp"

#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace etl::machine {

using session::Outcome;
using session::refuse;
using session::SessionState;
using session::Status;

namespace {

/// Failure::what is a literal. Those of a host are few, so they are kept; of a host that never says
/// the same twice, only so many.
const char* kept(const std::string& text) {
    constexpr std::size_t max_texts = 256;
    static std::mutex mutex;
    static std::set<std::string> texts;
    const std::lock_guard lock(mutex);
    if (texts.size() >= max_texts && !texts.contains(text)) {
        return "the host of machine sessions refused it";
    }
    return texts.insert(text).first->c_str();
}

Result<host::LocalSocket> connect_to(const std::vector<host::MeetingPlace>& places) {
    Result<host::LocalSocket> socket = fail(ErrorCode::not_found, "host of machine sessions");
    for (const host::MeetingPlace& place : places) {
        if (!host::is_trusted_place(place)) {
            continue;
        }
        socket = host::LocalSocket::connect(place.socket());
        if (socket) {
            // If the host has refused the connection, the first request tells.
            socket->send(encode(
                link::Hello{.role = link::Role::controller, .program = host::executable_name()}));
            return socket;
        }
    }
    return socket;
}

Outcome<host::LocalSocket> start_host(const std::vector<host::MeetingPlace>& places,
                                      const ControllerOptions& options) {
    const std::string program =
        options.host_program.empty() ? host::find_program("etld") : options.host_program;
    if (program.empty()) {
        return refuse(Status::path_not_found, "no host of machine sessions is running, and the "
                                              "program etld is neither installed beside this one "
                                              "nor in PATH");
    }
    const host::MeetingPlace place =
        options.directory.empty() ? host::own_place() : host::MeetingPlace{options.directory};
    if (auto usable = host::prepare_place(place, host::is_place_of_machine(place)); !usable) {
        const bool is_foreign = usable.error().os_code == 0;
        return refuse(is_foreign ? Status::access_denied : Status::path_not_found,
                      usable.error().what, usable.error().os_code);
    }
    std::vector<std::string> arguments;
    if (!options.directory.empty()) {
        arguments = {"--directory", options.directory};
    }
    if (auto started = host::start_in_background(program, arguments); !started) {
        return refuse(Status::path_not_found, started.error().what, started.error().os_code);
    }
    constexpr std::chrono::seconds max_size{20}; // on a machine that is very busy
    constexpr std::chrono::milliseconds pause{5};
    const auto deadline = std::chrono::steady_clock::now() + max_size;
    while (std::chrono::steady_clock::now() < deadline) {
        if (auto socket = connect_to(places)) {
            return std::move(*socket);
        }
        std::this_thread::sleep_for(pause);
    }
    return refuse(Status::timeout, "the host of machine sessions was started but does not answer");
}

} // namespace

struct Controller::State {
    host::LocalSocket socket;

    Outcome<Reply> ask(const Request& request, int descriptor = -1) const;
    Outcome<SessionState> ask_for_state(const Request& request) const;
    /// Passes the file that the session needs to execute the request.
    Outcome<SessionState> ask_with_file(Request request, const std::string& file) const;
    Outcome<void> control(std::string_view session, const Guid& provider, session::Control control,
                          const session::EnableOptions& how) const;
};

Outcome<Controller> Controller::connect(const ControllerOptions& options) {
    const std::vector<host::MeetingPlace> places =
        options.directory.empty() ? host::meeting_places()
                                  : std::vector{host::MeetingPlace{options.directory}};
    if (places.empty()) {
        return refuse(Status::not_supported, "no place for a host of machine sessions");
    }
    auto socket = connect_to(places);
    if (!socket && socket.error().code == ErrorCode::unsupported) {
        return refuse(Status::not_supported, "machine sessions are not available on this system");
    }
    auto state = std::make_unique<State>();
    if (socket) {
        state->socket = std::move(*socket);
    } else if (options.start == StartHost::never) {
        return refuse(Status::wmi_instance_not_found, "no host of machine sessions is running");
    } else {
        auto started = start_host(places, options);
        if (!started) {
            return std::unexpected(started.error());
        }
        state->socket = std::move(*started);
    }
    return Controller(std::move(state));
}

Outcome<Reply> Controller::State::ask(const Request& request, int descriptor) const {
    const bool is_sent = send_message(socket, encode(request), descriptor);
    // A host that has closed the connection may have said why.
    const auto message =
        is_sent || socket.has_ended() ? receive_message(socket, max_reply_bytes) : std::nullopt;
    if (!message) {
        return refuse(Status::wmi_instance_not_found, "the host of machine sessions has ended");
    }
    if (const auto refusal = link::decode_refusal(message->bytes)) {
        const bool is_version = refusal->reason == link::Refusal::Reason::version;
        return refuse(is_version ? Status::not_supported : Status::no_system_resources,
                      link::describe(refusal->reason));
    }
    auto reply = decode_reply(message->bytes);
    if (!reply) {
        return refuse(Status::not_supported, "the host that is running has another version");
    }
    if (reply->status != Status::success) {
        return refuse(reply->status, kept(reply->what), reply->os_code);
    }
    return std::move(*reply);
}

Outcome<SessionState> Controller::State::ask_for_state(const Request& request) const {
    auto reply = ask(request);
    if (!reply) {
        return std::unexpected(reply.error());
    }
    return reply->sessions.empty() ? SessionState{} : std::move(reply->sessions.front());
}

Outcome<SessionState> Controller::State::ask_with_file(Request request,
                                                       const std::string& file) const {
    std::uint32_t mode = request.options.mode; // of a session to be started
    if (request.verb != Verb::start && !file.empty()) {
        const auto state = ask_for_state({.verb = Verb::query, .session = request.session});
        mode = state ? state->options.mode : 0U;
        if (!state) {
            return state;
        }
    }
    OpenedFile opened;
    if (needs_file(request, mode)) {
        opened = OpenedFile::open(file, (mode & session::mode::new_file) != 0);
        opened.describe_in(request);
    }
    auto reply = ask(request, opened.descriptor());
    if (!reply) {
        opened.remove_if_new();
        return std::unexpected(reply.error());
    }
    return reply->sessions.empty() ? SessionState{} : std::move(reply->sessions.front());
}

Outcome<void> Controller::State::control(std::string_view session, const Guid& provider,
                                         session::Control control,
                                         const session::EnableOptions& how) const {
    const auto reply = ask({.verb = Verb::control,
                            .session = std::string(session),
                            .provider = provider,
                            .control = control,
                            .enable = how});
    return reply ? Outcome<void>{} : std::unexpected(reply.error());
}

Controller::Controller(Owned<State> state) noexcept : state_(std::move(state)) {}

Controller::Controller(Controller&&) noexcept = default;
Controller& Controller::operator=(Controller&&) noexcept = default;
Controller::~Controller() = default;

Outcome<SessionState> Controller::start(const session::SessionOptions& options) {
    Request request{.verb = Verb::start, .options = options};
    request.options.file = absolute(options.file);
    const std::string file = request.options.file;
    if (options.crash_safety == session::CrashSafety::mapped_file) {
        return session::refuse(session::Status::invalid_parameter,
                               "only a session of one process can have mapped buffers: those of a "
                               "machine session are in the memory of its host");
    }
    if (const auto cleared = session::clear_crashed_files(file, options.after_crash); !cleared) {
        return std::unexpected(cleared.error());
    }
    return state_->ask_with_file(std::move(request), file);
}

Outcome<SessionState> Controller::query(std::string_view session) {
    return state_->ask_for_state({.verb = Verb::query, .session = std::string(session)});
}

Outcome<std::vector<SessionState>> Controller::sessions() {
    auto reply = state_->ask({.verb = Verb::list});
    return reply ? Outcome<std::vector<SessionState>>(std::move(reply->sessions))
                 : std::unexpected(reply.error());
}

Outcome<SessionState> Controller::flush(std::string_view session, const std::string& file) {
    const std::string path = absolute(file);
    return state_->ask_with_file(
        {.verb = Verb::flush, .session = std::string(session), .file = path}, path);
}

Outcome<SessionState> Controller::update(std::string_view session,
                                         const session::UpdateOptions& update) {
    Request request{.verb = Verb::update, .session = std::string(session), .update = update};
    request.update.file = absolute(update.file);
    const std::string file = request.update.file;
    return state_->ask_with_file(std::move(request), file);
}

Outcome<SessionState> Controller::switch_to_next_file(std::string_view session) {
    return state_->ask_for_state({.verb = Verb::next_file, .session = std::string(session)});
}

Outcome<SessionState> Controller::switch_to_real_time(std::string_view session) {
    return state_->ask_for_state({.verb = Verb::to_real_time, .session = std::string(session)});
}

Outcome<SessionState> Controller::stop(std::string_view session, const std::string& file) {
    const std::string path = absolute(file);
    return state_->ask_with_file(
        {.verb = Verb::stop, .session = std::string(session), .file = path}, path);
}

Outcome<void> Controller::deliver(std::string_view session, const std::string& pipe) {
    // With a reader, opening the pipe does not wait for one; this one is closed again.
    const host::Descriptor reader = host::open_named_pipe(pipe, host::PipeEnd::both);
    if (!reader) {
        return refuse(Status::path_not_found, "not a named pipe");
    }
    Request request{.verb = Verb::deliver, .session = std::string(session), .file = pipe};
    const OpenedFile opened = OpenedFile::open(pipe, false);
    opened.describe_in(request);
    const auto reply = state_->ask(request, opened.descriptor());
    return reply ? Outcome<void>{} : std::unexpected(reply.error());
}

Outcome<void> Controller::enable(std::string_view session, const Guid& provider,
                                 const session::EnableOptions& how) {
    return state_->control(session, provider, session::Control::enable, how);
}

Outcome<void> Controller::disable(std::string_view session, const Guid& provider,
                                  const session::EnableOptions& how) {
    return state_->control(session, provider, session::Control::disable, how);
}

Outcome<void> Controller::capture_state(std::string_view session, const Guid& provider,
                                        const session::EnableOptions& how) {
    return state_->control(session, provider, session::Control::capture_state, how);
}

Outcome<void> Controller::disallow(std::string_view session, const std::vector<Guid>& providers) {
    const auto reply = state_->ask(
        {.verb = Verb::disallow, .session = std::string(session), .disallowed = providers});
    return reply ? Outcome<void>{} : std::unexpected(reply.error());
}

Outcome<std::vector<Guid>> Controller::disallowed(std::string_view session) {
    auto reply = state_->ask({.verb = Verb::disallowed, .session = std::string(session)});
    return reply ? Outcome<std::vector<Guid>>(std::move(reply->disallowed))
                 : std::unexpected(reply.error());
}

Outcome<SessionEvents> Controller::events(std::uint64_t since, Milliseconds limit) {
    auto reply = state_->ask({.verb = Verb::events, .since = since, .limit = limit});
    return reply ? Outcome<SessionEvents>(std::move(reply->events))
                 : std::unexpected(reply.error());
}

Outcome<std::vector<session::ProviderState>> Controller::providers() {
    auto reply = state_->ask({.verb = Verb::providers});
    return reply ? Outcome<std::vector<session::ProviderState>>(std::move(reply->providers))
                 : std::unexpected(reply.error());
}

} // namespace etl::machine
