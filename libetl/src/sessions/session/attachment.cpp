

#include <etl/error.hpp>
#include <etl/session.hpp>

#include "host/fork.hpp"
#include "host/places.hpp"
#include "host/process.hpp"
#include "host/shared_memory.hpp"
#include "link/messages.hpp"
#include "link/region_writer.hpp"
#include "session/control/runtime_state.hpp"
#include "session/providers/link_wait.hpp"
#include "session/providers/registrations.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace etl::session {

// HostLink: one connection of this process to a host: handshake, requests, and the wait for their
// execution. docs/machine-sessions-internals.md#link

/// Requests are made under a lock of the caller; everything else by any thread.
class HostLink {
public:
    using Milliseconds = std::chrono::milliseconds;

    /// Errors: not_found (no host), unsupported (it has another version of the protocol), limit (of
    /// programs of the user), io_failure (it does not answer in time, or may not be asked).
    static Result<std::unique_ptr<HostLink>> connect(const host::MeetingPlace& place,
                                                     Milliseconds wait);

    explicit HostLink(std::shared_ptr<link::RegionWriter> region) : region_(std::move(region)) {}

    /// For writers, who may hold it longer than the link lasts.
    const std::shared_ptr<link::RegionWriter>& region() const noexcept { return region_; }

    const link::ControlPage& control() const noexcept { return region_->control(); }

    /// Sends a request. Returns its number, for wait_until_handled. A host that does not take it
    /// in time loses the link.
    std::uint32_t request(const link::ProviderMessage& message, Milliseconds wait);

    /// Sends a message that is not a request.
    void send(const link::ProviderMessage& message, Milliseconds wait);

    /// Returns when the host has executed a request, or when the time is over. A host that let it
    /// pass once is not waited for again until it has executed everything: one that is stopped
    /// delays the program only once.
    void wait_until_handled(std::uint32_t number, Milliseconds wait);

    /// Ends the link for both sides; the descriptor remains until no writer can hold the region.
    void end() const noexcept { region_->socket().shut_down(); }

private:
    std::shared_ptr<link::RegionWriter> region_;
    std::uint32_t requests_ = 0;
    std::atomic<bool> is_late_{false};
};

namespace {

using Clock = std::chrono::steady_clock;

Result<host::LocalSocket> say_hello(const host::MeetingPlace& place) {
    if (!host::is_trusted_place(place)) {
        return fail(ErrorCode::not_found, "host of machine sessions");
    }
    auto socket = host::LocalSocket::connect(place.socket());
    if (!socket) {
        return socket;
    }
    const auto hello =
        encode(link::Hello{.role = link::Role::provider, .program = host::executable_name()});
    if (socket->send(hello) != host::LocalSocket::Sent::done) {
        return fail(ErrorCode::io_failure, "host of machine sessions");
    }
    return socket;
}

} // namespace

Result<std::unique_ptr<HostLink>> HostLink::connect(const host::MeetingPlace& place,
                                                    Milliseconds wait) {
    auto socket = say_hello(place);
    if (!socket) {
        return std::unexpected(socket.error());
    }
    std::array<std::byte, 256> packet{};
    std::vector<host::Descriptor> descriptors;
    if (!socket->wait(wait.count())) {
        return fail(ErrorCode::io_failure, "the host does not answer");
    }
    const auto received = socket->receive(packet, &descriptors);
    if (received.state == host::LocalSocket::Received::State::closed) {
        return fail(ErrorCode::io_failure, "the host has closed the connection");
    }
    const Bytes answer = Bytes(packet).first(received.size);
    if (const auto refusal = link::decode_refusal(answer)) {
        const bool is_version = refusal->reason == link::Refusal::Reason::version;
        return fail(is_version ? ErrorCode::unsupported : ErrorCode::limit,
                    link::describe(refusal->reason));
    }
    const auto welcome = link::decode_welcome(answer);
    if (!welcome || welcome->version != link::protocol_version || descriptors.size() != 2) {
        return fail(ErrorCode::unsupported, "the host has another version than the program");
    }
    auto control =
        host::Mapping::of(descriptors[0], 0, sizeof(link::ControlPage), host::Sharing::read_only);
    auto region = link::RegionMemory::map(descriptors[1], welcome->shape);
    if (!control || !region) {
        return std::unexpected(control ? region.error() : control.error());
    }
    return std::make_unique<HostLink>(std::make_shared<link::RegionWriter>(
        std::move(*region), std::move(*control), std::move(*socket)));
}

