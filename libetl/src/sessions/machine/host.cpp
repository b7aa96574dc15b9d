
#include <etl/machine.hpp>
#include <etl/session.hpp>

#include "host/clock.hpp"
#include "host/local_socket.hpp"
#include "host/memory.hpp"
#include "host/places.hpp"
#include "host/process.hpp"
#include "host/shared_memory.hpp"
#include "io/passed_files.hpp"
#include "machine/accounts.hpp"
#include "machine/deliveries.hpp"
#include "machine/drain.hpp"
#include "machine/requests.hpp"
#include "session/control/runtime_state.hpp"
#include "session/control/start_options.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

namespace etl::machine {

/// SessionLog: what became of sessions, for those who ask. Any thread.
class SessionLog {
public:
    void add(const session::SessionEvent& event);

    /// Returns the events from number `since` on, once there are any, or when the time is over.
    /// 0: none, only the number of the next one.
    SessionEvents wait(std::uint64_t since, std::chrono::milliseconds limit);

    /// Ends all waits.
    void close();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<session::SessionEvent> events_; // the latest
    std::uint64_t next_ = 1;                   // number of the next one
    bool is_closed_ = false;
};

void SessionLog::add(const session::SessionEvent& event) {
    constexpr std::size_t max = 256;
    const std::lock_guard lock(mutex_);
    events_.push_back(event);
    ++next_;
    if (events_.size() > max) {
        events_.pop_front();
    }
    changed_.notify_all();
}

SessionEvents SessionLog::wait(std::uint64_t since, std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    if (since == 0 || since > next_) { // of another host
        return {.next = next_};
    }
    changed_.wait_for(lock, limit, [&] { return next_ > since || is_closed_; });
    const std::uint64_t first = next_ - events_.size();
    SessionEvents result{.next = next_, .missed = first > since ? first - since : 0};
    const std::uint64_t from = since > first ? since - first : 0;
    result.events.assign(events_.begin() + static_cast<std::ptrdiff_t>(from), events_.end());
    return result;
}

void SessionLog::close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
}

/// Host::State: one thread that accepts connections and serves processes with providers, one per
/// controller, the drain, and the runtime with its loggers. docs/machine-sessions-internals.md#host
class Host::State {
public:
    /// `options.may_be_activated`: it was.
    State(const HostOptions& options, host::Descriptor lock, host::Mapping wake_page,
          host::LocalSocket listening, host::Poller poller, host::Poller of_deliveries);
    ~State();

    void run();
    void stop() noexcept;

private:
    /// The other end of a connection, as the kernel tells.
    struct Caller {
        host::Peer peer;
        bool is_privileged = false; // may do everything
        std::shared_ptr<Account> account;
        /// What belongs to the connection ends then.
        std::shared_ptr<std::atomic<bool>> has_ended = std::make_shared<std::atomic<bool>>(false);
    };

    /// That has not said what it is.
    struct NewConnection {
        host::LocalSocket socket;
        Caller caller;
        Share share;
    };

    /// What controllers passed for a session.
    struct SessionFiles {
        io::PassedFiles files;
        std::mutex changing;                        // held by a request that passes a file
        std::shared_ptr<SessionFiles> keeps_itself; // while a session starts with them
    };

    /// A session on its way to its end.
    struct Ending {
        session::SessionCore* core = nullptr;
        std::string text; // if its file hangs
        std::atomic<bool> is_done{false};
        std::thread thread;
    };

    struct ControllerThread {
        host::LocalSocket socket;
        Caller caller;
        Share share;
        std::thread thread;
    };

    bool take_turn(std::chrono::steady_clock::time_point& needed_at);
    void serve_until_stopped();
    void accept_some();
    bool accept_one();
    void refuse_one_without_descriptor();
    void begin(std::uint64_t tag);
    void begin_controller(NewConnection connection, const std::string& program);
    void begin_link(std::uint64_t tag, NewConnection connection, const std::string& program);
    void turn_away(const host::LocalSocket& socket, const Caller& caller,
                   const std::string& program, link::Refusal::Reason reason);
    static std::string printable(std::string text);
    void report(const Caller& caller, const std::string& program, std::string_view what);
    Caller caller_of(const host::LocalSocket& socket);
    void serve(std::uint64_t tag);
    void serve_one(std::uint64_t tag);
    void end_link(std::uint64_t tag);
    void join_controllers(bool all);
    bool is_needed();
    void begin_end() noexcept;
    void end_sessions() noexcept;
    void end_links() noexcept;
    bool go_on_ending();

