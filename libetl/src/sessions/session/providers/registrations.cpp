#include "session/providers/registrations.hpp"

#include <etl/session.hpp>

#include "link/region_writer.hpp"
#include "session/providers/callbacks.hpp"
#include "session/providers/guid_entry.hpp"
#include "session/providers/link_wait.hpp"
#include "session/providers/provider_traits.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::session {

// Registrations::State: the tables, and what all calls have in common: a change is made under the
// lock, what follows from it afterwards without. docs/session-internals.md#providers

/// What is left to do when the lock is given back.
struct Change {
    std::vector<Callbacks::Posted> posted;
    std::vector<std::unique_ptr<const EventFilters>> replaced;
    std::vector<Node*> readers; // through which those may be looked at
    std::vector<TakeOver> take_overs;
};

struct Registrations::State {
    State(std::size_t max, TakeOverObserver watcher);

    // Under the lock.

    /// Null: too many.
    Node* take_node();
    Entry* find_entry(EntryKind kind, const Guid& guid);
    /// Null: too many.
    Entry* take_entry(EntryKind kind, const Guid& guid);
    void drop_if_unneeded(Entry* entry);

    /// Puts what is wanted now in the place of what was.
    void replace(Entry& entry, Enablement& place, Enablement with, Change& change);
    /// Has writers see what follows from the slots.
    Aggregate refresh(Node& node);
    /// The same for all, and tells those whose sessions under `bits` came, changed or went.
    void refresh(Entry& entry, std::uint32_t bits, const EnableNotification& as,
                 const Enablement* by, Change& change);
    /// Has writers of classic events see which machine sessions there are.
    void show_classic_routes() noexcept;
    void tell(Node& node, const EnableNotification& notice, std::shared_ptr<const Filter> filter,
              Change& change);
    /// Bits of EnableState::mask for a slot.
    static std::uint32_t bit_of(const Entry& entry, const Enablement& which) noexcept;
    bool has_ended(const SessionRef& session) const;

    /// What control() does; the session is in `how`.
    Outcome<void> change(Control control, EntryKind kind, const Guid& provider, Enablement how,
                         const EnableNotification& as, Change& change);
    Outcome<void> enable(const SessionRef& session, Entry& entry, Enablement how,
                         const EnableNotification& as, Change& change);
    void disable(const SessionRef& session, Entry& entry, const EnableNotification& as,
                 Change& change);
    /// After a change of sessions or registrations: which sessions of a classic provider have taken
    /// over registrations from which.
    static void note_take_overs(Entry& entry, Change& change);
    void capture_state(const SessionRef& session, const Entry& entry, const EnableNotification& as,
                       std::shared_ptr<const Filter> filter, Change& change);

    // Without it.

    void drain(Change& change);
    void report(const Change& change) const;
    /// Runs callbacks in this thread.
    void call(const Change& change, Callbacks::Waiting waiting);
    /// Empty timeout: for ever. Errors: timeout.
    Outcome<void> call_within(const Change& change,
                              const std::optional<std::chrono::milliseconds>& timeout);

    void lock_all();
    void unlock_all();

    mutable std::mutex mutex;
    const TakeOverObserver take_over_observer;
    std::mutex draining; // one controller drains at a time; taken without the other, or before it
    Callbacks callbacks;
    bool is_forking = false;

    std::vector<std::atomic<Node*>> nodes; // by number, never taken back
    std::vector<std::unique_ptr<Node>> owned_nodes;
    std::vector<Node*> free_nodes;
    std::uint16_t salt = 0; // tells handles of this from those of other runtimes

    std::map<std::pair<Guid, EntryKind>, Entry*> entries;
    std::vector<std::unique_ptr<Entry>> owned_entries;
    std::vector<Entry*> free_entries;

    KeptTraits traits{max_traits_bytes};

    DisallowLists disallowed;
    std::unordered_map<const SessionCore*, std::uint16_t> ended; // its last ticket that has ended
    std::uint64_t enables = 0;                                   // so far

    // Machine sessions that enabled a classic registration, by number - 1; and the way to them.
    std::atomic<std::uint64_t> classic_sessions{0}, refusing_sessions{0}, closed_sessions{0};
    std::atomic<link::RegionWriter*> classic_region{nullptr};

    // In the child of a fork, until its link is there; sessions of the parent.
    std::atomic<const LinkWait*> awaited{nullptr};
    std::atomic<std::uint64_t> awaited_classic{0};

