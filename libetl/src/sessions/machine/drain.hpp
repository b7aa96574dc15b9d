// Drain: moves events from the regions of all processes to the sessions of the host's runtime, in
// one time order. One thread. docs/machine-sessions-internals.md#drain
#pragma once

#include <etl/bytes.hpp>
#include <etl/session.hpp>

#include "base/function_ref.hpp"
#include "format/event_header.hpp"
#include "link/region.hpp"
#include "machine/provider_link.hpp"
#include "session/logging/session_core.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace etl::machine {

// TakenEvent: a record of a producer, checked. The bytes are a private copy; whatever they contain,
// every view lies inside them. docs/machine-sessions-internals.md#drain

struct TakenEvent {
    format::EventHeader header;
    std::int64_t time = 0; // monotonic, 100 ns
    std::optional<Guid> related;
    /// Those of the header without those that the host adds itself: identity of process and user,
    /// traits.
    std::vector<format::ExtendedItem> items;
    std::vector<std::uint64_t> stack; // empty: none
    std::uint64_t event_key = 0;      // 0: none
};

/// Returns nothing unless the bytes start with an EVENT record with valid items. Bytes after it are
/// ignored. `to` is reused: no allocation per event.
bool take_event(Bytes record, TakenEvent& to);

/// ClassicEvent: a classic record of a producer, checked, with what the host knows better stored in
/// it. docs/machine-sessions-internals.md#drain
struct ClassicEvent {
    std::vector<std::byte> record;
    std::optional<std::uint32_t> stamp_at; // offset of the timestamp; none: it has none
};

/// Returns false unless the bytes are exactly one FULL, INSTANCE, or message record of ETW. `to` is
/// reused. `next_sequence` is called for a message with a sequence number.
bool take_classic(Bytes record, std::uint32_t process_id,
                  FunctionRef<std::uint32_t()> next_sequence, ClassicEvent& to);

// SessionSpace: makes the drain wait while the buffers of a session are full and its logger writes
// them: the rings of the processes then hold what the session cannot. It never waits for a
// consumer, nor for a logger that makes no progress. One thread.
// docs/machine-sessions-internals.md#space

class SessionSpace {
public:
    explicit SessionSpace(session::Runtime& runtime) noexcept : runtime_(&runtime) {}

    /// A turn of the drain begins.
    void begin_turn() noexcept {
        left_ = 0;
        waited_ = {};
    }

    /// Before a record of this size is written: waits until every session has space for it, or is
    /// not waited for. `is_urgent`: the processes have little space left, so it stops waiting.
    void wait_for(std::size_t size, FunctionRef<bool()> is_urgent) {
        if (size + max_added > left_) [[unlikely]] {
            look(is_urgent);
        }
        left_ -= std::min<std::uint64_t>(left_, size + max_added);
    }

private:
    using Clock = std::chrono::steady_clock;

    /// What sessions add to a record, except large traits.
    static constexpr std::size_t max_added = 128;

    struct Known {
        session::SessionRef session;
        std::uint32_t available = 0; // buffers
        Clock::time_point progressed{}, waited_for_again{};
    };

    void look(FunctionRef<bool()> is_urgent);
    bool is_waited_for(Known& known, const session::SessionRef& session, Clock::time_point now);

    session::Runtime* runtime_;
    std::array<Known, link::max_machine_sessions> known_{};
    std::uint64_t left_ = 0;   // bytes that every session can take
    Clock::duration waited_{}; // in this turn
};

class Drain {
public:
    /// `time` is that of the runtime.
    Drain(session::Runtime& runtime, std::atomic<std::int64_t>& time);
    Drain(const Drain&) = delete;
    Drain& operator=(const Drain&) = delete;
    /// Takes what is left.
    ~Drain();

    void add(std::shared_ptr<ProviderLink> link);

    /// Returns when everything written before the call is with the sessions: a change of sessions
    /// or enablements that follows applies to later events only.
    void settle();

    /// The same for a limited time.
    void settle_until(std::chrono::steady_clock::time_point deadline);

    /// Starts a turn soon.
    void wake();

    /// Links that have not been closed.
    std::vector<std::shared_ptr<ProviderLink>> links() const;

    /// Their number.
    std::size_t link_count() const noexcept;

private:
    /// Asks for a turn, and returns its number. With the mutex held.
    std::uint64_t ask();

    /// A ring and its process, during a turn.
    struct Lane {
        StripeQueue* queue = nullptr;
        ProviderLink* link = nullptr;
        bool has_ended = false; // before the turn
    };

    using Links = std::vector<std::shared_ptr<ProviderLink>>;

    /// Registrations that go when everything written until they were removed has been taken.
    struct Removed {
        std::shared_ptr<ProviderLink> link;
        std::vector<session::RegistrationNode*> nodes;
    };

    void run();
    bool try_turn();
    void turn();
    void take_all(const Links& links, const Links& ended);
    bool take_some(std::span<Lane> lanes, bool is_patient, bool is_held_up);
    void take(Lane& lane, bool is_patient, bool is_held_up);
    std::int64_t write_all(std::span<Lane> lanes, std::int64_t now);
    void write(ProviderLink& link, StripeQueue& queue, const QueuedRecord& record);
    void write_classic(const ProviderLink& link, StripeQueue& queue, const QueuedRecord& record);
    void count_given_up(ProviderLink& link, const link::RingLook& look);
    void count_lost(ProviderLink& link);
    void lose(const session::RegistrationNode& node);

    session::Runtime* runtime_;
    std::atomic<std::int64_t>* time_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::shared_ptr<ProviderLink>> links_;
    std::uint64_t asked_ = 0, done_ = 0; // turns
    bool is_stopping_ = false;

    // Used by the thread only.
    TakenEvent event_;
    ClassicEvent classic_; // its content, if it is classic
    SessionSpace space_;
    std::vector<Removed> removed_;
    std::thread thread_;
};

} // namespace etl::machine