    // The thread of a controller.
    void run_controller(ControllerThread& controller) noexcept;
    void serve_controller(ControllerThread& controller);
    bool serve_request(ControllerThread& controller, bool has_rights);
    Reply execute(const Request& request, const Caller& caller, host::Descriptor passed);
    Reply start(const Request& request, const Caller& caller, host::Descriptor passed);
    session::Outcome<session::SessionState> keep_files(const session::Session& session,
                                                       const std::shared_ptr<SessionFiles>& owned);
    Reply control(const session::Session& session, const session::SessionState& state,
                  const Request& request, const Caller& caller);
    Reply enable(const session::Session& session, const Request& request,
                 const session::EnableOptions& how);
    Reply session_events(const Request& request, const Caller& caller);
    session::Outcome<void> deliver(const session::Session& session,
                                   const session::SessionState& state, const Request& request,
                                   const Caller& caller, const host::Descriptor& passed);
    session::Outcome<session::SessionState>
    check_and_change(const session::Session& session, const session::SessionState& state,
                     const Request& request, const Caller& caller, host::Descriptor passed);
    session::Outcome<session::SessionState> change(const session::Session& session,
                                                   const session::SessionState& state,
                                                   const Request& request, host::Descriptor passed);
    std::shared_ptr<SessionFiles> files_of(const session::SessionState& state);
    session::Outcome<session::SessionState> change_now(const session::Session& session,
                                                       const Request& request);

    // What a user may see, and do.
    static bool may_see(const Caller& caller, const session::SessionState& state) noexcept;
    std::vector<session::SessionState> visible_sessions(const Caller& caller) const;
    std::vector<session::ProviderState> visible_providers(const Caller& caller) const;
    /// The share is held until the session has its buffers.
    session::Outcome<Share> check_limits(const session::SessionOptions& options,
                                         const Caller& caller) const;
    session::Outcome<Share> check_buffers(const session::SessionOptions& adopted,
                                          std::uint16_t session, const Caller& caller) const;
    session::Outcome<void> check_slots(const Guid& provider, const Caller& caller) const;
    session::Outcome<Share> check_update(const session::SessionState& state, const Request& request,
                                         const Caller& caller) const;
    void wait_for_woken() const;

    HostOptions options_;
    host::Descriptor lock_; // while this runs
    host::Mapping wake_page_;
    std::optional<std::uint32_t> privileged_group_;
    host::Descriptor spare_; // to answer when there are no others
    Accounts accounts_;
    std::shared_ptr<Account> of_all_ = std::make_shared<Account>(0, no_limits);
    host::LocalSocket listening_;
    host::Poller poller_;
    int woken_ = 0; // processes that waited for a host
    std::chrono::steady_clock::time_point opened_;

    /// By session number - 1; until the next session with that number.
    std::array<std::shared_ptr<SessionFiles>, link::max_machine_sessions> files_;
    std::mutex files_mutex_;
    std::condition_variable files_stored_;

    SessionLog log_;

    std::atomic<std::int64_t> time_;
    session::Runtime runtime_;
    std::optional<Drain> drain_;
    Deliveries deliveries_;

    // Of the loop.
    std::uint64_t tags_ = 0;
    std::set<std::string> reported_; // lines of the current minute
    std::chrono::steady_clock::time_point reported_since_;
    std::map<std::uint64_t, NewConnection> new_;
    std::map<std::uint64_t, std::shared_ptr<ProviderLink>> links_;
    std::list<ControllerThread> controllers_;
    std::list<Ending> endings_;
    std::atomic<bool> is_stopping_{false};
};

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t listening_tag = 0;

/// Performance Log Users, to Windows.
constexpr const char* privileged_group = "etl";

/// Links that have ended and whose regions have not been drained. Regions are large.
constexpr std::size_t max_ended = 64;

/// Accepted in a turn, so that a user who connects without end leaves time for others.
constexpr int max_accepted = 64;

/// When there was no memory for a turn.
constexpr std::chrono::milliseconds pause_without_memory{10};

session::RuntimeOptions runtime_options(const std::atomic<std::int64_t>& time,
                                        session::SessionObserver observer) {
    session::RuntimeOptions options;
    options.registrations = std::numeric_limits<std::uint16_t>::max();
    options.time = &time;
    options.observer = std::move(observer);
    return options;
}

} // namespace

