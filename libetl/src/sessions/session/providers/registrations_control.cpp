// What controllers do to providers: enable, disable, capture state, disallow, and the end of a
// session.
#include "session/providers/registrations_state.hpp"
#include "session/session_options.hpp"

namespace etl::session {

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
