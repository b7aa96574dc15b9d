// Attachment::State: what a process tells the host, and what it does with the answers. One thread
// waits for the host; registrations are announced by the thread that makes them.
// docs/machine-sessions-internals.md#attachment
#pragma once

#include "host/fork.hpp"
#include "host/places.hpp"
#include "host/shared_memory.hpp"
#include "session/attach/host_link.hpp"
#include "session/attachment.hpp"
#include "session/control/runtime_state.hpp"
#include "session/providers/link_wait.hpp"
#include "session/providers/registrations.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace etl::session {

class Attachment::State final : public RegistrationObserver, public host::ForkWatch {
public:
    State(Runtime::State& runtime, std::vector<host::MeetingPlace> places, host::Mapping wake_page,
          const AttachOptions& options);
    ~State() override;

    void begin();

    bool is_linked() const noexcept { return is_linked_.load(); }

    std::optional<Failure> refusal() const;

    void added(const RegistrationFacts& facts) override;
    void traits_set(const RegistrationFacts& facts) override;
    void removing(RegistrationNode& node, std::uint64_t handle) override;

    void before_fork() noexcept override;
    void in_parent() noexcept override;
    void in_child() noexcept override;

private:
    /// A registration, as announced to the host.
    struct Known {
        RegistrationFacts facts;
        std::uint32_t number = 0;                // on the link
        std::uint32_t version = 0;               // of its enabling that was applied last
        std::uint32_t changes = 0, captures = 0; // of that
    };

    /// What is to be applied, without the lock.
    struct Due {
        RegistrationNode* node;
        std::uint64_t handle;
        MachineEnabling enabling;
    };

    void run();
    enum class Linking : std::uint8_t { done, no_host, no_answer };
    /// `answer` is how long to wait for the host's answer.
    Linking link_up(std::chrono::milliseconds answer);
    void serve();
    void link_down();
    bool restart_in_child();
    void confirm(HostLink& link);
    void apply_all();
    std::vector<Due> apply();
    void end_awaiting();
    void change(const std::vector<Due>& due);
    void run_callbacks(const std::vector<Due>& due);
    void run_all_callbacks();
    std::optional<Due> due_of(Known& known);
    Due nothing_for(const Known& known) const;
    std::uint32_t announce(Known& known);
    const std::atomic<std::uint32_t>& wake_count() const noexcept;

    Runtime::State* runtime_;
    std::vector<host::MeetingPlace> places_;
    host::Mapping wake_page_;
    std::chrono::milliseconds wait_;
    bool with_children_;
    std::shared_ptr<LinkWait> child_wait_ = std::make_shared<LinkWait>(); // in the child of a fork
    std::shared_ptr<SessionCore> stand_in_; // all machine sessions, to those who compare
    std::optional<host::Poller> poller_;

    /// From the look at the control page until what it says is in force, so that it is in force for
    /// a thread that finds nothing new there. Taken before the other one.
    std::mutex applying_;
    mutable std::mutex mutex_;
    std::optional<Failure> refusal_;       // of a host that runs
    std::map<std::uint32_t, Known> known_; // by slot
    std::shared_ptr<HostLink> link_;       // null: no host
    std::uint64_t links_ = 0;              // so far
    std::uint32_t numbers_ = 0;            // given to registrations so far

    std::atomic<bool> is_linked_{false}, is_stopping_{false}, has_ended_{false}, is_child_{false};
    std::thread thread_;
};

} // namespace etl::session