std::uint32_t HostLink::request(const link::ProviderMessage& message, Milliseconds wait) {
    send(message, wait);
    return ++requests_;
}

void HostLink::send(const link::ProviderMessage& message, Milliseconds wait) {
    const host::LocalSocket& socket = region_->socket();
    if (!socket.is_intact()) {
        return; // the program closed the descriptor
    }
    const auto packet = encode(message);
    auto sent = socket.send(packet);
    if (sent == host::LocalSocket::Sent::would_block && socket.wait_to_send(wait.count())) {
        sent = socket.send(packet);
    }
    if (sent != host::LocalSocket::Sent::done) {
        end();
    }
}

void HostLink::wait_until_handled(std::uint32_t number, Milliseconds wait) {
    constexpr Milliseconds look{100}; // the end of the host does not change the number
    const auto deadline = is_late_ ? Clock::time_point::min() : Clock::now() + wait;
    for (;;) {
        const std::uint32_t handled = control().handled.load(std::memory_order_acquire);
        if (static_cast<std::int32_t>(handled - number) >= 0) {
            is_late_ = false;
            return;
        }
        const auto now = Clock::now();
        if (now >= deadline) {
            is_late_ = true;
            return;
        }
        if (region_->socket().has_ended()) {
            return;
        }
        const auto left = std::chrono::ceil<Milliseconds>(deadline - now);
        host::wait_while(control().handled, handled, std::min(left, look).count());
    }
}

/// Attachment::State: what a process tells the host, and what it does with the answers. One thread
/// waits for the host; registrations are announced by the thread that makes them.
/// docs/machine-sessions-internals.md#attachment
class Attachment::State final : public RegistrationObserver, public host::ForkWatch {
public:
    State(Runtime::State& runtime, std::vector<host::MeetingPlace> places, host::Mapping wake_page,
          const AttachOptions& options);
    ~State() override;

    void begin();

    bool is_linked() const noexcept { return is_linked_.load(); }

    std::optional<Failure> refusal() const;

    void added(const RegistrationFacts& facts) override;
    void traits_set(const RegistrationFacts& facts) override;
    void removing(RegistrationNode& node, std::uint64_t handle) override;

    void before_fork() noexcept override;
    void in_parent() noexcept override;
    void in_child() noexcept override;

private:
    /// A registration, as announced to the host.
    struct Known {
        RegistrationFacts facts;
        std::uint32_t number = 0;                // on the link
        std::uint32_t version = 0;               // of its enabling that was applied last
        std::uint32_t changes = 0, captures = 0; // of that
    };

    /// What is to be applied, without the lock.
    struct Due {
        RegistrationNode* node;
        std::uint64_t handle;
        MachineEnabling enabling;
    };

    void run();
    enum class Linking : std::uint8_t { done, no_host, no_answer };
    /// `answer` is how long to wait for the host's answer.
    Linking link_up(std::chrono::milliseconds answer);
    void serve();
    void link_down();
    bool restart_in_child();
    void confirm(HostLink& link);
    void apply_all();
    std::vector<Due> apply();
    void end_awaiting();
    void change(const std::vector<Due>& due);
    void run_callbacks(const std::vector<Due>& due);
    void run_all_callbacks();
    std::optional<Due> due_of(Known& known);
    Due nothing_for(const Known& known) const;
    std::uint32_t announce(Known& known);
    const std::atomic<std::uint32_t>& wake_count() const noexcept;

    Runtime::State* runtime_;
    std::vector<host::MeetingPlace> places_;
    host::Mapping wake_page_;
    std::chrono::milliseconds wait_;
    bool with_children_;
    std::shared_ptr<LinkWait> child_wait_ = std::make_shared<LinkWait>(); // in the child of a fork
    std::shared_ptr<SessionCore> stand_in_; // all machine sessions, to those who compare
    std::optional<host::Poller> poller_;

    /// From the look at the control page until what it says is in force, so that it is in force for
    /// a thread that finds nothing new there. Taken before the other one.
    std::mutex applying_;
    mutable std::mutex mutex_;
    std::optional<Failure> refusal_;       // of a host that runs
    std::map<std::uint32_t, Known> known_; // by slot
    std::shared_ptr<HostLink> link_;       // null: no host
    std::uint64_t links_ = 0;              // so far
    std::uint32_t numbers_ = 0;            // given to registrations so far

