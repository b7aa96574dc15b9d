#include "session/providers/guid_entry.hpp"

#include "base/function_ref.hpp"
#include "host/process.hpp"

#include <algorithm>
#include <utility>

namespace etl::session {

namespace {

constexpr std::uint8_t all_levels = 255;
constexpr std::uint64_t all_keywords = ~std::uint64_t{0};

/// What lets every event pass: classic providers compare by themselves.
constexpr EnableView everything{.level = all_levels, .match_any = all_keywords};

bool is_disallowed(const DisallowLists& lists, SessionCore* session, const Guid& provider) {
    const auto found = lists.find(session);
    return found != lists.end() &&
           std::ranges::find(found->second, provider) != found->second.end();
}

/// Whether a session reaches a registration.
bool reaches(const Enablement& enablement, const Node& node) {
    if (!enablement.is_used()) {
        return false;
    }
    if (enablement.only_user &&
        (node.process == nullptr || node.process->user_id != *enablement.only_user)) {
        return false;
    }
    return node.process == nullptr || enablement.process_filters.empty()
               ? enablement.admits_process || node.process != nullptr
               : admits_process(enablement.process_filters, *node.process);
}

/// Whether a session records nothing of a process that it reaches.
bool refuses(const Enablement& enablement, const Node& node) noexcept {
    return enablement.secure_owner && node.process != nullptr && node.process->user_id != 0 &&
           node.process->user_id != *enablement.secure_owner;
}

bool is_open(const Enablement& enablement, const Node& node) {
    return reaches(enablement, node) && !refuses(enablement, node);
}

} // namespace

EnableView Enablement::view() const noexcept {
    return {.session = session,
            .level = level == 0 ? all_levels : level,
            .match_any = match_any == 0 ? all_keywords : match_any,
            .match_all = match_all,
            .property = property,
            .filters = filters.get()};
}

Enablement* Entry::find(const SessionRef& session) noexcept {
    return const_cast<Enablement*>(std::as_const(*this).find(session)); // NOLINT: it is ours
}

const Enablement* Entry::find(const SessionRef& session) const noexcept {
    const auto found = std::ranges::find(enabled, session, &Enablement::session);
    return found == enabled.end() || !found->is_used() ? nullptr : &*found;
}

Enablement* Entry::find_free() noexcept {
    const auto found =
        std::ranges::find_if(enabled, [](const Enablement& one) { return !one.is_used(); });
    return found == enabled.end() ? nullptr : &*found;
}

const Enablement* Entry::newest(const Node& node) const {
    const Enablement* found = nullptr;
    const auto is_behind = [&](const Enablement& one) {
        return found == nullptr || std::pair(is_open(one, node), one.last) >
                                       std::pair(is_open(*found, node), found->last);
    };
    for (const Enablement& one : enabled) {
        found = reaches(one, node) && is_behind(one) ? &one : found;
    }
    return found;
}

std::vector<const Enablement*> Entry::takers_from(const Enablement& one) const {
    std::vector<const Enablement*> takers;
    for (const Node* node : members) {
        if (node->kind != ProviderKind::classic || !is_open(one, *node)) {
            continue;
        }
        const Enablement* const by = newest(*node);
        if (by != &one && std::ranges::find(takers, by) == takers.end()) {
            takers.push_back(by);
        }
    }
    return takers;
}

Enablement* Entry::find_taken_over(const std::optional<std::uint32_t>& only_user) {
    Enablement* found = nullptr;
    for (Enablement& one : enabled) {
        const bool has_any =
            std::ranges::any_of(members, [&](const Node* node) { return newest(*node) == &one; });
        const bool may_go = !only_user || one.only_user == only_user;
        if (!one.takers.empty() && !has_any && may_go &&
            (found == nullptr || one.last < found->last)) {
            found = &one;
        }
    }
    return found;
}

std::string Entry::name_for(const Enablement& one) const {
    for (const Node* node : members) {
        if (kind == EntryKind::provider && !node->name.empty() && reaches(one, *node)) {
            return node->name;
        }
    }
    return one.name;
}

void Entry::keep_name(const Node& node) {
    for (Enablement& one : enabled) {
        if (kind == EntryKind::provider && !node.name.empty() && reaches(one, node)) {
            one.name = node.name;
        }
    }
}

bool Entry::is_enabled() const noexcept {
    return std::ranges::any_of(enabled, &Enablement::is_used);
}

void Entry::show(const Enablement& which) noexcept {
    EnableView view = which.is_used() ? which.view() : EnableView{};
    if (is_classic && which.is_used()) {
        view = everything;
        view.session = which.session;
        view.property = which.property & ~enable_property::ignore_keyword_0;
    }
    slots[static_cast<std::size_t>(&which - enabled.data())].write(view);
}

void Entry::show() noexcept {
    for (const Enablement& one : enabled) {
        show(one);
    }
}

void Aggregate::add(const EnableView& view, std::uint32_t bit) noexcept {
    level = std::max(level, view.level);
    match_any |= view.match_any;
    match_all = (mask | refused) == 0 ? view.match_all : match_all & view.match_all;
    accepts_keyword_0 = accepts_keyword_0 || view.accepts_keyword_0();
    mask |= bit;
}

void Aggregate::refuse(const EnableView& view, std::uint32_t bit) noexcept {
    const std::uint32_t accepting = mask;
    add(view, bit);
    mask = accepting;
    refused |= bit;
}

namespace {

/// Calls `take` with every enablement that reaches a registration of a modern provider.
void for_each_reaching(const Node& node, const DisallowLists& disallowed,
                       FunctionRef<void(const Enablement&, std::uint32_t bit)> take) {
    for (std::uint32_t i = 0; i < slots_per_provider; ++i) {
        const Enablement& own = node.entry->enabled[i];
        if (reaches(own, node)) {
            take(own, 1U << i);
        }
        if (node.joined == nullptr) {
            continue;
        }
        const Enablement& of_group = node.joined->enabled[i];
        if (reaches(of_group, node) &&
            !is_disallowed(disallowed, of_group.session.core, node.entry->guid)) {
            take(of_group, 1U << (slots_per_provider + i));
        }
    }
}

/// As classic providers are told: the level and the lower 32 bits of the mask, unchanged.
EnableView classic_view(const Enablement& enablement) noexcept {
    EnableView view = everything;
    view.session = enablement.session;
    view.level = enablement.level;
    view.match_any = static_cast<std::uint32_t>(enablement.match_any);
    return view;
}

} // namespace

Aggregate aggregate_of(const Node& node, const DisallowLists& disallowed) {
    Aggregate result;
    const auto add = [&](const Enablement& one, const EnableView& view, std::uint32_t bit) {
        refuses(one, node) ? result.refuse(view, bit) : result.add(view, bit);
    };
    if (node.kind == ProviderKind::classic) {
        if (const Enablement* newest = node.entry->newest(node)) {
            const auto slot = static_cast<std::uint32_t>(newest - node.entry->enabled.data());
            add(*newest, classic_view(*newest), 1U << slot);
        }
    } else {
        for_each_reaching(node, disallowed, [&](const Enablement& one, std::uint32_t bit) {
            add(one, one.view(), bit);
        });
    }
    if (node.given_by_machine.session.core != nullptr) {
        result.add(node.given_by_machine, machine_bit);
    }
    if (node.refused_by_machine.session.core != nullptr) {
        result.add(node.refused_by_machine, refusing_bit);
    }
    return result;
}

Enablers enablers_of(const Node& node, const DisallowLists& disallowed) {
    Enablers result;
    const auto add = [&](const Enablement& one, const EnableView& view) {
        (refuses(one, node) ? result.refusing : result.recording).push_back(view);
    };
    if (node.kind == ProviderKind::classic) {
        if (const Enablement* newest = node.entry->newest(node)) {
            EnableView view = everything;
            view.session = newest->session;
            view.property = newest->property;
            add(*newest, view);
        }
        return result;
    }
    for_each_reaching(node, disallowed,
                      [&](const Enablement& one, std::uint32_t) { add(one, one.view()); });
    return result;
}

void publish(EnableState& to, const Node& node, const Aggregate& now) noexcept {
    if (now.mask == 0) {
        to.mask.store(0, std::memory_order_release);
    }
    // Each value alone lets pass what each session wants that it was made of, so any mixture of
    // these and the ones of before does for those who stay. The mask is last: who comes in finds
    // the rest.
    const bool compares = node.kind == ProviderKind::modern || now.mask == 0;
    to.level.store(compares ? now.level : everything.level, std::memory_order_release);
    to.match_any.store(compares ? now.match_any : everything.match_any, std::memory_order_release);
    to.match_all.store(compares ? now.match_all : everything.match_all, std::memory_order_release);
    to.accepts_keyword_0.store(now.accepts_keyword_0, std::memory_order_release);
    to.mask.store(now.mask, std::memory_order_release);
}

EnableNotification notice_of(const Aggregate& now) {
    return {.source = {},
            .is_enabled = (now.mask | now.refused) == 0 ? 0U : 1U,
            .level = now.level,
            .match_any = now.match_any,
            .match_all = now.match_all};
}

ProviderState state_of(const Entry& entry) {
    ProviderState state{.guid = entry.guid, .is_group = entry.kind == EntryKind::group};
    std::vector<const Enablement*> used;
    for (const Enablement& one : entry.enabled) {
        if (one.is_used()) {
            used.push_back(&one);
        }
    }
    std::ranges::sort(used, {}, &Enablement::since);
    const auto enabled_in = [&](const Node* node) {
        std::vector<ProviderState::Enablement> enabled;
        enabled.reserve(used.size());
        const bool is_classic = node != nullptr && node->kind == ProviderKind::classic;
        const Enablement* const newest = is_classic ? entry.newest(*node) : nullptr;
        for (const Enablement* one : used) {
            enabled.push_back(
                {.session_id = one->session.core->id,
                 .level = one->level,
                 .match_any = entry.is_classic ? one->match_any : one->view().match_any,
                 .match_all = one->match_all,
                 .property = one->property,
                 .order = one->last,
                 .is_taken_over = is_classic && one != newest && is_open(*one, *node)});
        }
        return enabled;
    };
    for (const Node* node : entry.members) {
        if (state.name.empty() && entry.kind == EntryKind::provider) {
            state.name = node->name;
        }
        state.instances.push_back(
            {node->kind, node->process != nullptr ? node->process->id : host::process_id(),
             enabled_in(node)});
    }
    state.is_registered = !state.instances.empty();
    if (!state.is_registered) {
        state.instances.push_back({ProviderKind::modern, 0, enabled_in(nullptr)});
    }
    return state;
}

} // namespace etl::session
