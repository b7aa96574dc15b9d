// Drain: moves events from the regions of all processes to the sessions of the host's runtime, in
// one time order. One thread. docs/machine-sessions-internals.md#drain
#pragma once

#include <etl/session.hpp>

#include "machine/provider_link.hpp"
#include "machine/session_space.hpp"
#include "machine/taken_event.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace etl::machine {

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