    std::atomic<bool> is_linked_{false}, is_stopping_{false}, has_ended_{false}, is_child_{false};
    std::thread thread_;
};

namespace {

constexpr std::uint64_t socket_tag = 1;

/// How long to wait on the page of the user before looking for a host of the machine.
constexpr std::int64_t look_again_ms = 5000;

/// How long the thread waits for the answer of a host, and between attempts when there was none.
constexpr std::chrono::seconds max_answer{10};
constexpr std::chrono::milliseconds min_pause{100}, max_pause{5000};

/// What all sessions together want that record the events of this process, or that refuse them: an
/// event that any of them accepts passes. No session: there is none.
EnableView together(const link::Enabling& enabling, const SessionRef& as, bool is_refusing) {
    EnableView view{.match_all = ~std::uint64_t{0}};
    bool accepts_keyword_0 = false;
    bool excludes_private = true;
    const auto count = std::min<std::size_t>(enabling.count, link::max_enablers);
    for (std::size_t i = 0; i < count; ++i) {
        const link::Enabler& one = enabling.enablers[i];
        if (one.is_refusing() != is_refusing) {
            continue;
        }
        view.session = as;
        view.level = std::max(view.level, one.level);
        view.match_any |= one.match_any;
        view.match_all &= one.match_all;
        view.property |= one.property;
        accepts_keyword_0 = accepts_keyword_0 || one.accepts_keyword_0 != 0;
        excludes_private =
            excludes_private && (one.property & enable_property::exclude_in_private) != 0;
    }
    view.property &= ~(enable_property::ignore_keyword_0 | enable_property::enable_keyword_0 |
                       (excludes_private ? 0U : enable_property::exclude_in_private));
    view.property |= accepts_keyword_0 ? 0U : enable_property::ignore_keyword_0;
    return view.session.core != nullptr ? view : EnableView{};
}

/// Nothing: there is no host.
std::optional<Failure> refusal_of(const Error& error) noexcept {
    if (error.code == ErrorCode::unsupported) {
        return Failure{Status::not_supported, error.what};
    }
    if (error.code == ErrorCode::limit) {
        return Failure{Status::no_system_resources, error.what};
    }
    if (error.code != ErrorCode::io_failure) {
        return std::nullopt;
    }
    return std::error_code(error.os_code, std::system_category()) == std::errc::permission_denied
               ? Failure{Status::access_denied, "the host serves another user", error.os_code}
               : Failure{Status::timeout, error.what, error.os_code};
}

} // namespace

Attachment::State::State(Runtime::State& runtime, std::vector<host::MeetingPlace> places,
                         host::Mapping wake_page, const AttachOptions& options)
    : runtime_(&runtime), places_(std::move(places)), wake_page_(std::move(wake_page)),
      wait_(options.wait), with_children_(options.with_children),
      stand_in_(std::make_shared<SessionCore>()) {
    if (auto poller = host::Poller::create()) {
        poller_ = std::move(*poller);
    }
    runtime.registrations.keep(stand_in_);
    runtime.registrations.keep(child_wait_);
    watch();
}

Attachment::State::~State() {
    end_watch();
    if (is_child_) {
        return; // the thread was the parent's
    }
    runtime_->registrations.observe(nullptr);
    is_stopping_ = true;
    while (!has_ended_) { // it may be just before it begins to wait
        poller_->wake();
        host::wake_waiting(wake_count());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    thread_.join();
    link_down();
}

/// Registrations made so far, the host if it runs, then the thread.
void Attachment::State::begin() {
    runtime_->registrations.observe(this);
    for (const RegistrationFacts& facts : runtime_->registrations.registered()) {
        const std::lock_guard lock(mutex_);
        known_.try_emplace(facts.number, Known{.facts = facts});
    }
    link_up(wait_);
    thread_ = std::thread([this] { run(); });
}

std::optional<Failure> Attachment::State::refusal() const {
    const std::lock_guard lock(mutex_);
    return refusal_;
}

const std::atomic<std::uint32_t>& Attachment::State::wake_count() const noexcept {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): shared memory
    return *reinterpret_cast<const std::atomic<std::uint32_t>*>(wake_page_.data());
}

