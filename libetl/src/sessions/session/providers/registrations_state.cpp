#include "session/providers/registrations_state.hpp"

#include <algorithm>

namespace etl::session {

namespace {

/// As long as Windows can say it, in 32 bits; clocks do not overflow by it.
constexpr std::chrono::milliseconds longest_timeout{0xFFFFFFFE};

} // namespace

Registrations::State::State(std::size_t most, TakeOverObserver watcher)
    : take_over_observer(std::move(watcher)), nodes(most) {
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
        if (owned_entries.size() == most_providers) {
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
    const auto deadline = std::chrono::steady_clock::now() + std::min(*timeout, longest_timeout);
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

} // namespace etl::session
