// ProviderLink: one process with providers, to the host. Its registrations are registrations of the
// host's runtime, whose callbacks write what changed into the control page. Requests come from the
// host's loop, callbacks from any thread, the rest from the drain.
// docs/machine-sessions-internals.md#link
#pragma once

#include <etl/session.hpp>

#include "host/local_socket.hpp"
#include "host/shared_memory.hpp"
#include "link/control_page.hpp"
#include "link/messages.hpp"
#include "link/region.hpp"
#include "machine/accounts.hpp"
#include "machine/stripe_queue.hpp"
#include "session/providers/event_filters.hpp"
#include "session/providers/registrations.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace etl::machine {

class ProviderLink : public std::enable_shared_from_this<ProviderLink> {
public:
    /// Answers the process in any case. Errors: io_failure (memory, or the process does not take
    /// the answer), limit (of the user).
    static Result<std::shared_ptr<ProviderLink>>
    accept(session::Runtime& runtime, host::LocalSocket socket, std::shared_ptr<Account> account);

    ProviderLink(session::Runtime& runtime, host::LocalSocket socket,
                 std::shared_ptr<Account> account);
    ~ProviderLink();

    const host::LocalSocket& socket() const noexcept { return socket_; }

    const host::Peer& peer() const noexcept { return peer_; }

    const std::string& program() const noexcept { return process_->executable; }

    /// Executes what the process has sent; false: the link has ended, by the process or for what it
    /// sent. `ring_bell` is set if it asks for a turn.
    bool serve(bool& ring_bell);

    /// Nothing more comes from the process. The drain takes what it wrote, then closes the link.
    void end() noexcept { has_ended_ = true; }

    bool has_ended() const noexcept { return has_ended_; }

    /// Changes of enablements so far.
    std::uint32_t published() const noexcept { return control().published.load(); }

    /// Whether the process has named all providers that it had when it linked: then it confirms for
    /// the first time.
    bool has_announced() const noexcept { return has_announced_; }

    /// Waits until the process has confirmed everything published so far. False: the time is over.
    bool wait_until_confirmed(std::chrono::steady_clock::time_point deadline);

    // The drain.

    std::vector<StripeQueue>& queues() noexcept { return queues_; }

    link::RegionHeader& header() const noexcept { return region_.header(); }

    /// Null: not of this link, or removed.
    const session::RegistrationNode* find(std::uint32_t registration);

    bool is_enabled() const noexcept { return enabled_.load() != 0; }

    /// Returns whether a session, by its number, has enabled a classic provider of the process.
    bool may_write_classic(std::uint16_t session) const noexcept {
        return session != 0 && session <= link::max_machine_sessions &&
               (classic_sessions_.load() >> (session - 1U) & 1U) != 0;
    }

    /// Returns the registrations that were removed before the call: they can go when the drain has
    /// taken everything written until then. All of them when the link has ended.
    std::vector<session::RegistrationNode*> take_removed();

    /// Returns the sessions that reach any registration of the process.
    std::vector<session::SessionRef> enabled_by();

    /// They are gone. Returns those that were not gone before.
    std::vector<session::RegistrationNode*>
    forget(const std::vector<session::RegistrationNode*>& nodes);

    /// Events that found no space since the last call, by session number - 1.
    std::array<std::uint32_t, link::max_machine_sessions> take_lost() noexcept;

    /// The region contradicts the protocol. The third time, the link ends.
    void strike() noexcept {
        if (++strikes_ >= 3) {
            socket_.shut_down();
        }
    }

    /// A record of the process held up all others for as long as it may: for some time, nothing of
    /// it is waited for.
    void hold_up() noexcept { waited_for_again_ = std::chrono::steady_clock::now() + penalty; }

    bool is_waited_for() const noexcept {
        return std::chrono::steady_clock::now() >= waited_for_again_;
    }

    const std::vector<std::byte>& sid() const noexcept { return sid_; }

    std::uint64_t start_key() const noexcept { return start_key_; }

private:
    Result<void> open(const link::RegionShape& shape);

    struct Registered {
        session::RegistrationNode* node = nullptr;
        std::uint16_t slot = 0;
        bool is_classic = false;
        link::Enabling enabling;
        session::EnableNotification first; // while it is being registered
        Share share;
    };

    bool handle(const link::Register& request);
    bool handle(const link::Unregister& request);
    bool handle(const link::SetTraits& request);
    void publish(std::uint32_t registration, const session::EnableNotification& notice);
    void publish_now(Registered& registered, const session::EnableNotification& notice);
    void show_classic_sessions() noexcept;
    link::ControlPage& control() const noexcept;

    session::Runtime* runtime_;
    std::shared_ptr<Account> account_; // of the user
    std::vector<Share> shares_;        // of it, held by the link
    host::LocalSocket socket_;
    host::Peer peer_;
    std::shared_ptr<const session::ProcessIdentity> process_;
    std::vector<std::byte> sid_;
    std::uint64_t start_key_ = 0;
    host::SharedMemory control_;
    host::Descriptor region_file_;
    link::RegionMemory region_;
    std::vector<StripeQueue> queues_;
    std::array<std::uint32_t, link::max_machine_sessions> lost_{};
    std::atomic<bool> has_ended_{false};
    std::atomic<std::uint32_t> enabled_{0};          // registrations that a session has enabled
    std::atomic<std::uint64_t> classic_sessions_{0}; // by number - 1

    static constexpr std::chrono::seconds penalty{10};
    std::chrono::steady_clock::time_point waited_for_again_{}; // of the drain
    int strikes_ = 0;                                          // contradictions in the region
    std::uint32_t last_registration_ = 0;                      // of find()
    const session::RegistrationNode* last_found_ = nullptr;

    std::mutex publishing_; // taken before the other one
    std::mutex mutex_;      // of what follows; never held while calling the runtime
    std::unordered_map<std::uint32_t, Registered> registered_;
    std::array<std::uint32_t, link::max_link_registrations> slots_{}; // whose enabling is there
    std::vector<session::RegistrationNode*> removed_;
    std::condition_variable confirmed_changed_;
    std::uint32_t confirmed_ = 0;
    std::atomic<bool> has_announced_ = false;
};

} // namespace etl::machine