Host::State::State(const HostOptions& options, host::Descriptor lock, host::Mapping wake_page,
                   host::LocalSocket listening, host::Poller poller, host::Poller of_deliveries)
    : options_(options), lock_(std::move(lock)), wake_page_(std::move(wake_page)),
      privileged_group_(options.is_for_all_users ? host::group_id(privileged_group) : std::nullopt),
      spare_(host::spare_descriptor()), listening_(std::move(listening)),
      poller_(std::move(poller)), opened_(std::chrono::steady_clock::now()),
      time_(host::monotonic_ticks()),
      runtime_(runtime_options(time_,
                               [this](const session::SessionEvent& event) {
                                   log_.add(event);
                                   poller_.wake();
                               })),
      deliveries_(std::make_shared<const host::Poller>(std::move(of_deliveries))) {
    drain_.emplace(runtime_, time_);
    static_cast<void>(poller_.add(listening_.number(), listening_tag));
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): shared memory
    auto& hosts = *reinterpret_cast<std::atomic<std::uint32_t>*>(wake_page_.data());
    hosts.fetch_add(1, std::memory_order_release);
    woken_ = host::wake_waiting(hosts);
}

Host::State::~State() {
    begin_end();
    join_controllers(true);
    for (Ending& ending : endings_) {
        ending.thread.join();
    }
    end_links();
    drain_->settle();
    drain_.reset();
}

void Host::State::stop() noexcept {
    is_stopping_ = true;
    poller_.wake();
}

void Host::State::run() {
    serve_until_stopped();
    end_sessions();
}

void Host::State::serve_until_stopped() {
    auto needed_at = Clock::now();
    while (!is_stopping_) {
        try {
            if (!take_turn(needed_at)) {
                return;
            }
        } catch (const std::exception&) { // memory; what the turn was for is still there
            std::this_thread::sleep_for(pause_without_memory);
        }
    }
}

/// False: nothing has needed the host for as long as it waits for that.
bool Host::State::take_turn(Clock::time_point& needed_at) {
    join_controllers(false);
    std::optional<std::int64_t> wait;
    if (is_needed()) {
        needed_at = Clock::now();
    } else if (options_.idle_limit) {
        const auto left =
            std::chrono::milliseconds(*options_.idle_limit) - (Clock::now() - needed_at);
        wait = std::chrono::ceil<std::chrono::milliseconds>(left).count();
        if (*wait <= 0) {
            return false;
        }
    }
    for (const std::uint64_t tag : poller_.wait(wait)) {
        if (tag == listening_tag) {
            accept_some();
        } else {
            serve(tag);
        }
    }
    return true;
}

bool Host::State::is_needed() {
    return !controllers_.empty() || !new_.empty() ||
           (options_.may_be_activated && !links_.empty()) ||
           !runtime_.sessions(session::Runtime::Private::included).empty();
}

Host::State::Caller Host::State::caller_of(const host::LocalSocket& socket) {
    Caller caller{.peer = socket.peer()};
    caller.is_privileged = caller.peer.user_id == host::user_id() || caller.peer.user_id == 0;
    if (!caller.is_privileged && privileged_group_) {
        const std::vector<std::uint32_t> groups = socket.peer_groups();
        caller.is_privileged = caller.peer.group_id == *privileged_group_ ||
                               std::ranges::find(groups, *privileged_group_) != groups.end();
    }
    caller.account = accounts_.of(caller.peer.user_id, caller.is_privileged, Clock::now());
    return caller;
}

void Host::State::accept_some() {
    for (int i = 0; i < max_accepted && accept_one(); ++i) {
    }
}

/// False: none waits, or there is no space for it now.
bool Host::State::accept_one() {
    auto socket = listening_.accept();
    if (!socket) {
        if (socket.error().code == ErrorCode::limit) {
            refuse_one_without_descriptor();
        }
        return false;
    }
    Caller caller = caller_of(*socket);
    auto share = caller.account->take(Good::connection);
    const std::uint64_t tag = ++tags_;
    if (!share) {
        turn_away(*socket, caller, "a connection", link::Refusal::Reason::connections);
    } else if (!poller_.add(socket->number(), tag)) {
        turn_away(*socket, caller, "a connection", link::Refusal::Reason::resources);
    } else {
        new_.emplace(tag, NewConnection{.socket = std::move(*socket),
                                        .caller = std::move(caller),
                                        .share = std::move(*share)});
    }
    return true;
}

