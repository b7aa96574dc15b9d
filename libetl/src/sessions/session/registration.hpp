// Registration: a registered provider, through which a program writes events.
//     if (coffee.is_enabled(4, 0x1)) {
//         coffee.write(cup_finished, u"espresso", 93);
//     }
// docs/sessions.md#writing
#pragma once

#include "base/bytes.hpp"
#include "format/encode.hpp"
#include "format/event_descriptor.hpp"
#include "provider/provider.hpp"
#include "session/status.hpp"

#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <span>

namespace etl::session {

class Runtime;
class Registrations;

/// An event that creates its record from values: provider::StaticEvent, or
/// provider::SelfDescribingEvent without values.
template <typename Event, typename... Values>
concept Composable = requires(Event& event, const Values&... values) {
    { event.record(provider::EventContext{}, values...) } -> std::same_as<format::EventRecord>;
};

/// The enablement of a registration: whether any session accepts events, and which. Controllers may
/// change it at any time. Its memory is valid as long as the runtime.
struct EnableState {
    /// Sessions that enabled this registration: bits 0 to 7 are slots of its provider, bits 8 to 15
    /// slots of its group, bit 16 stands for all sessions of the machine, bit 17 for those that
    /// refuse the events of this process (mode::secure).
    std::atomic<std::uint32_t> mask{0};
    std::atomic<std::uint32_t> level{0}; // maximum of all sessions; 255: all
    std::atomic<std::uint64_t> match_any{0}, match_all{0};
    std::atomic<bool> accepts_keyword_0{false};

    /// Returns false if no session accepts such an event. Conservative: true does not guarantee
    /// acceptance.
    bool accepts(std::uint8_t event_level, std::uint64_t keyword) const noexcept {
        if (mask.load(std::memory_order_relaxed) == 0) [[likely]] {
            return false;
        }
        return event_level <= level.load(std::memory_order_relaxed) && accepts_keyword(keyword);
    }

    bool accepts_keyword(std::uint64_t keyword) const noexcept {
        if (keyword == 0) {
            return accepts_keyword_0.load(std::memory_order_relaxed);
        }
        const std::uint64_t all = match_all.load(std::memory_order_relaxed);
        return (keyword & match_any.load(std::memory_order_relaxed)) != 0 && (keyword & all) == all;
    }
};

/// Options of EventWriteEx and EventWriteFull, including EVENT_WRITE_FLAG.
struct WriteOptions {
    const Guid* activity = nullptr; // null: that of the thread (activity.hpp)
    const Guid* related = nullptr;  // null: none
    /// EventWriteEx.Filter: bits of EnableNotification::session_bit.
    std::uint64_t excluded_sessions = 0;
    bool is_in_private = false; // EVENT_WRITE_FLAG_INPRIVATE
    bool is_string = false;     // EVENT_HEADER_FLAG_STRING_ONLY
    std::uint16_t property = 0; // EVENT_HEADER_PROPERTY_xxx
    /// Raw timestamp to use instead of the session clock (data descriptor type 3); null: none.
    const std::int64_t* time = nullptr;
};

/// The result of writing an event. `status` is the result of EventWrite: also success if no session
/// enabled the event, or if only independent sessions lost it.
struct WriteResult {
    Status status = Status::success;
    std::uint8_t written = 0; // sessions that recorded it
    std::uint8_t lost = 0;    // sessions that accepted it but lost it
};

/// Registered from construction (Runtime::add) to destruction. Writing is thread-safe. Stop all
/// writes before moving or destroying it. It must not outlive its runtime.
class Registration {
public:
    Registration() noexcept = default; // empty: never enabled
    Registration(Registration&& other) noexcept;
    Registration& operator=(Registration&& other) noexcept;
    /// Waits for a callback that is running in another thread.
    ~Registration();

    /// Returns whether any session enabled the provider. Costs one load and one branch.
    bool is_enabled() const noexcept { return state_->mask.load(std::memory_order_relaxed) != 0; }

    /// Returns whether a session may accept such an event, like EventEnabled. If true, the event
    /// may still be filtered.
    bool is_enabled(std::uint8_t level, std::uint64_t keyword) const noexcept {
        return state_->accepts(level, keyword);
    }

    /// Writes an event to all sessions that accept it. The session sets time, IDs, and processor;
    /// those of `record` are ignored. Extended data items (traits, metadata) are copied, and so is
    /// the activity unless it is zero or overridden by `options`. No lock, allocation, or system
    /// call unless a buffer is full, except for sessions with stack walks: walking a stack may take
    /// the loader lock, and allocates on first use in each thread.
    WriteResult write(const format::EventRecord& record,
                      const WriteOptions& options = {}) const noexcept {
        if (!state_->accepts(record.descriptor.level, record.descriptor.keyword)) [[likely]] {
            return {};
        }
        return write_enabled(record, options);
    }

    /// Writes an event with these values. The record is created only if a session has enabled the
    /// provider. `event` stores it, so only one thread at a time may write the same object.
    template <typename Event, typename... Values>
        requires Composable<Event, Values...>
    WriteResult write(Event& event, const Values&... values) const {
        return is_enabled() ? write(event.record(provider::EventContext{}, values...))
                            : WriteResult{};
    }

    /// Writes an event whose payload is in several parts, like EventWrite. More than 128 parts:
    /// invalid_parameter.
    WriteResult write(const format::EventDescriptor& descriptor, std::span<const Bytes> parts,
                      const WriteOptions& options = {}) const noexcept;

    /// Writes UTF-16 text as an event without a schema, like EventWriteString.
    WriteResult write_string(std::uint8_t level, std::uint64_t keyword,
                             std::u16string_view text) const noexcept;

    /// Sets the provider traits (name, group) of a provider registered by GUID only. Errors:
    /// file_corrupt (docs/sessions.md#traits), gen_failure (already set), invalid_parameter
    /// (classic provider), outofmemory (more than 16 MB of distinct traits in the lifetime of the
    /// runtime).
    Outcome<void> set_traits(Bytes traits);

    /// Returns an opaque handle, nonzero if registered: the REGHANDLE of the compatibility headers.
    std::uint64_t handle() const noexcept { return handle_; }

private:
    friend class Runtime;

    Registration(Runtime& runtime, std::uint64_t handle, const EnableState& state) noexcept
        : runtime_(&runtime), handle_(handle), state_(&state) {}

    WriteResult write_enabled(const format::EventRecord& record,
                              const WriteOptions& options) const noexcept;

    static const EnableState disabled;

    Runtime* runtime_ = nullptr;
    std::uint64_t handle_ = 0;
    const EnableState* state_ = &disabled; // first member of the registration's node
};

} // namespace etl::session