    std::atomic<RegistrationObserver*> observer{nullptr};
    std::vector<std::shared_ptr<void>> kept;
};

namespace {

/// As long as Windows can say it, in 32 bits; clocks do not overflow by it.
constexpr std::chrono::milliseconds max_timeout{0xFFFFFFFE};

} // namespace

Registrations::State::State(std::size_t max, TakeOverObserver watcher)
    : take_over_observer(std::move(watcher)), nodes(max) {
    // Runtimes that live at the same time lie at different places.
    const auto place = reinterpret_cast<std::uintptr_t>(this); // NOLINT: a number is what is wanted
    salt = static_cast<std::uint16_t>((place * 0x9E3779B97F4A7C15ULL) >> 48U);
}

Node* Registrations::State::take_node() {
    Node* node = nullptr;
    if (!free_nodes.empty()) {
        node = free_nodes.back();
        free_nodes.pop_back();
    } else if (owned_nodes.size() < nodes.size()) {
        node = owned_nodes.emplace_back(std::make_unique<Node>()).get();
        node->number = static_cast<std::uint32_t>(owned_nodes.size());
        nodes[node->number - 1].store(node, std::memory_order_release);
    } else {
        return nullptr;
    }
    ++node->generation;
    return node;
}

Entry* Registrations::State::find_entry(EntryKind kind, const Guid& guid) {
    const auto found = entries.find({guid, kind});
    return found == entries.end() ? nullptr : found->second;
}

Entry* Registrations::State::take_entry(EntryKind kind, const Guid& guid) {
    if (Entry* known = find_entry(kind, guid)) {
        return known;
    }
    if (free_entries.empty()) {
        if (owned_entries.size() == max_providers) {
            return nullptr;
        }
        free_entries.push_back(owned_entries.emplace_back(std::make_unique<Entry>()).get());
    }
    Entry* entry = free_entries.back();
    entry->guid = guid;
    entry->kind = kind;
    entry->is_classic = false;
    entries.emplace(std::pair(guid, kind), entry);
    free_entries.pop_back();
    return entry;
}

void Registrations::State::drop_if_unneeded(Entry* entry) {
    if (!entry->is_needed()) {
        entries.erase({entry->guid, entry->kind});
        free_entries.push_back(entry);
    }
}

std::uint32_t Registrations::State::bit_of(const Entry& entry, const Enablement& which) noexcept {
    const auto slot = static_cast<std::uint32_t>(&which - entry.enabled.data());
    return 1U << (entry.kind == EntryKind::group ? slots_per_provider + slot : slot);
}

void Registrations::State::replace(Entry& entry, Enablement& place, Enablement with,
                                   Change& change) {
    if (place.filters != nullptr) {
        change.replaced.push_back(std::move(place.filters));
        change.readers.insert(change.readers.end(), entry.members.begin(), entry.members.end());
    }
    place = std::move(with);
    entry.show(place);
}

Aggregate Registrations::State::refresh(Node& node) {
    const Aggregate now = aggregate_of(node, disallowed);
    publish(node.state, node, now);
    node.refused = now.refused;
    return now;
}

void Registrations::State::refresh(Entry& entry, std::uint32_t bits, const EnableNotification& as,
                                   const Enablement* by, Change& change) {
    for (Node* node : entry.members) {
        const std::uint32_t before =
            node->state.mask.load(std::memory_order_relaxed) | node->refused;
        const Aggregate now = refresh(*node);
        if (((before | now.mask | now.refused) & bits) == 0) {
            continue;
        }
        EnableNotification notice = notice_of(now);
        notice.source = as.source;
        notice.session_bit = as.session_bit;
        tell(*node, notice, by == nullptr ? nullptr : by->callback_filter, change);
    }
}

void Registrations::State::show_classic_routes() noexcept {
    std::uint64_t sessions = 0;
    std::uint64_t refusing = 0;
    std::uint64_t closed = 0;
    for (const auto& node : owned_nodes) {
        if (node->machine_session != 0) {
            const std::uint64_t bit = std::uint64_t{1} << (node->machine_session - 1U);
            sessions |= bit;
            refusing |= node->refuses_classic ? bit : 0U;
            closed |= node->refuses_all ? bit : 0U;
            classic_region.store(node->machine.load(std::memory_order_acquire),
                                 std::memory_order_release);
        }
    }
    refusing_sessions.store(refusing, std::memory_order_relaxed);
    closed_sessions.store(closed, std::memory_order_relaxed);
    classic_sessions.store(sessions, std::memory_order_release);
}

