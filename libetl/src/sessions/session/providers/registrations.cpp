#include "session/providers/registrations.hpp"

#include "link/region_writer.hpp"
#include "session/providers/link_wait.hpp"
#include "session/providers/provider_traits.hpp"
#include "session/providers/registrations_state.hpp"

#include <algorithm>

namespace etl::session {

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

Registrations::Registrations(std::size_t most, TakeOverObserver observer)
    : state_(std::make_unique<State>(most, std::move(observer))) {}

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
    if (session == 0 || session > link::most_machine_sessions) {
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

} // namespace etl::session