/// Otherwise it would wait without an answer, and the loop would not rest.
void Host::State::refuse_one_without_descriptor() {
    spare_.close();
    if (const auto socket = listening_.accept()) {
        turn_away(*socket, caller_of(*socket), "a connection", link::Refusal::Reason::resources);
    } else {
        std::this_thread::sleep_for(pause_without_memory);
    }
    spare_ = host::spare_descriptor();
}

/// One that fails for want of memory ends, and no other.
void Host::State::serve(std::uint64_t tag) {
    try {
        serve_one(tag);
    } catch (const std::exception&) {
        new_.erase(tag);
        if (links_.contains(tag)) {
            end_link(tag);
        }
    }
}

void Host::State::serve_one(std::uint64_t tag) {
    if (new_.contains(tag)) {
        begin(tag);
        return;
    }
    const auto found = links_.find(tag);
    if (found == links_.end()) {
        return;
    }
    bool ring_bell = false;
    const bool goes_on = found->second->serve(ring_bell);
    if (ring_bell) {
        drain_->wake();
    }
    if (!goes_on) {
        end_link(tag);
    }
}

/// The first packet of a connection.
void Host::State::begin(std::uint64_t tag) {
    std::array<std::byte, 4096> packet{};
    const auto received = new_.at(tag).socket.receive(packet);
    if (received.state == host::LocalSocket::Received::State::would_block) {
        return;
    }
    NewConnection connection = std::move(new_.at(tag));
    new_.erase(tag);
    const auto message = link::decode_provider_message(Bytes(packet).first(received.size));
    const auto* hello = message ? std::get_if<link::Hello>(&*message) : nullptr;
    poller_.remove(connection.socket.number());
    if (hello == nullptr) {
        return; // closes it
    }
    if (hello->version != link::protocol_version) {
        turn_away(connection.socket, connection.caller, hello->program,
                  link::Refusal::Reason::version);
    } else if (hello->role == link::Role::provider) {
        begin_link(tag, std::move(connection), hello->program);
    } else {
        begin_controller(std::move(connection), hello->program);
    }
}

void Host::State::begin_link(std::uint64_t tag, NewConnection connection,
                             const std::string& program) {
    const int number = connection.socket.number();
    auto link =
        ProviderLink::accept(runtime_, std::move(connection.socket), connection.caller.account);
    if (!link) {
        report(connection.caller, program, link.error().what);
    } else if (poller_.add(number, tag)) {
        links_.emplace(tag, *link);
        drain_->add(*link);
    }
}

void Host::State::turn_away(const host::LocalSocket& socket, const Caller& caller,
                            const std::string& program, link::Refusal::Reason reason) {
    socket.send(encode(link::Refusal{.reason = reason}));
    report(caller, program, link::describe(reason));
}