void Registrations::State::tell(Node& node, const EnableNotification& notice,
                                std::shared_ptr<const Filter> filter, Change& change) {
    if (node.line != nullptr) {
        change.posted.push_back(callbacks.post(node.line, {notice, std::move(filter)}));
    }
}

bool Registrations::State::has_ended(const SessionRef& session) const {
    const auto found = ended.find(session.core);
    return found != ended.end() && found->second == session.ticket;
}

void Registrations::State::drain(Change& change) {
    if (change.replaced.empty()) {
        return;
    }
    const std::scoped_lock lock(draining);
    for (Node* node : change.readers) {
        node->filter_readers.drain();
    }
    change.replaced.clear();
}

void Registrations::State::note_take_overs(Entry& entry, Change& change) {
    for (Enablement& one : entry.enabled) {
        std::vector<SessionRef> takers;
        for (const Enablement* by : entry.takers_from(one)) {
            takers.push_back(by->session);
            if (std::ranges::find(one.takers, by->session) == one.takers.end()) {
                change.take_overs.push_back({.session = one.session,
                                             .by = by->session,
                                             .provider = entry.guid,
                                             .is_for_one_user = by->only_user.has_value()});
            }
        }
        if (takers.empty() && !one.takers.empty()) {
            change.take_overs.push_back({.session = one.session,
                                         .by = one.takers.front(),
                                         .provider = entry.guid,
                                         .has_returned = true});
        }
        one.takers = std::move(takers);
    }
}

void Registrations::State::report(const Change& change) const {
    for (const TakeOver& one : change.take_overs) {
        if (take_over_observer) {
            take_over_observer(one);
        }
    }
}

void Registrations::State::call(const Change& change, Callbacks::Waiting waiting) {
    for (const auto& posted : change.posted) {
        callbacks.run(posted, waiting);
    }
}

Outcome<void>
Registrations::State::call_within(const Change& change,
                                  const std::optional<std::chrono::milliseconds>& timeout) {
    if (!timeout) {
        call(change, Callbacks::Waiting::for_others);
        return {};
    }
    for (const auto& posted : change.posted) {
        callbacks.run_elsewhere(posted);
    }
    if (*timeout <= std::chrono::milliseconds(0)) {
        return {};
    }
    const auto deadline = std::chrono::steady_clock::now() + std::min(*timeout, max_timeout);
    for (const auto& posted : change.posted) {
        if (!callbacks.wait(posted, deadline)) {
            return refuse(Status::timeout, "callbacks of the provider are running");
        }
    }
    return {};
}

void Registrations::State::lock_all() {
    draining.lock();
    mutex.lock();
    callbacks.before_fork();
}

void Registrations::State::unlock_all() {
    callbacks.after_fork();
    mutex.unlock();
    draining.unlock();
}

namespace {

std::uint64_t handle_of(const Node& node, std::uint16_t salt) noexcept {
    return static_cast<std::uint64_t>(node.generation) << 32U |
           static_cast<std::uint64_t>(salt) << 16U | node.number;
}

RegistrationFacts facts_of(Node& node) {
    return {.node = &node,
            .handle = node.handle.load(std::memory_order_acquire),
            .number = node.number - 1,
            .kind = node.kind,
            .provider = node.entry->guid,
            .traits = node.traits()};
}

bool are_classic(const std::vector<Node*>& members) {
    return std::ranges::all_of(
        members, [](const Node* node) { return node->kind == ProviderKind::classic; });
}

} // namespace

Registrations::Registrations(std::size_t max, TakeOverObserver observer)
    : state_(std::make_unique<State>(max, std::move(observer))) {}

Registrations::~Registrations() = default;

