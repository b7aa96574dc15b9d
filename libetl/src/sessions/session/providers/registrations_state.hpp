// Registrations::State: the tables, and what all calls have in common: a change is made under the
// lock, what follows from it afterwards without. docs/session-internals.md#providers
#pragma once

#include "session/providers/callbacks.hpp"
#include "session/providers/guid_entry.hpp"
#include "session/providers/provider_traits.hpp"
#include "session/providers/registrations.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::session {

/// What is left to do when the lock is given back.
struct Change {
    std::vector<Callbacks::Posted> posted;
    std::vector<std::unique_ptr<const EventFilters>> replaced;
    std::vector<Node*> readers; // through which those may be looked at
    std::vector<TakeOver> take_overs;
};

struct Registrations::State {
    State(std::size_t most, TakeOverObserver watcher);

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

    KeptTraits traits{most_traits_bytes};

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

} // namespace etl::session
