#include "session/attach/attachment_state.hpp"

#include "host/process.hpp"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace etl::session {

namespace {

constexpr std::uint64_t socket_tag = 1;

/// How long to wait on the page of the user before looking for a host of the machine.
constexpr std::int64_t look_again_ms = 5000;

/// How long the thread waits for the answer of a host, and between attempts when there was none.
constexpr std::chrono::seconds longest_answer{10};
constexpr std::chrono::milliseconds shortest_pause{100}, longest_pause{5000};

/// What all sessions together want that record the events of this process, or that refuse them: an
/// event that any of them accepts passes. No session: there is none.
EnableView together(const link::Enabling& enabling, const SessionRef& as, bool is_refusing) {
    EnableView view{.match_all = ~std::uint64_t{0}};
    bool accepts_keyword_0 = false;
    bool excludes_private = true;
    const auto count = std::min<std::size_t>(enabling.count, link::most_enablers);
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
    std::chrono::milliseconds pause = shortest_pause;
    while (!is_stopping_) {
        const std::uint32_t seen = wake_count().load(std::memory_order_acquire);
        const Linking linking = is_linked() ? Linking::done : link_up(longest_answer);
        if (linking == Linking::done) {
            serve();
            link_down();
            pause = shortest_pause;
            continue;
        }
        if (linking == Linking::no_host) {
            end_awaiting();
        }
        std::optional<std::int64_t> limit;
        if (linking == Linking::no_answer) { // it is busy, or has just ended
            limit = pause.count();
            pause = std::min(2 * pause, longest_pause);
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
        to.session = one.session <= link::most_machine_sessions ? one.session : std::uint16_t{0};
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

} // namespace etl::session