void Attachment::State::run() {
    host::become_helper_thread("etl-sessions");
    std::chrono::milliseconds pause = min_pause;
    while (!is_stopping_) {
        const std::uint32_t seen = wake_count().load(std::memory_order_acquire);
        const Linking linking = is_linked() ? Linking::done : link_up(max_answer);
        if (linking == Linking::done) {
            serve();
            link_down();
            pause = min_pause;
            continue;
        }
        if (linking == Linking::no_host) {
            end_awaiting();
        }
        std::optional<std::int64_t> limit;
        if (linking == Linking::no_answer) { // it is busy, or has just ended
            limit = pause.count();
            pause = std::min(2 * pause, max_pause);
        } else if (places_.size() > 1) {
            limit = look_again_ms;
        }
        if (!is_stopping_) {
            host::wait_while(wake_count(), seen, limit);
        }
    }
    has_ended_ = true;
}

Attachment::State::Linking Attachment::State::link_up(std::chrono::milliseconds answer) {
    std::shared_ptr<HostLink> link;
    std::optional<Failure> refusal;
    auto result = Linking::no_host;
    for (const host::MeetingPlace& place : places_) {
        auto connected = HostLink::connect(place, answer);
        if (connected) {
            link = std::move(*connected);
            break;
        }
        refusal = refusal_of(connected.error());
        if (refusal && refusal->status != Status::not_supported) {
            result = Linking::no_answer;
        }
    }
    if (link == nullptr) {
        const std::lock_guard lock(mutex_);
        refusal_ = refusal;
        return result;
    }
    runtime_->registrations.keep(link->region());
    std::uint32_t last = 0;
    {
        const std::lock_guard lock(mutex_);
        refusal_.reset();
        link_ = link;
        ++links_;
        for (auto& [slot, known] : known_) {
            last = announce(known);
        }
    }
    is_linked_ = true;
    link->wait_until_handled(last, answer);
    const std::vector<Due> due = apply();
    end_awaiting(); // a callback may wait for a thread that waits to write
    run_callbacks(due);
    confirm(*link); // the host waits for it
    return Linking::done;
}

/// In the child of a fork: whoever waits to write goes on.
void Attachment::State::end_awaiting() {
    runtime_->registrations.end_awaiting();
    child_wait_->end();
}

/// Applies what the host has published, and says so.
void Attachment::State::confirm(HostLink& link) {
    const std::uint32_t published = link.control().published.load();
    apply_all();
    run_all_callbacks(); // of what another thread has applied, too
    const std::lock_guard lock(mutex_);
    link.send(link::Confirm{published}, wait_);
}

/// Until the link ends.
void Attachment::State::serve() {
    const std::shared_ptr<HostLink> link = link_;
    const host::LocalSocket& socket = link->region()->socket();
    if (!poller_->add(socket.number(), socket_tag)) {
        return;
    }
    while (!is_stopping_ && socket.is_intact()) {
        if (poller_->wait(std::nullopt).empty()) {
            continue;
        }
        std::array<std::byte, 16> packet{};
        using Received = host::LocalSocket::Received;
        const Received received = socket.receive(packet);
        if (received.state == Received::State::closed) {
            break;
        }
        if (received.state == Received::State::packet) {
            confirm(*link);
        }
    }
    if (socket.is_intact()) {
        poller_->remove(socket.number());
    }
}

void Attachment::State::link_down() {
    std::vector<Due> due;
    {
        const std::lock_guard lock(mutex_);
        if (link_ == nullptr) {
            return;
        }
        is_linked_ = false;
        link_->end();
        link_ = nullptr;
        ++links_;
        for (auto& [slot, known] : known_) {
            due.push_back(nothing_for(known));
            known.version = known.changes = known.captures = 0;
        }
    }
    change(due);
    run_callbacks(due);
}

Attachment::State::Due Attachment::State::nothing_for(const Known& known) const {
    Due due{.node = known.facts.node, .handle = known.facts.handle, .enabling = {}};
    due.enabling.version = links_ << 32U;
    due.enabling.changes = known.changes == 0 ? 0 : 1;
    return due;
}