Outcome<RegistrationNode*> Registrations::add(const Guid& provider, ProviderKind kind,
                                              EnableCallback callback,
                                              std::shared_ptr<const ProcessIdentity> process) {
    auto line = callback ? Callbacks::make_line(std::move(callback)) : nullptr;
    Change change;
    Node* node = nullptr;
    {
        const std::scoped_lock lock(state_->mutex);
        Entry* entry = state_->take_entry(EntryKind::provider, provider);
        node = entry == nullptr ? nullptr : state_->take_node();
        if (node == nullptr) {
            if (entry != nullptr) {
                state_->drop_if_unneeded(entry);
            }
            return refuse(Status::outofmemory, "too many registrations");
        }
        node->kind = kind;
        node->process = std::move(process);
        node->machine_version = 0;
        node->provider.store(entry, std::memory_order_release);
        node->entry = entry;
        node->line = std::move(line);
        entry->members.push_back(node);
        if (const bool is_classic = are_classic(entry->members); is_classic != entry->is_classic) {
            entry->is_classic = is_classic;
            entry->show();
        }
        node->handle.store(handle_of(*node, state_->salt), std::memory_order_release);
        if (const Aggregate now = state_->refresh(*node); (now.mask | now.refused) != 0) {
            state_->tell(*node, notice_of(now), nullptr, change);
        }
        State::note_take_overs(*entry, change);
    }
    state_->report(change);
    state_->call(change, Callbacks::Waiting::for_others);
    if (RegistrationObserver* observer = state_->observer.load()) {
        observer->added(facts_of(*node));
    }
    return node;
}

Outcome<void> Registrations::set_traits(RegistrationNode& registration, Bytes traits) {
    auto& node = static_cast<Node&>(registration);
    if (node.kind == ProviderKind::classic) {
        return refuse(Status::invalid_parameter, "classic providers have no traits");
    }
    const auto checked = check_traits(traits);
    Change change;
    {
        const std::scoped_lock lock(state_->mutex);
        if (node.handle.load(std::memory_order_relaxed) == 0) {
            return refuse(Status::invalid_handle, "the registration is being removed");
        }
        if (node.known_traits.load(std::memory_order_relaxed) != nullptr) {
            return refuse(Status::gen_failure, "the registration has traits");
        }
        if (!checked) {
            return refuse(Status::file_corrupt, "inconsistent sizes in the traits");
        }
        const auto* kept = state_->traits.keep(traits);
        if (kept == nullptr) {
            return refuse(Status::outofmemory, "too many different traits");
        }
        Entry* group =
            checked->group ? state_->take_entry(EntryKind::group, *checked->group) : nullptr;
        if (checked->group && group == nullptr) {
            return refuse(Status::outofmemory, "too many groups");
        }
        node.name = checked->name;
        node.entry->keep_name(node);
        node.known_traits.store(kept, std::memory_order_release);
        if (group != nullptr) {
            group->members.push_back(&node);
            node.joined = group;
            node.group.store(group, std::memory_order_release);
            const std::uint32_t before = node.state.mask.load(std::memory_order_relaxed);
            const std::uint32_t refused = node.refused;
            if (const Aggregate now = state_->refresh(node);
                now.mask != before || now.refused != refused) {
                state_->tell(node, notice_of(now), nullptr, change);
            }
        }
    }
    state_->call(change, Callbacks::Waiting::for_others);
    if (RegistrationObserver* observer = state_->observer.load()) {
        observer->traits_set(facts_of(node));
    }
    return {};
}

void Registrations::remove(RegistrationNode& registration) {
    auto& node = static_cast<Node&>(registration);
    if (RegistrationObserver* observer = state_->observer.load()) {
        observer->removing(node, node.handle.load());
    }
    std::shared_ptr<Callbacks::Line> line;
    Change change;
    {
        const std::scoped_lock lock(state_->draining, state_->mutex);
        if (node.handle.load(std::memory_order_relaxed) == 0) {
            return; // two at a time by one handle: a mistake, but no harm
        }
        node.given_by_machine = {};
        node.refused_by_machine = {};
        node.refused = 0;
        if (std::exchange(node.machine_session, std::uint16_t{0}) != 0) {
            state_->show_classic_routes();
        }
        publish(node.state, node, {});
        node.machine_slot.write({});
        node.refusing_slot.write({});
        node.awaited.store(nullptr, std::memory_order_release);
        node.lost_unlinked.store(0, std::memory_order_relaxed);
        node.handle.store(0, std::memory_order_release);
        // Controllers who replace filters from now on do not look for readers here.
        node.filter_readers.drain();
        node.known_traits.store(nullptr, std::memory_order_release);
        node.name.clear();
        line = std::move(node.line);
        Entry* const group = node.joined;
        node.joined = nullptr;
        node.group.store(nullptr, std::memory_order_release);
        if (group != nullptr) {
            std::erase(group->members, &node);
            state_->drop_if_unneeded(group);
        }
        std::erase(node.entry->members, &node);
        if (!node.entry->members.empty() &&
            are_classic(node.entry->members) != node.entry->is_classic) {
            node.entry->is_classic = !node.entry->is_classic;
            node.entry->show();
        }
        State::note_take_overs(*node.entry, change);
        state_->drop_if_unneeded(node.entry);
        state_->free_nodes.push_back(&node);
    }
    state_->report(change);
    if (line != nullptr) {
        state_->callbacks.close(line);
    }
}

