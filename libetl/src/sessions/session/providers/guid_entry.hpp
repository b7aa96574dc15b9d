// What Registrations knows of a provider and of a registration beyond what writers see of them, and
// what follows from it: which sessions a registration is open to, and what it is told. Under the
// lock of Registrations. docs/session-internals.md#providers
#pragma once

#include "session/providers/callbacks.hpp"
#include "session/providers/event_filters.hpp"
#include "session/providers/registrations.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace etl::session {

struct Entry;

/// Providers that a session does not want by their groups.
using DisallowLists = std::unordered_map<SessionCore*, std::vector<Guid>>;

struct Node : RegistrationNode {
    std::uint32_t number = 0;     // in the handle
    std::uint32_t generation = 0; // how often it was registered
    ProviderKind kind = ProviderKind::modern;
    Entry* entry = nullptr;
    Entry* joined = nullptr;                        // group
    std::string name;                               // from traits
    std::shared_ptr<const ProcessIdentity> process; // null: this one
    std::uint64_t machine_version = 0;              // of what machine sessions want
    EnableView given_by_machine;                    // machine_slot, for the aggregate
    EnableView refused_by_machine;                  // refusing_slot, likewise
    std::uint32_t refused = 0;                      // slots of sessions that refuse its events
    std::uint16_t machine_session = 0;              // of a classic registration
    bool refuses_classic = false;                   // that session
    bool refuses_all = false;                       // likewise, also messages
    std::shared_ptr<Callbacks::Line> line;          // null: no callback
};

/// TRACE_ENABLE_INFO as it was asked for.
struct Enablement {
    SessionRef session; // no core: not enabled
    std::uint8_t level = 0;
    std::uint64_t match_any = 0, match_all = 0;
    std::uint32_t property = 0;
    bool admits_process = true;                // this one
    std::vector<Filter> process_filters;       // for those of other processes
    std::optional<std::uint32_t> only_user;    // of other processes
    std::optional<std::uint32_t> secure_owner; // besides root, the only user whose processes write
    std::unique_ptr<const EventFilters> filters;
    std::shared_ptr<const Filter> callback_filter;
    std::uint64_t since = 0;          // when this session enabled it first; counts all enabling
    std::uint64_t last = 0;           // and last
    std::vector<SessionRef> takers{}; // of registrations of a classic provider, as reported
    std::string name{};               // that a registration had which it reaches

    bool is_used() const noexcept { return session.core != nullptr; }

    /// Returns what events of modern providers are compared with.
    EnableView view() const noexcept;
};

enum class EntryKind : std::uint8_t { provider, group };

struct Entry : GuidEntry {
    EntryKind kind = EntryKind::provider;
    /// All that are registered, or were last, are classic.
    bool is_classic = false;
    std::array<Enablement, slots_per_provider> enabled;
    std::vector<Node*> members; // registered; of a group, joined

    Enablement* find(const SessionRef& session) noexcept;
    const Enablement* find(const SessionRef& session) const noexcept;
    Enablement* find_free() noexcept;
    /// The one that a classic registration follows, or null. Those that may not record it are
    /// followed if there is no other one.
    const Enablement* newest(const Node& node) const;
    /// Those that have taken over classic registrations from one.
    std::vector<const Enablement*> takers_from(const Enablement& one) const;
    /// The one that was enabled first of those that others have taken over everywhere, and that a
    /// session for `only_user` may take the place of; or null.
    Enablement* find_taken_over(const std::optional<std::uint32_t>& only_user);
    /// Returns the name of the registrations that one reaches; empty if unknown.
    std::string name_for(const Enablement& one) const;
    /// For a time when the registration is gone.
    void keep_name(const Node& node);
    bool is_enabled() const noexcept;

    bool is_needed() const noexcept { return !members.empty() || is_enabled(); }

    /// Has writers see one of `enabled`, or all of them.
    void show(const Enablement& which) noexcept;
    void show() noexcept;
};

/// ProviderEnableInfo of one registration: what the sessions that it is open to want together.
struct Aggregate {
    std::uint32_t mask = 0;    // as EnableState::mask
    std::uint32_t refused = 0; // likewise: sessions that record nothing of this process
    std::uint8_t level = 0;    // 255: all
    std::uint64_t match_any = 0, match_all = 0;
    bool accepts_keyword_0 = false;

    void add(const EnableView& view, std::uint32_t bit) noexcept;
    /// A session that refuses the events of the process: it is told so when it writes them.
    void refuse(const EnableView& view, std::uint32_t bit) noexcept;
};

Aggregate aggregate_of(const Node& node, const DisallowLists& disallowed);

/// At every moment all that a session wants which was in before and is in afterwards passes.
void publish(EnableState& to, const Node& node, const Aggregate& now) noexcept;

/// Without source, filter and bit.
EnableNotification notice_of(const Aggregate& now);

/// The sessions that reach a registration, each by its enablement, in the order of slots.
Enablers enablers_of(const Node& node, const DisallowLists& disallowed);

ProviderState state_of(const Entry& entry);

} // namespace etl::session
