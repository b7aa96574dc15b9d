// Registrations: all providers of a runtime: entries by kind and GUID with eight slots each, the
// registrations that hang on them, groups, and who is told when something changes. Has its own
// lock; callbacks run outside of it. docs/session-internals.md#providers
#pragma once

#include <etl/session/enable.hpp>
#include <etl/session/registration.hpp>
#include <etl/session/runtime.hpp>

#include "session/session_core.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace etl::session {

/// What is parsed of the filters of one slot that writers must ask: event ids, event names,
/// payload, which events get stacks.
class EventFilters;

/// What one session wants of one provider. Written under the lock of Registrations, read by writers
/// without one: read() gives a whole one or none.
struct EnableView {
    SessionRef session;
    std::uint8_t level = 0;
    std::uint64_t match_any = 0; // 0 became all ones, but for classic providers
    std::uint64_t match_all = 0;
    std::uint32_t property = 0;
    const EventFilters* filters = nullptr; // null: none. Valid between FilterGuard's

    /// Level and keyword only. docs/sessions.md#matching
    bool matches(std::uint8_t event_level, std::uint64_t keyword) const noexcept;
};

class EnableSlot {
public:
    /// None when it is not enabled, or is being changed for the moment (then the change decides).
    bool read(EnableView& view) const noexcept;
    // The rest is the business of registrations.cpp.
    std::atomic<std::uint32_t> version{0}; // odd: being changed
    std::atomic<SessionCore*> core{nullptr};
    std::atomic<std::uint32_t> ticket_and_level{0};
    std::atomic<std::uint64_t> match_any{0}, match_all{0};
    std::atomic<std::uint32_t> property{0};
    std::atomic<const EventFilters*> filters{nullptr};
};

/// A provider (or a group of them) by its GUID. Memory of it lives as long as the runtime.
struct GuidEntry {
    Guid guid;
    std::array<EnableSlot, 8> slots;
    // Who is registered, last classic enable, groups' members ...: registrations.cpp
};

/// One registration. Memory of it lives as long as the runtime; a handle names it by number and
/// generation.
struct RegistrationNode {
    EnableState state;                            // first: Registration points here
    std::atomic<std::uint64_t> handle{0};         // 0: nobody's
    const GuidEntry* provider = nullptr;          // stays the same while registered
    std::atomic<const GuidEntry*> group{nullptr}; // joined by traits
    Bytes traits() const noexcept;                // PROV_TRAITS data, or empty
    // More: registrations.cpp
};

class Registrations {
public:
    Registrations();
    ~Registrations();

    /// The callback runs before this returns if the provider is enabled already. Errors:
    /// outofmemory.
    Outcome<RegistrationNode*> add(const Guid& provider, ProviderKind kind,
                                   EnableCallback callback);
    Outcome<void> set_traits(RegistrationNode& node, Bytes traits);
    /// Waits for a callback that runs, unless called from it.
    void remove(RegistrationNode& node);
    /// Null: stale or foreign.
    RegistrationNode* find(std::uint64_t handle) noexcept;

    /// EnableTraceEx2 behind its handle check. `is_group` by PROVIDER_GROUP of the property.
    /// Returns after the callbacks, or their timeout.
    Outcome<void> control(const SessionRef& session, const Guid& provider, Control control,
                          const Enable& how);
    Outcome<void> disallow(const SessionRef& session, const std::vector<Guid>& providers);
    /// The session ends: all its slots are cleared, callbacks run. Nobody finds the session in a
    /// slot any more when it returns.
    void forget(const SessionRef& session);

    std::vector<ProviderState> list() const;
    std::vector<SessionState::Provider> enabled_by(const SessionRef& session) const;

    /// True in a callback of this thread.
    static bool is_in_callback() noexcept;

    /// Around fork: nobody else is inside; all slots are cleared in the child.
    void before_fork();
    void after_fork();
    void forget_in_child() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// While it lives the filters of an EnableView stay.
class FilterGuard {
public:
    explicit FilterGuard(const RegistrationNode& node) noexcept;
    FilterGuard(const FilterGuard&) = delete;
    FilterGuard& operator=(const FilterGuard&) = delete;
    ~FilterGuard();

private:
    std::atomic<std::uint32_t>* count_ = nullptr;
};

} // namespace etl::session