RegistrationNode* Registrations::find(std::uint64_t handle) noexcept {
    const auto number = static_cast<std::uint16_t>(handle);
    if (number == 0 || number > state_->nodes.size()) {
        return nullptr;
    }
    Node* node = state_->nodes[number - 1U].load(std::memory_order_acquire);
    const bool is_it = node != nullptr && node->handle.load(std::memory_order_acquire) == handle;
    return is_it ? node : nullptr;
}

Enablers Registrations::enablers(const RegistrationNode& node) const {
    const std::scoped_lock lock(state_->mutex);
    return node.handle.load(std::memory_order_relaxed) == 0
               ? Enablers{}
               : enablers_of(static_cast<const Node&>(node), state_->disallowed);
}

ClassicRoute Registrations::classic_route(std::uint16_t session) const noexcept {
    if (session == 0 || session > link::max_machine_sessions) {
        return {};
    }
    const std::uint64_t bit = std::uint64_t{1} << (session - 1U);
    const auto is_there = [&] {
        return (state_->classic_sessions.load(std::memory_order_acquire) & bit) != 0;
    };
    if (!is_there()) {
        const LinkWait* const wait = state_->awaited.load(std::memory_order_acquire);
        if (wait == nullptr || (state_->awaited_classic.load() & bit) == 0 || !wait->wait() ||
            !is_there()) {
            return {};
        }
    }
    return {.region = state_->classic_region.load(std::memory_order_acquire),
            .refuses_classic =
                (state_->refusing_sessions.load(std::memory_order_relaxed) & bit) != 0,
            .refuses_all = (state_->closed_sessions.load(std::memory_order_relaxed) & bit) != 0};
}

void Registrations::await_machine(const LinkWait* wait) noexcept {
    state_->awaited.store(wait, std::memory_order_release);
}

void Registrations::end_awaiting() {
    const std::scoped_lock lock(state_->mutex);
    for (const auto& node : state_->owned_nodes) {
        if (node->awaited.exchange(nullptr) == nullptr || node->handle.load() == 0) {
            continue;
        }
        const std::uint32_t lost = node->lost_unlinked.exchange(0);
        link::RegionWriter* const region = node->machine.load();
        if (region != nullptr && node->given_by_machine.session.core != nullptr) {
            region->count_lost_unlinked(node->given_by_machine.session.ticket, lost);
        } else { // no session wants it any more
            node->given_by_machine = {};
            node->machine_slot.write({});
            state_->refresh(*node);
        }
    }
    state_->awaited_classic = 0;
    state_->awaited = nullptr;
}

std::uint16_t Registrations::machine_session_of(const Guid& provider) const {
    const std::scoped_lock lock(state_->mutex);
    const Entry* const entry = state_->find_entry(EntryKind::provider, provider);
    std::uint16_t session = 0;
    for (const Node* node : entry == nullptr ? std::vector<Node*>() : entry->members) {
        session = node->machine_session != 0 ? node->machine_session : session;
    }
    return session;
}

void Registrations::observe(RegistrationObserver* observer) {
    state_->observer.store(observer);
}

void Registrations::keep(std::shared_ptr<void> held) {
    const std::scoped_lock lock(state_->mutex);
    state_->kept.push_back(std::move(held));
}

std::vector<RegistrationFacts> Registrations::registered() const {
    const std::scoped_lock lock(state_->mutex);
    std::vector<RegistrationFacts> result;
    for (const auto& node : state_->owned_nodes) {
        if (node->handle.load(std::memory_order_relaxed) != 0 && node->process == nullptr) {
            result.push_back(facts_of(*node));
        }
    }
    return result;
}

std::vector<ProviderState> Registrations::list() const {
    const std::scoped_lock lock(state_->mutex);
    std::vector<ProviderState> result;
    result.reserve(state_->entries.size());
    for (const auto& [key, entry] : state_->entries) {
        result.push_back(state_of(*entry));
    }
    return result;
}

