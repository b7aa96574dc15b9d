// Registration: a provider that a program registered, and how it writes events.
//     if (coffee.is_enabled(4, 0x1)) {
//         coffee.write(cup_finished, u"espresso", 93);
//     }
// docs/sessions.md#writing
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/format/encode.hpp>
#include <etl/format/event_descriptor.hpp>
#include <etl/provider/provider.hpp>
#include <etl/session/status.hpp>

#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <span>

namespace etl::session {

class Runtime;
class Registrations;

/// An event that creates its record from values: provider::StaticEvent, or without values
/// provider::SelfDescribingEvent.
template <typename Event, typename... Values>
concept Composable = requires(Event& event, const Values&... values) {
    { event.record(provider::EventContext{}, values...) } -> std::same_as<format::EventRecord>;
};

/// What a registration shows to those who write: whether anybody wants events, and which. Changed
/// by controllers at any moment. Memory of it lives as long as the runtime.
struct EnableState {
    /// Sessions that admit this registration: bits 0 to 7 by its provider's slots, 8 to 15 by its
    /// group's.
    std::atomic<std::uint32_t> mask{0};
    std::atomic<std::uint32_t> level{0}; // greatest of the sessions; 255: all
    std::atomic<std::uint64_t> match_any{0}, match_all{0};
    std::atomic<bool> accepts_keyword_0{false};

    /// Conservative: false when no session can want such an event.
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

/// EVENT_WRITE_FLAG and the rest that EventWriteEx and EventWriteFull can say.
struct WriteOptions {
    const Guid* activity = nullptr; // null: that of the thread (activity.hpp)
    const Guid* related = nullptr;  // null: none
    std::uint64_t excluded_sessions =
        0;                      // EventWriteEx.Filter: bits of EnableNotification::session_bit
    bool is_in_private = false; // EVENT_WRITE_FLAG_INPRIVATE
    bool is_string = false;     // EVENT_HEADER_FLAG_STRING_ONLY
    std::uint16_t property = 0; // EVENT_HEADER_PROPERTY_xxx
    /// Raw stamp in place of the session's clock (data descriptor type 3); null: none.
    const std::int64_t* time = nullptr;
};

/// What became of an event. `status` is what EventWrite returns: success also where nobody wanted
/// it, and where only independent sessions lost it.
struct WriteResult {
    Status status = Status::success;
    std::uint8_t written = 0; // sessions that have it
    std::uint8_t lost = 0;    // sessions that wanted it and counted it as lost
};

/// Registered from construction (Runtime::add) to destruction. Any number of threads may write
/// through it; it is moved and destroyed by one, when none writes any more. It must not outlive its
/// runtime.
class Registration {
public:
    Registration() noexcept = default; // of nothing: never enabled
    Registration(Registration&& other) noexcept;
    Registration& operator=(Registration&& other) noexcept;
    /// Waits for a callback that runs in another thread.
    ~Registration();

    /// Whether any session wants anything: one load and one branch.
    bool is_enabled() const noexcept { return state_->mask.load(std::memory_order_relaxed) != 0; }

    /// Whether some session may want an event like this: EventEnabled. True may still end in
    /// nothing written.
    bool is_enabled(std::uint8_t level, std::uint64_t keyword) const noexcept {
        return state_->accepts(level, keyword);
    }

    /// Writes an event to all sessions that want it. Time, ids and processor are the session's
    /// business: those of `record` are not looked at; its items (traits, metadata) are taken over,
    /// as is its activity unless it is zero or `options` say another. No lock, no allocation, no
    /// system call unless a buffer is full; but for a session that asked for stacks: finding a
    /// caller may take the loader's lock, and allocates at first in each thread.
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

    /// An event of parts that lie apart: EventWrite. More than 128 parts: invalid_parameter.
    WriteResult write(const format::EventDescriptor& descriptor, std::span<const Bytes> parts,
                      const WriteOptions& options = {}) const noexcept;

    /// EventWriteString: UTF-16 text as an event without a schema.
    WriteResult write_string(std::uint8_t level, std::uint64_t keyword,
                             std::u16string_view text) const noexcept;

    /// Provider traits (name, group) of one that was registered by its GUID alone. Errors:
    /// file_corrupt (docs/sessions.md#traits), gen_failure (has some), invalid_parameter (classic),
    /// outofmemory (more than 16 MB of different ones in the life of the runtime).
    Outcome<void> set_traits(Bytes traits);

    /// Opaque, never 0 for one that is registered: REGHANDLE of the compatibility headers.
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
    const EnableState* state_ = &disabled; // is the first member of the registration's node
};

} // namespace etl::session
