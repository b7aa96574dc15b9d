#include "machine/host.hpp"

#include "host/clock.hpp"
#include "host/process.hpp"
#include "machine/host_state.hpp"
#include "machine/protocol/packets.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <list>
#include <thread>
#include <utility>

namespace etl::machine {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t listening_tag = 0;

/// Performance Log Users, to Windows.
constexpr const char* privileged_group = "etl";

/// Links that have ended and whose regions have not been drained. Regions are large.
constexpr std::size_t most_ended = 64;

/// Accepted in a turn, so that a user who connects without end leaves time for others.
constexpr int most_accepted = 64;

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
        const auto left = *options_.idle_limit - (Clock::now() - needed_at);
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
    for (int i = 0; i < most_accepted && accept_one(); ++i) {
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
    constexpr std::size_t most_lines = 16, most_name = 64;
    if (!options_.report) {
        return;
    }
    std::string line = printable("refused " + program.substr(0, most_name));
    line += " of user ";
    line += std::to_string(caller.peer.user_id) + ": ";
    line += what;
    const auto now = Clock::now();
    if (now - reported_since_ >= pause) {
        reported_.clear();
        reported_since_ = now;
    }
    if (reported_.size() < most_lines && reported_.insert(line).second) {
        options_.report(line);
        if (reported_.size() == most_lines) {
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
    if (drain_->link_count() < links_.size() + most_ended) {
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

Host::Host(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

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

} // namespace etl::machine