std::vector<SessionState::Provider> Registrations::enabled_by(const SessionRef& session) const {
    const std::scoped_lock lock(state_->mutex);
    std::map<std::uint64_t, SessionState::Provider> by_time;
    for (const auto& [key, entry] : state_->entries) {
        if (const Enablement* one = entry->find(session)) {
            SessionState::Provider& to = by_time[one->since];
            to = {.guid = entry->guid,
                  .is_group = entry->kind == EntryKind::group,
                  .level = one->level,
                  .match_any = entry->is_classic ? one->match_any : one->view().match_any,
                  .match_all = one->match_all,
                  .property = one->property,
                  .name = entry->name_for(*one)};
            std::ranges::transform(one->takers, std::back_inserter(to.taken_over_by),
                                   [](const SessionRef& by) { return by.core->id; });
        }
    }
    std::vector<SessionState::Provider> result;
    result.reserve(by_time.size());
    for (const auto& [when, provider] : by_time) {
        result.push_back(provider);
    }
    return result;
}

bool Registrations::is_in_callback() noexcept {
    return Callbacks::is_inside();
}

void Registrations::before_fork() {
    state_->lock_all();
    state_->is_forking = true;
}

void Registrations::after_fork() {
    if (std::exchange(state_->is_forking, false)) {
        state_->unlock_all();
    }
}

void Registrations::forget_in_child() noexcept {
    if (!state_->is_forking) {
        before_fork();
    }
    state_->disallowed.clear();
    for (const auto& entry : state_->owned_entries) {
        entry->enabled = {};
        entry->show();
    }
    std::erase_if(state_->entries, [this](const auto& known) {
        if (known.second->is_needed()) {
            return false;
        }
        state_->free_entries.push_back(known.second);
        return true;
    });
    const LinkWait* const awaited = state_->awaited.load();
    state_->awaited_classic = awaited != nullptr ? state_->classic_sessions.load() : 0;
    for (const auto& node : state_->owned_nodes) {
        const bool is_awaited =
            awaited != nullptr && node->given_by_machine.session.core != nullptr;
        node->machine.store(nullptr);
        node->awaited.store(is_awaited ? awaited : nullptr);
        node->refused_by_machine = {};
        node->refused = 0;
        node->machine_session = 0;
        node->refusing_slot.write({});
        if (!is_awaited) {
            node->given_by_machine = {};
            node->machine_slot.write({});
        }
        publish(node->state, *node,
                is_awaited ? aggregate_of(*node, state_->disallowed) : Aggregate{});
        node->filter_readers.forget();
        if (node->line != nullptr) {
            Callbacks::forget(*node->line);
        }
    }
    state_->show_classic_routes();
    state_->is_forking = false;
    state_->callbacks.forget_in_child();
    state_->mutex.unlock();
    state_->draining.unlock();
}

// What controllers do to providers: enable, disable, capture state, disallow, and the end of a
// session.

namespace {

constexpr const char* inside_callback = "called in a provider callback";

std::shared_ptr<const Filter> copy_of(const Filter* filter) {
    return filter == nullptr ? nullptr : std::make_shared<const Filter>(*filter);
}

/// Filters parsed, scope decided.
Outcome<Enablement> parse(const SessionRef& session, const EnableOptions& how, EntryKind kind) {
    auto filters =
        EventFilters::parse(how.filters, kind == EntryKind::group ? Reach::group : Reach::provider);
    if (!filters) {
        return std::unexpected(filters.error());
    }
    Enablement result;
    result.session = session;
    result.level = how.level;
    result.match_any = how.match_any;
    result.match_all = how.match_all;
    result.property = how.property;
    result.only_user = how.only_user;
    if ((session.core->mode.load(std::memory_order_relaxed) & mode::secure) != 0) {
        result.secure_owner = session.core->owner.load(std::memory_order_relaxed);
    }
    result.process_filters = process_filters(how.filters);
    result.admits_process =
        result.process_filters.empty() || admits_process(result.process_filters, this_process());
    result.filters = std::move(*filters);
    result.callback_filter = copy_of(callback_filter(how.filters));
    return result;
}

Outcome<void> check(const SessionRef& session, Control control, EntryKind kind) {
    if (session.core == nullptr) {
        return refuse(Status::invalid_parameter, "no session");
    }
    if (control > Control::capture_state) {
        return refuse(Status::invalid_parameter, "unknown control code");
    }
    if (kind == EntryKind::group &&
        (session.core->mode.load(std::memory_order_relaxed) & mode::private_logger) != 0) {
        return refuse(Status::invalid_parameter,
                      "provider groups are unsupported for private sessions");
    }
    return {};
}

} // namespace