/// Under the lock.
std::uint32_t Attachment::State::announce(Known& known) {
    known.number = ++numbers_;
    known.version = known.changes = known.captures = 0;
    std::uint32_t last =
        link_->request(link::Register{.registration = known.number,
                                      .slot = static_cast<std::uint16_t>(known.facts.number),
                                      .is_classic = known.facts.kind == ProviderKind::classic,
                                      .provider = known.facts.provider},
                       wait_);
    if (!known.facts.traits.empty()) {
        last = link_->request(
            link::SetTraits{.registration = known.number,
                            .traits = {known.facts.traits.begin(), known.facts.traits.end()}},
            wait_);
    }
    return last;
}

/// Under the lock. Nothing: what was applied is the latest.
std::optional<Attachment::State::Due> Attachment::State::due_of(Known& known) {
    const auto& published = link_->control().registrations.at(known.facts.number);
    if (published.version() == known.version) {
        return std::nullopt;
    }
    link::Enabling enabling;
    const std::uint32_t version = published.read(enabling);
    if (version == 0 || enabling.registration != known.number) {
        return std::nullopt;
    }
    Due due{.node = known.facts.node, .handle = known.facts.handle, .enabling = {}};
    MachineEnabling& to = due.enabling;
    to.version = links_ << 32U | version;
    const SessionRef machine{stand_in_.get(), static_cast<std::uint16_t>(known.facts.number)};
    to.view = together(enabling, machine, false);
    to.refusing = together(enabling, machine, true);
    if (enabling.count != 0 && known.facts.kind == ProviderKind::classic) {
        // One session, whose values the provider itself compares.
        const link::Enabler& one = enabling.enablers.front();
        EnableView& view = one.is_refusing() ? to.refusing : to.view;
        view.level = static_cast<std::uint8_t>(enabling.level);
        view.match_any = enabling.match_any;
        to.session = one.session <= link::max_machine_sessions ? one.session : std::uint16_t{0};
        to.refuses_classic = (one.property & link::refuses_classic) != 0;
        to.refuses_all = one.is_refusing();
    }
    to.region = link_->region().get();
    to.number = known.number;
    to.changes = enabling.changes - known.changes;
    to.captures = std::min(enabling.captures - known.captures, 8U);
    to.source = enabling.source;
    if (enabling.filter_size != 0 && enabling.filter_size <= enabling.filter.size()) {
        const auto bytes = std::span(enabling.filter).first(enabling.filter_size);
        to.filter = std::make_shared<const Filter>(
            Filter{enabling.filter_type, {bytes.begin(), bytes.end()}});
    }
    known.version = version;
    known.changes = enabling.changes;
    known.captures = enabling.captures;
    return due;
}

void Attachment::State::change(const std::vector<Due>& due) {
    for (const Due& one : due) {
        runtime_->registrations.change_machine(*one.node, one.handle, one.enabling);
    }
}

void Attachment::State::run_callbacks(const std::vector<Due>& due) {
    for (const Due& one : due) {
        runtime_->registrations.run_callbacks(*one.node, one.handle);
    }
}

std::vector<Attachment::State::Due> Attachment::State::apply() {
    std::vector<Due> all;
    const std::lock_guard applying(applying_);
    {
        const std::lock_guard lock(mutex_);
        for (auto& [slot, known] : known_) {
            if (link_ == nullptr) {
                break;
            }
            if (auto due = due_of(known)) {
                all.push_back(std::move(*due));
            }
        }
    }
    change(all);
    return all;
}

void Attachment::State::apply_all() {
    run_callbacks(apply());
}

void Attachment::State::run_all_callbacks() {
    std::vector<Due> all;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [slot, known] : known_) {
            all.push_back({.node = known.facts.node, .handle = known.facts.handle, .enabling = {}});
        }
    }
    run_callbacks(all);
}

void Attachment::State::added(const RegistrationFacts& facts) {
    std::shared_ptr<HostLink> link;
    std::uint32_t request = 0;
    {
        const std::lock_guard lock(mutex_);
        if (is_child_) {
            return;
        }
        Known& known = known_[facts.number] = Known{.facts = facts};
        link = link_;
        request = link == nullptr ? 0 : announce(known);
    }
    if (link != nullptr) {
        link->wait_until_handled(request, wait_);
    } else { // in the child of a fork, its thread announces it with the others
        child_wait_->wait();
    }
    apply_all();
    runtime_->registrations.run_callbacks(*facts.node, facts.handle); // another thread may be at it
}

