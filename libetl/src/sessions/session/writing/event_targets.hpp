// The sessions that get one event.
#pragma once

#include <etl/session.hpp>

#include "session/providers/enable_slot.hpp"
#include "session/writing/event_image.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>

namespace etl::session {

/// A session that gets the event.
struct EventTarget {
    EventTarget(const SessionRef& session, std::uint32_t items) noexcept
        : core(session.core), ticket(session.ticket), property(items),
          mode(session.core->mode.load(std::memory_order_relaxed)) {}

    SessionCore* core;
    std::uint16_t ticket;
    std::uint32_t property;
    std::uint32_t mode;
    std::uint64_t size = 0;     // of its record, and room for it: while several sessions
    std::optional<Place> place; // are written to

    bool is_independent() const noexcept { return (mode & mode::independent_session) != 0; }

    EventImage::Session kind() const noexcept {
        return (mode & mode::private_logger) != 0 ? EventImage::Session::private_logger
                                                  : EventImage::Session::ordinary;
    }
};

/// All machine sessions that get the event.
struct MachineTarget {
    link::RegionWriter* region = nullptr; // null: none
    std::uint32_t number = 0;             // of the registration on the link
    std::uint16_t slot = 0;               // of the registration in the control page
    std::uint32_t property = 0;
};

/// The sessions that record one event, each once.
class EventTargets {
public:
    // NOLINTNEXTLINE(modernize-use-equals-default): a default one would be deleted
    EventTargets() noexcept {}

    EventTargets(const EventTargets&) = delete;
    EventTargets& operator=(const EventTargets&) = delete;

    ~EventTargets() {} // NOLINT(modernize-use-equals-default)

    std::span<EventTarget> all() noexcept { return std::span(targets_).first(count_); }

    std::size_t count() const noexcept { return count_; } // without those of the machine

    const MachineTarget& machine() const noexcept { return machine_; }

    /// Machine sessions want the event, but there is no way to them yet: in the child of a fork.
    void set_unlinked() noexcept { is_unlinked_ = true; }

    bool is_unlinked() const noexcept { return is_unlinked_; }

    /// A machine session wants the event, but not of this process.
    void set_refused() noexcept { is_refused_ = true; }

    bool is_refused() const noexcept { return is_refused_; }

    /// A machine session does not get the event, and the writer is to know.
    bool is_left_out() const noexcept { return is_refused_ || is_unlinked_; }

    bool is_empty() const noexcept { return count_ == 0 && machine_.region == nullptr; }

    void add_machine(const MachineTarget& machine) noexcept {
        property_ |= machine.property;
        machine_ = machine;
    }

    /// What items any of them wants.
    std::uint32_t property() const noexcept { return property_; }

    /// A session that reaches the registration by its provider and by its group gets one event,
    /// with what it asked for on either way.
    void add(const SessionRef& session, std::uint32_t property) noexcept {
        property_ |= property;
        for (EventTarget& target : all()) {
            if (target.core == session.core && target.ticket == session.ticket) {
                target.property |= property;
                return;
            }
        }
        std::construct_at(&targets_[count_++], session, property);
    }

    /// All writers wait for room in the same order, so that none waits for another
    /// (mode::blocking).
    void sort() noexcept {
        std::ranges::sort(all(), {}, [](const EventTarget& target) { return target.core->id; });
    }

private:
    union { // few are ever used: the others are not even cleared
        std::array<EventTarget, 2 * slots_per_provider> targets_;
    };

    std::size_t count_ = 0;
    MachineTarget machine_;
    std::uint32_t property_ = 0;
    bool is_refused_ = false, is_unlinked_ = false;
};

// An event into the region that a process shares with the host of machine sessions.
// docs/machine-sessions-internals.md#region

/// Written once for all machine sessions: the host decides which of them record it. Events that
/// find no space count as lost in the sessions that match them.
WriteResult write_to_region(const MachineTarget& target, const EventImage& image) noexcept;

/// Writes a classic record for one machine session, as the payload of an EVENT record. The host
/// stores process ID, timestamp, and sequence number in it. Errors: more_data (too large),
/// not_enough_memory; the session then lost an event.
WriteResult write_classic_to_region(link::RegionWriter& region, std::uint16_t session,
                                    Bytes record) noexcept;

/// Counts a classic record that was not written.
void lose_classic_in_region(link::RegionWriter& region, std::uint16_t session) noexcept;

} // namespace etl::session
