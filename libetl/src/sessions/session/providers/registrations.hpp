// Registrations: all providers of a runtime: entries by kind and GUID with eight slots each, the
// registrations that hang on them, groups, and who is told when something changes. Has its own
// lock; callbacks run outside of it. docs/session-internals.md#providers
#pragma once

#include <etl/session.hpp>

#include "session/logging/session_core.hpp"
#include "session/providers/enable_slot.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

namespace etl::link {
class RegionWriter;
}

namespace etl::session {

struct ProcessIdentity;
class LinkWait;

/// Registrations of a runtime at one time, as of a process on Windows since 8; of a host, for all
/// processes.
inline constexpr std::size_t max_registrations = 2048;

/// Providers and groups of a runtime that are registered or enabled, as on Windows.
inline constexpr std::size_t max_providers = 0x8000;

/// Traits of all registrations that a runtime ever had: they stay, for nobody knows who still reads
/// them, but no two are the same.
inline constexpr std::size_t max_traits_bytes = std::size_t{16} << 20U;

/// One registration, to those who write. Memory of it lives as long as the runtime, and so does all
/// that it points to; a handle names it by number and generation. Who reads it while it may be
/// removed reads the handle first and once more afterwards: if that is not the same any more, what
/// was read is of another registration, or of several.
struct RegistrationNode {
    EnableState state;                               // first: Registration points here
    std::atomic<std::uint64_t> handle{0};            // 0: nobody's
    std::atomic<const GuidEntry*> provider{nullptr}; // stays the same while registered
    std::atomic<const GuidEntry*> group{nullptr};    // joined by traits
    std::atomic<const std::vector<std::byte>*> known_traits{nullptr};
    mutable FilterReaders filter_readers;
    // What machine sessions want, all together, and the way to them. Lives as long as the runtime.
    EnableSlot machine_slot;
    EnableSlot refusing_slot; // likewise, of those that refuse the events of this process
    std::atomic<link::RegionWriter*> machine{nullptr};
    std::atomic<std::uint32_t> machine_number{0}; // of the registration on that link
    // In the child of a fork: the way is being made. Events that found none in time.
    std::atomic<const LinkWait*> awaited{nullptr};
    mutable std::atomic<std::uint32_t> lost_unlinked{0};

    /// PROV_TRAITS data, or empty. Good as long as the runtime lives.
    Bytes traits() const noexcept {
        const auto* known = known_traits.load(std::memory_order_acquire);
        return known == nullptr ? Bytes{} : Bytes(*known);
    }
};

static_assert(std::is_standard_layout_v<RegistrationNode>); // Registration casts from its state

/// A registration as others are told of it.
struct RegistrationFacts {
    RegistrationNode* node = nullptr;
    std::uint64_t handle = 0;
    std::uint32_t number = 0; // below the most that there can be
    ProviderKind kind = ProviderKind::modern;
    Guid provider;
    Bytes traits; // empty: none
};

/// The sessions that reach a registration.
struct Enablers {
    std::vector<EnableView> recording;
    std::vector<EnableView> refusing; // they record nothing of its process (mode::secure)
};

class RegistrationObserver {
public:
    RegistrationObserver() = default;
    RegistrationObserver(const RegistrationObserver&) = delete;
    RegistrationObserver& operator=(const RegistrationObserver&) = delete;
    virtual ~RegistrationObserver() = default;

    virtual void added(const RegistrationFacts& facts) = 0;
    virtual void traits_set(const RegistrationFacts& facts) = 0;
    /// Before it is removed.
    virtual void removing(RegistrationNode& node, std::uint64_t handle) = 0;
};

/// What all machine sessions together want of a registration, and what its callback is told.
struct MachineEnabling {
    EnableView view;     // no session: nothing
    EnableView refusing; // of those that refuse the events of this process, likewise
    link::RegionWriter* region = nullptr;
    std::uint32_t number = 0;   // of the registration on the link
    std::uint32_t changes = 0;  // notices that are due
    std::uint32_t captures = 0; // requests for state that are due
    std::uint64_t version = 0;  // older ones have no effect
    // Of a classic provider: the session, and whether it refuses classic events, or all of this
    // process.
    std::uint16_t session = 0;
    bool refuses_classic = false;
    bool refuses_all = false;
    Guid source{};
    std::shared_ptr<const Filter> filter;
};

/// The way to a machine session for classic events, which name it by its number.
struct ClassicRoute {
    link::RegionWriter* region = nullptr; // null: it has enabled no classic provider of the process
    bool refuses_classic = false;         // but messages
    bool refuses_all = false;
};

/// A session has enabled a classic provider, and another one records it instead, in some processes
/// or in all; or none does any more.
struct TakeOver {
    SessionRef session; // which does not record it
    SessionRef by;
    Guid provider;
    bool has_returned = false;
    bool is_for_one_user = false; // `by` reaches processes of one user only
};

using TakeOverObserver = std::function<void(const TakeOver&)>;

/// Any thread. Calls that answer possible_deadlock do so in a callback of this thread.
class Registrations {
public:
    /// `observer` is called without locks, by the thread that changed something.
    explicit Registrations(std::size_t max = max_registrations, TakeOverObserver observer = {});
    Registrations(const Registrations&) = delete;
    Registrations& operator=(const Registrations&) = delete;
    /// Waits for callbacks that run; those that wait for their turn are forgotten.
    ~Registrations();

