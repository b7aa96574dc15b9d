// EnableSlot: what one session wants of one provider, changed by controllers and read by writers
// who wait for nobody. FilterReaders: who looks at filters right now, so that controllers know when
// those that they replaced can go. docs/session-internals.md#providers
#pragma once

#include <etl/guid.hpp>
#include <etl/session.hpp>

#include "session/logging/session_core.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

namespace etl::session {

/// What is parsed of the filters of one slot that writers must ask: event ids, event names, which
/// events get stacks.
class EventFilters;

/// The enablement by one session, as writers compare it: level 255 and match_any all ones stand for
/// all. What classic providers are enabled with is not compared: here it lets everything pass.
struct EnableView {
    SessionRef session;
    std::uint8_t level = 0;
    std::uint64_t match_any = 0;
    std::uint64_t match_all = 0;
    std::uint32_t property = 0;
    /// Null: none. Not to be looked at unless it was read under a FilterGuard: read again there.
    const EventFilters* filters = nullptr;

    /// Level and keyword only. docs/sessions.md#matching
    bool matches(std::uint8_t event_level, std::uint64_t keyword) const noexcept {
        if (event_level > level) {
            return false;
        }
        if (keyword == 0) {
            return accepts_keyword_0();
        }
        return (keyword & match_any) != 0 && (keyword & match_all) == match_all;
    }

    bool accepts_keyword_0() const noexcept {
        return (property & enable_property::ignore_keyword_0) == 0 ||
               (property & enable_property::enable_keyword_0) != 0;
    }
};

/// Has two places for the values, one of which counts: a change fills the other one and then says
/// that it counts. Readers get a whole one, old or new, and wait for nobody: they look again when
/// something was changed while they looked.
class alignas(64) EnableSlot {
public:
    /// False when no session has it.
    bool read(EnableView& view) const noexcept {
        for (;;) {
            const std::uint32_t version = version_.load(std::memory_order_acquire);
            // Acquire keeps these loads in front of the one that decides, and who sees a value of
            // a later change here sees there that it has begun.
            const Values& from = values_[version % values_.size()];
            const std::uint32_t packed = from.ticket_and_level.load(std::memory_order_acquire);
            view = {.session = {from.core.load(std::memory_order_acquire),
                                static_cast<std::uint16_t>(packed >> 8U)},
                    .level = static_cast<std::uint8_t>(packed),
                    .match_any = from.match_any.load(std::memory_order_acquire),
                    .match_all = from.match_all.load(std::memory_order_acquire),
                    .property = from.property.load(std::memory_order_acquire),
                    .filters = from.filters.load(std::memory_order_acquire)};
            if (version_.load(std::memory_order_relaxed) == version) [[likely]] {
                return view.session.core != nullptr;
            }
        }
    }

    /// Under the lock of Registrations. No core: no session has it.
    void write(const EnableView& view) noexcept;

private:
    struct Values {
        std::atomic<SessionCore*> core{nullptr};
        std::atomic<std::uint64_t> match_any{0}, match_all{0};
        std::atomic<const EventFilters*> filters{nullptr};
        std::atomic<std::uint32_t> ticket_and_level{0};
        std::atomic<std::uint32_t> property{0};
    };

    std::atomic<std::uint32_t> version_{0}; // which of the two counts, by its last bit
    std::array<Values, 2> values_;
};

inline constexpr std::size_t slots_per_provider = 8;

/// In EnableState::mask, above the slots of provider and group: machine sessions, all together.
inline constexpr std::uint32_t machine_bit = 1U << (2 * slots_per_provider);

/// Above it: machine sessions that record nothing of this process (mode::secure).
inline constexpr std::uint32_t refusing_bit = machine_bit << 1U;

/// A GUID that may be read while it is changed: by those who see afterwards that what they meant is
/// gone, and drop it.
class SharedGuid {
public:
    SharedGuid& operator=(const Guid& guid) noexcept {
        const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(guid);
        halves_[0].store(halves[0], std::memory_order_release);
        halves_[1].store(halves[1], std::memory_order_release);
        return *this;
    }

    operator Guid() const noexcept { // NOLINT(google-explicit-constructor): it is one
        return std::bit_cast<Guid>(std::array{halves_[0].load(std::memory_order_acquire),
                                              halves_[1].load(std::memory_order_acquire)});
    }

private:
    std::array<std::atomic<std::uint64_t>, 2> halves_{};
};

/// A provider or a group of them, to those who write. Memory of it lives as long as the runtime;
/// when nobody needs it any more it becomes that of another GUID.
struct GuidEntry {
    SharedGuid guid;
    std::array<EnableSlot, slots_per_provider> slots;
};

/// Counts those who look at filters through one registration. Two counts by turns, so that one of
/// them comes down to zero however busy writers are.
class alignas(64) FilterReaders {
public:
    /// Counts a writer in. Returns the counter to decrease at the end.
    std::atomic<std::uint32_t>& enter() noexcept {
        auto& count = counts_[turn_.load(std::memory_order_relaxed)];
        count.fetch_add(1, std::memory_order_acq_rel);
        return count;
    }

    /// Returns when everybody has left who may have read a slot before this was called. One
    /// controller at a time.
    void drain() noexcept;

    /// In the child of a fork, where nobody is.
    void forget() noexcept;

private:
    std::atomic<std::uint32_t> turn_{0};
    std::array<std::atomic<std::uint32_t>, 2> counts_{};
};

} // namespace etl::session