Outcome<void> Registrations::State::enable(const SessionRef& session, Entry& entry, Enablement how,
                                           const EnableNotification& as, Change& change) {
    Enablement* place = entry.find(session);
    if (place != nullptr && entry.is_classic && entry.members.empty()) {
        return refuse(Status::invalid_function, "the classic provider is not registered");
    }
    place = place == nullptr ? entry.find_free() : place;
    if (place == nullptr && entry.is_classic && !entry.members.empty()) {
        // On Windows, only the last session has a place.
        place = entry.find_taken_over(how.only_user);
        if (place != nullptr) {
            replace(entry, *place, {}, change);
        }
    }
    if (place == nullptr) {
        return refuse(Status::no_system_resources, "too many sessions of the provider (at most 8)");
    }
    how.last = ++enables;
    how.since = place->is_used() ? place->since : how.last;
    how.takers = std::move(place->takers);
    how.name = entry.name_for(how);
    if (how.name.empty()) {
        how.name = std::move(place->name);
    }
    replace(entry, *place, std::move(how), change);
    refresh(entry, bit_of(entry, *place), as, place, change);
    note_take_overs(entry, change);
    return {};
}

void Registrations::State::disable(const SessionRef& session, Entry& entry,
                                   const EnableNotification& as, Change& change) {
    Enablement* place = entry.find(session);
    if (place == nullptr) {
        return;
    }
    replace(entry, *place, {}, change);
    refresh(entry, bit_of(entry, *place), as, nullptr, change);
    note_take_overs(entry, change);
    drop_if_unneeded(&entry);
}

void Registrations::State::capture_state(const SessionRef& session, const Entry& entry,
                                         const EnableNotification& as,
                                         std::shared_ptr<const Filter> filter, Change& change) {
    const Enablement* place = entry.find(session);
    if (place == nullptr) {
        return;
    }
    for (Node* node : entry.members) {
        const Aggregate now = aggregate_of(*node, disallowed);
        if (node->kind == ProviderKind::classic || (now.mask & bit_of(entry, *place)) == 0) {
            continue;
        }
        EnableNotification notice = notice_of(now);
        notice.is_enabled = static_cast<std::uint32_t>(Control::capture_state);
        notice.source = as.source;
        notice.session_bit = as.session_bit;
        tell(*node, notice, filter == nullptr ? place->callback_filter : filter, change);
    }
}

Outcome<void> Registrations::State::change(Control control, EntryKind kind, const Guid& provider,
                                           Enablement how, const EnableNotification& as,
                                           Change& change) {
    const SessionRef session = how.session;
    if (has_ended(session)) {
        return refuse(Status::wmi_instance_not_found, "the session has ended");
    }
    if (control == Control::enable) {
        Entry* entry = take_entry(kind, provider);
        return entry == nullptr ? refuse(Status::outofmemory, "too many providers")
                                : enable(session, *entry, std::move(how), as, change);
    }
    Entry* entry = find_entry(kind, provider);
    if (entry == nullptr) {
        return {};
    }
    if (control == Control::disable) {
        disable(session, *entry, as, change);
    } else {
        capture_state(session, *entry, as, std::move(how.callback_filter), change);
    }
    return {};
}

Outcome<void> Registrations::control(const SessionRef& session, const Guid& provider,
                                     Control control, const EnableOptions& how) {
    if (is_in_callback()) {
        return refuse(Status::possible_deadlock, inside_callback);
    }
    const EntryKind kind = (how.property & enable_property::provider_group) != 0
                               ? EntryKind::group
                               : EntryKind::provider;
    if (auto checked = check(session, control, kind); !checked) {
        return checked;
    }
    auto wanted = parse(session, control == Control::disable ? EnableOptions{} : how, kind);
    if (!wanted) {
        return std::unexpected(wanted.error());
    }
    const EnableNotification as{.source = how.source, .session_bit = session.core->bit};
    Change change;
    {
        const std::scoped_lock lock(state_->mutex);
        if (auto done = state_->change(control, kind, provider, std::move(*wanted), as, change);
            !done) {
            return done;
        }
    }
    state_->drain(change);
    state_->report(change);
    return state_->call_within(change, how.timeout);
}