    /// The callback runs before this returns if the provider is enabled already. Errors:
    /// outofmemory (limits).
    /// With `process`, it is a registration of that process.
    Outcome<RegistrationNode*> add(const Guid& provider, ProviderKind kind, EnableCallback callback,
                                   std::shared_ptr<const ProcessIdentity> process = nullptr);
    /// Joins a group if the traits name one; the callback runs before this returns if that is
    /// enabled. Errors: invalid_parameter (a classic one), gen_failure (it has some), file_corrupt,
    /// outofmemory (limits), invalid_handle (it is being removed).
    Outcome<void> set_traits(RegistrationNode& node, Bytes traits);
    /// Waits for a callback that runs, unless called from it.
    void remove(RegistrationNode& node);
    /// Null: stale or foreign. No lock.
    RegistrationNode* find(std::uint64_t handle) noexcept;

    /// EnableTraceEx2. A group is meant by PROVIDER_GROUP of the property. Returns after the
    /// callbacks or their timeout; what was asked for is in force before they run. Errors:
    /// possible_deadlock; invalid_parameter (no session, unknown control, filters; a group for a
    /// private session), not_supported (a filter), wmi_instance_not_found (the session was
    /// forgotten), no_system_resources (a ninth session), outofmemory (limits), invalid_function
    /// (another level for a classic provider that is not registered any more), timeout.
    Outcome<void> control(const SessionRef& session, const Guid& provider, Control control,
                          const EnableOptions& how);
    /// Replaces the list of before. Errors: possible_deadlock, invalid_parameter (no session).
    Outcome<void> disallow(const SessionRef& session, const std::vector<Guid>& providers);
    /// The list of a session.
    std::vector<Guid> disallowed(const SessionRef& session) const;
    /// The session ends: nobody finds it in a slot any more when this returns, and it cannot come
    /// back. Callbacks run in this thread, but for registrations whose callback is running in
    /// another one, which then goes on with this: nobody is waited for.
    void forget(const SessionRef& session);

    std::vector<ProviderState> list() const;
    /// In the order in which they were enabled.
    std::vector<SessionState::Provider> enabled_by(const SessionRef& session) const;

    Enablers enablers(const RegistrationNode& node) const;

    /// Who is told of all registrations, from now on until `observe(nullptr)`: called without
    /// locks, by the thread that registers.
    void observe(RegistrationObserver* observer);

    /// All that are registered now, for an observer that comes later.
    std::vector<RegistrationFacts> registered() const;

    /// Keeps it as long as this: writers may hold it.
    void keep(std::shared_ptr<void> held);

    /// What machine sessions want of a registration changed, or they ask for its state. Its
    /// callback is not called yet: run_callbacks.
    void change_machine(RegistrationNode& node, std::uint64_t handle, const MachineEnabling& to);

    /// In the child of a fork, in front of forget_in_child: keeps what machine sessions wanted,
    /// until end_awaiting(); `wait` is that of the way to them. Null: not any more.
    void await_machine(const LinkWait* wait) noexcept;

    /// The way is there, and what change_machine has not confirmed is over; or there is none.
    void end_awaiting();

    /// No lock; waits in the child of a fork.
    ClassicRoute classic_route(std::uint16_t session) const noexcept;

    /// Returns the machine session that has enabled a classic provider of this process, or 0.
    std::uint16_t machine_session_of(const Guid& provider) const;

    /// Everything the registration was to be told has been told when this returns: in this thread,
    /// or by another one. In its callback: afterwards.
    void run_callbacks(RegistrationNode& node, std::uint64_t handle);

    /// True in a callback of this thread.
    static bool is_in_callback() noexcept;

    /// Around fork: nobody else is inside.
    void before_fork();
    void after_fork();
    /// In the child, in place of after_fork or behind it: all slots are empty, nobody is called.
    void forget_in_child() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// While it lives, filters of an EnableView that was read under it stay, if the registration was
/// still there when it began: ask for its handle behind it.
class FilterGuard {
public:
    explicit FilterGuard(const RegistrationNode& node) noexcept
        : count_(node.filter_readers.enter()) {}

    FilterGuard(const FilterGuard&) = delete;
    FilterGuard& operator=(const FilterGuard&) = delete;

    ~FilterGuard() { count_.fetch_sub(1, std::memory_order_release); }

private:
    std::atomic<std::uint32_t>& count_;
};

} // namespace etl::session