std::string Host::State::printable(std::string text) {
    std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

/// One that is refused tries again and again, perhaps under other names.
void Host::State::report(const Caller& caller, const std::string& program, std::string_view what) {
    constexpr std::chrono::minutes pause{1};
    constexpr std::size_t max_lines = 16, max_name = 64;
    if (!options_.report) {
        return;
    }
    std::string line = printable("refused " + program.substr(0, max_name));
    line += " of user ";
    line += std::to_string(caller.peer.user_id) + ": ";
    line += what;
    const auto now = Clock::now();
    if (now - reported_since_ >= pause) {
        reported_.clear();
        reported_since_ = now;
    }
    if (reported_.size() < max_lines && reported_.insert(line).second) {
        options_.report(line);
        if (reported_.size() == max_lines) {
            options_.report("more refusals are not reported for up to a minute");
        }
    }
}

void Host::State::end_link(std::uint64_t tag) {
    const auto found = links_.find(tag);
    poller_.remove(found->second->socket().number());
    found->second->socket().shut_down();
    found->second->end();
    links_.erase(found);
    if (drain_->link_count() < links_.size() + max_ended) {
        drain_->wake();
    } else { // processes that come and go faster than they are drained wait
        drain_->settle();
    }
}

void Host::State::begin_controller(NewConnection connection, const std::string& program) {
    auto share = connection.caller.account->take(Good::controller);
    if (!share) {
        turn_away(connection.socket, connection.caller, program,
                  link::Refusal::Reason::controllers);
        return;
    }
    std::list<ControllerThread> made(1);
    ControllerThread& controller = made.front();
    controller.socket = std::move(connection.socket);
    controller.caller = std::move(connection.caller);
    controller.share = std::move(*share);
    try {
        controller.thread = std::thread([this, &controller] { run_controller(controller); });
    } catch (const std::exception&) {
        turn_away(controller.socket, controller.caller, program, link::Refusal::Reason::resources);
        return;
    }
    controllers_.splice(controllers_.end(), made);
}

void Host::State::run_controller(ControllerThread& controller) noexcept {
    host::become_helper_thread("etl-controller");
    try {
        serve_controller(controller);
    } catch (const std::exception&) { // there is no memory even to say so
        controller.socket.shut_down();
    }
    *controller.caller.has_ended = true;
    deliveries_.wake();
    poller_.wake();
}

void Host::State::join_controllers(bool all) {
    std::erase_if(controllers_, [&](ControllerThread& controller) {
        if (!all && !*controller.caller.has_ended) {
            return false;
        }
        controller.thread.join();
        return true;
    });
}

Host::Host(Owned<State> state) noexcept : state_(std::move(state)) {}

Host::Host(Host&&) noexcept = default;
Host& Host::operator=(Host&&) noexcept = default;
Host::~Host() = default;

void Host::run() {
    state_->run();
}

void Host::stop() noexcept {
    state_->stop();
}

Result<Host> Host::open(const HostOptions& asked) {
    constexpr unsigned for_all = 0666, for_user = 0600;
    HostOptions options = asked;
    const host::MeetingPlace place =
        options.directory.empty() ? host::own_place() : host::MeetingPlace{options.directory};
    options.is_for_all_users = asked.is_for_all_users || host::is_place_of_machine(place);
    if (auto prepared = host::prepare_place(place, options.is_for_all_users); !prepared) {
        return std::unexpected(prepared.error());
    }
    auto lock = host::lock_place(place);
    if (!lock) {
        return std::unexpected(lock.error());
    }
    const auto wake_file = host::open_wake_page(place);
    if (!wake_file) {
        return std::unexpected(wake_file.error());
    }
    auto page = host::Mapping::of(*wake_file, 0, host::wake_page_bytes, host::Sharing::read_write);
    auto passed = asked.may_be_activated ? host::LocalSocket::passed() : std::nullopt;
    options.may_be_activated = passed.has_value();
    auto listening = passed ? Result<host::LocalSocket>(std::move(*passed))
                            : host::LocalSocket::listen(
                                  place.socket(), options.is_for_all_users ? for_all : for_user);
    auto poller = host::Poller::create();
    auto of_deliveries = host::Poller::create();
    if (!page || !listening || !poller || !of_deliveries) {
        return std::unexpected(!page        ? page.error()
                               : !listening ? listening.error()
                               : !poller    ? poller.error()
                                            : of_deliveries.error());
    }
    host::raise_descriptor_limit();
    return Host(std::make_unique<State>(options, std::move(*lock), std::move(*page),
                                        std::move(*listening), std::move(*poller),
                                        std::move(*of_deliveries)));
}

// What a user may see and do: those without all rights have sessions of their own, which reach the
// user's own processes, within limits. docs/machine-sessions.md#rights

namespace {

using session::Outcome;
using session::ProviderState;
using session::refuse;
using session::SessionOptions;
using session::SessionState;
using session::Status;

/// Of the sessions of a machine and of the 8 slots of a provider, for all users without all rights
/// together: the others remain for those who have them.
constexpr std::ptrdiff_t max_sessions_of_users = 32;
constexpr std::ptrdiff_t max_slots_of_users = 4;

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
    if (!caller.is_privileged && of_users >= max_sessions_of_users) {
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
    static const std::uint64_t max = host::memory_of_machine() / part;
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
    if (max != 0 && of_all > max) {
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
    if (of_users >= max_slots_of_users) {
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

// What controllers ask of a host. Each has a thread of its own in it, so a file that hangs holds up
// no other one.

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
        auto message = receive_message(controller.socket, max_request_bytes);
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
    constexpr std::chrono::seconds max_size{3};
    constexpr std::chrono::milliseconds pause{2};
    const auto announced = [&] {
        return std::ranges::count_if(drain_->links(),
                                     [](const auto& link) { return link->has_announced(); });
    };
    while (Clock::now() - opened_ < max_size && announced() < woken_) {
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
    constexpr std::chrono::milliseconds none{0}, max_size{std::chrono::seconds(1)};
    if (!caller.is_privileged) {
        return {
            .status = Status::access_denied,
            .what =
                "monitoring sessions requires full rights on the host: those of its user, root, "
                "or the group etl"};
    }
    return {.events = log_.wait(request.since, std::clamp<std::chrono::milliseconds>(
                                                   request.limit, none, max_size))};
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
    auto source = session::LiveSource::listen(session, {.queue_bytes = queue});
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
    constexpr std::chrono::seconds max_size{1};
    const std::shared_ptr<SessionFiles>& files = files_.at(state.id - 1U);
    std::unique_lock lock(files_mutex_);
    const bool is_stored = files_stored_.wait_for(
        lock, max_size, [&] { return files != nullptr && &files->files == state.options.files; });
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
    if (const std::uint64_t max = caller.account->limits().backlog_bytes; max != 0) {
        options.backlog_bytes =
            options.backlog_bytes == 0 ? max : std::min(options.backlog_bytes, max);
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
    constexpr Milliseconds max_wait = std::chrono::minutes(10);
    const std::chrono::milliseconds wait = std::min(asked.timeout.value_or(max_wait), max_wait);
    const auto deadline = Clock::now() + wait;
    const bool waits = !asked.timeout || asked.timeout->count > 0;
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

// The end of a host: its sessions first, whatever clients and files do.

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds for_events{2000}; // written until now, into the sessions
constexpr std::chrono::milliseconds for_all{4500};
constexpr std::chrono::milliseconds for_consumers{200};
constexpr std::chrono::milliseconds end_pause{2};

} // namespace

void Host::State::begin_end() noexcept {
    is_stopping_ = true;
    log_.close();
    for (const ControllerThread& controller : controllers_) {
        controller.socket.shut_down();
    }
}

/// When it returns, every file that takes writes is complete. Others are named.
void Host::State::end_sessions() noexcept {
    const auto deadline = Clock::now() + for_all;
    begin_end();
    end_links();
    drain_->settle_until(Clock::now() + for_events);
    for (bool is_done = false; !is_done && Clock::now() < deadline;) {
        try {
            is_done = go_on_ending();
        } catch (const std::exception&) { // NOLINT(bugprone-empty-catch)
            // Of memory or a thread: others that end give theirs back.
        }
        std::this_thread::sleep_for(is_done ? std::chrono::milliseconds{0} : end_pause);
    }
    deliveries_.wait_until(std::min(deadline, Clock::now() + for_consumers));
    for (const Ending& ending : endings_) {
        if (!ending.is_done && options_.report) {
            options_.report(printable(ending.text));
        }
    }
}

/// Programs see one end, not that of each session. The drain takes what they have written.
void Host::State::end_links() noexcept {
    for (const auto& [tag, link] : links_) {
        link->socket().shut_down();
        link->end();
    }
}

/// Starts the end of each session in a thread of its own: one that hangs delays no other. True: all
/// sessions have ended.
bool Host::State::go_on_ending() {
    session::Runtime::State& runtime = runtime_.state();
    std::list<Ending> found;
    {
        const std::lock_guard lock(runtime.mutex);
        runtime.for_each_core([&](session::SessionCore& core) {
            const auto is_its = [&](const Ending& one) {
                return one.core == &core && !one.is_done;
            };
            if (std::ranges::none_of(endings_, is_its)) {
                Ending& ending = found.emplace_back();
                ending.core = &core;
                ending.text = "session " + core.options.name + " of user " +
                              std::to_string(core.options.owner) + ": " + core.options.file +
                              " takes no writes; repair it with `etl repair`";
            }
        });
    }
    while (!found.empty()) {
        Ending& ending = found.front();
        ending.thread = std::thread([&ending, &runtime] {
            host::become_helper_thread("etl-end");
            try {
                runtime.stop_or_wait(*ending.core);
            } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): tried again
            }
            ending.is_done = true;
        });
        endings_.splice(endings_.end(), found, found.begin());
    }
    return std::ranges::all_of(endings_, [](const Ending& one) { return one.is_done.load(); });
}

} // namespace etl::machine