Outcome<void> Registrations::disallow(const SessionRef& session,
                                      const std::vector<Guid>& providers) {
    if (is_in_callback()) {
        return refuse(Status::possible_deadlock, inside_callback);
    }
    if (session.core == nullptr) {
        return refuse(Status::invalid_parameter, "no session");
    }
    Change change;
    {
        const std::scoped_lock lock(state_->mutex);
        if (state_->has_ended(session)) {
            return refuse(Status::wmi_instance_not_found, "the session has ended");
        }
        state_->disallowed[session.core] = providers;
        for (const auto& [key, entry] : state_->entries) {
            const Enablement* place = entry->find(session);
            if (entry->kind != EntryKind::group || place == nullptr) {
                continue;
            }
            const std::uint32_t bit = State::bit_of(*entry, *place);
            for (Node* node : entry->members) {
                const std::uint32_t before =
                    node->state.mask.load(std::memory_order_relaxed) | node->refused;
                const Aggregate now = state_->refresh(*node);
                if (((before ^ (now.mask | now.refused)) & bit) != 0) {
                    state_->tell(*node, notice_of(now), nullptr, change);
                }
            }
        }
    }
    state_->call(change, Callbacks::Waiting::for_nobody);
    return {};
}

std::vector<Guid> Registrations::disallowed(const SessionRef& session) const {
    const std::scoped_lock lock(state_->mutex);
    const auto found = state_->disallowed.find(session.core);
    return found == state_->disallowed.end() ? std::vector<Guid>{} : found->second;
}

void Registrations::change_machine(RegistrationNode& registration, std::uint64_t handle,
                                   const MachineEnabling& to) {
    auto& node = static_cast<Node&>(registration);
    Change change;
    const std::scoped_lock lock(state_->mutex);
    if (node.handle.load(std::memory_order_relaxed) != handle ||
        to.version < node.machine_version) {
        return; // it has been removed meanwhile, or another thread was faster
    }
    node.machine_version = to.version;
    node.machine.store(to.region, std::memory_order_release);
    node.machine_number.store(to.number, std::memory_order_release);
    node.machine_slot.write(to.view);
    node.given_by_machine = to.view;
    node.refusing_slot.write(to.refusing);
    node.refused_by_machine = to.refusing;
    if (node.kind == ProviderKind::classic) {
        node.machine_session = to.session;
        node.refuses_classic = to.refuses_classic;
        node.refuses_all = to.refuses_all;
        state_->show_classic_routes();
    }
    const Aggregate now = state_->refresh(node);
    EnableNotification notice = notice_of(now);
    notice.source = to.source;
    if (to.changes != 0) {
        state_->tell(node, notice, to.filter, change);
    }
    notice.is_enabled = static_cast<std::uint32_t>(Control::capture_state);
    for (std::uint32_t i = 0; i < to.captures && now.mask != 0; ++i) {
        state_->tell(node, notice, to.filter, change);
    }
}

void Registrations::run_callbacks(RegistrationNode& registration, std::uint64_t handle) {
    auto& node = static_cast<Node&>(registration);
    std::shared_ptr<Callbacks::Line> line;
    {
        const std::scoped_lock lock(state_->mutex);
        if (node.handle.load(std::memory_order_relaxed) == handle) {
            line = node.line;
        }
    }
    if (line != nullptr) {
        state_->callbacks.run(state_->callbacks.latest(line), Callbacks::Waiting::for_others);
    }
}

void Registrations::forget(const SessionRef& session) {
    Change change;
    {
        const std::scoped_lock lock(state_->mutex);
        state_->ended[session.core] = session.ticket;
        state_->disallowed.erase(session.core);
        std::vector<Entry*> enabled;
        for (const auto& [key, entry] : state_->entries) {
            if (entry->find(session) != nullptr) {
                enabled.push_back(entry);
            }
        }
        for (Entry* entry : enabled) {
            state_->disable(session, *entry, {.session_bit = session.core->bit}, change);
        }
    }
    state_->drain(change);
    state_->report(change);
    state_->call(change, Callbacks::Waiting::for_nobody);
}

} // namespace etl::session