void Attachment::State::traits_set(const RegistrationFacts& facts) {
    std::shared_ptr<HostLink> link;
    std::uint32_t request = 0;
    {
        const std::lock_guard lock(mutex_);
        const auto found = known_.find(facts.number);
        if (is_child_ || found == known_.end() || found->second.facts.handle != facts.handle) {
            return;
        }
        found->second.facts = facts;
        link = link_;
        if (link == nullptr) {
            return;
        }
        request =
            link->request(link::SetTraits{.registration = found->second.number,
                                          .traits = {facts.traits.begin(), facts.traits.end()}},
                          wait_);
    }
    link->wait_until_handled(request, wait_);
    apply_all();
    runtime_->registrations.run_callbacks(*facts.node, facts.handle); // another thread may be at it
}

void Attachment::State::removing(RegistrationNode& node, std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(known_, [&](const auto& one) {
        return one.second.facts.node == &node && one.second.facts.handle == handle;
    });
    if (is_child_ || found == known_.end()) {
        return;
    }
    if (link_ != nullptr) {
        link_->request(link::Unregister{found->second.number}, wait_);
    }
    known_.erase(found);
}

void Attachment::State::before_fork() noexcept {
    mutex_.lock();
}

void Attachment::State::in_parent() noexcept {
    mutex_.unlock();
}

/// Thread, region, and link are the parent's.
void Attachment::State::in_child() noexcept {
    is_linked_ = false;
    if (link_ != nullptr) {
        link_->region()->forget_in_child();
        link_ = nullptr;
    }
    ++links_;
    for (auto& [slot, known] : known_) {
        known.version = known.changes = known.captures = 0;
    }
    // A thread that is not here may hold the one; the other one is joinable for ever.
    std::construct_at(&applying_);
    std::construct_at(&thread_);
    child_wait_->begin(wait_);
    runtime_->registrations.await_machine(child_wait_.get());
    is_child_ = !with_children_ || !restart_in_child();
    if (is_child_) {
        runtime_->registrations.await_machine(nullptr);
        child_wait_->end();
    }
    mutex_.unlock();
}

/// Its thread waits for locks of the fork, then links as that of a new process.
bool Attachment::State::restart_in_child() {
    const auto page = host::open_wake_page(places_.back());
    auto poller = host::Poller::create();
    if (!page || !poller) {
        return false;
    }
    auto mapping = host::Mapping::of(*page, 0, host::wake_page_bytes, host::Sharing::read_only);
    if (!mapping) {
        return false;
    }
    wake_page_ = std::move(*mapping);
    poller_ = std::move(*poller);
    has_ended_ = is_stopping_ = false;
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
        return false;
    }
    return true;
}

Attachment::Attachment(Owned<State> state) noexcept : state_(std::move(state)) {}

Attachment::Attachment(Attachment&&) noexcept = default;
Attachment& Attachment::operator=(Attachment&&) noexcept = default;
Attachment::~Attachment() = default;

bool Attachment::is_linked() const noexcept {
    return state_ != nullptr && state_->is_linked();
}

std::optional<Failure> Attachment::refusal() const {
    return state_ == nullptr ? std::nullopt : state_->refusal();
}

Outcome<Attachment> attach(Runtime& runtime, const AttachOptions& options) {
    const std::vector<host::MeetingPlace> places =
        options.directory.empty() ? host::meeting_places()
                                  : std::vector{host::MeetingPlace{options.directory}};
    if (places.empty()) {
        return refuse(Status::not_supported, "no place for a host of machine sessions");
    }
    // The page of the user can be created here; that of the machine exists if it has a host.
    const host::MeetingPlace& own = places.back();
    if (auto prepared = host::prepare_place(own, host::is_place_of_machine(own)); !prepared) {
        return refuse(Status::access_denied, prepared.error().what, prepared.error().os_code);
    }
    const auto page = host::open_wake_page(own);
    if (!page) {
        return refuse(Status::access_denied, page.error().what, page.error().os_code);
    }
    auto mapping = host::Mapping::of(*page, 0, host::wake_page_bytes, host::Sharing::read_only);
    if (!mapping) {
        return refuse(Status::not_supported, mapping.error().what, mapping.error().os_code);
    }
    auto state =
        std::make_unique<Attachment::State>(runtime.state(), places, std::move(*mapping), options);
    state->begin();
    return Attachment(std::move(state));
}

} // namespace etl::session
