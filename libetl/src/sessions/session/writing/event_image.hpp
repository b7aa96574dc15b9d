// EventImage: one event as it lies in buffers. What all sessions that get it have in common is
// gathered once; each adds the items that it asked for. docs/format/record.md#event
#pragma once

#include <etl/session.hpp>

#include "format/encode.hpp"
#include "host/process.hpp"
#include "session/writing/event_writer.hpp"

#include <cstdint>
#include <span>

namespace etl::session {

/// Properties that put items into events.
inline constexpr std::uint32_t item_properties =
    enable_property::sid | enable_property::terminal_session | enable_property::stack_trace |
    enable_property::process_start_key | enable_property::event_key;

class EventImage {
public:
    /// Event and options outlive it; the registration only until it is made.
    EventImage(const RegistrationNode& node, const EventInput& event,
               const WriteOptions& options) noexcept;

    /// Items for sessions with property stack_trace or event_key, the same in all of them.
    void set_stack(std::span<const std::uint64_t> addresses) noexcept { stack_ = addresses; }

    void set_key(std::uint64_t key) noexcept { key_ = key; }

    /// Bytes of the record, which must not exceed format::limits::payload_bytes, for a session that
    /// asked for these items.
    std::uint64_t size(std::uint32_t property) const noexcept {
        return (property & item_properties) == 0 ? plain_size_ : size_with_items(property);
    }

    /// The first dword of a record of this size: put down last.
    std::uint32_t first_dword(std::uint64_t size) const noexcept;

    enum class Session : std::uint8_t { ordinary, private_logger };

    std::uint8_t level() const noexcept { return event_->descriptor->level; }

    std::uint64_t keyword() const noexcept { return event_->descriptor->keyword; }

    /// Returns the processor on which it was written.
    std::uint16_t processor() const noexcept {
        return event_->origin != nullptr ? event_->origin->processor : host::current_processor();
    }

    /// Writes the record but for its first dword; `size` as told for this property.
    void put(const Place& place, std::uint64_t size, std::uint32_t property,
             Session session) const noexcept;

private:
    std::uint64_t size_with_items(std::uint32_t property) const noexcept;
    std::byte* put_items(std::byte* at, std::uint32_t property) const noexcept;

    Bytes sid(host::UserSid& own) const noexcept;

    Guid provider_;
    const EventInput* event_;
    const WriteOptions* options_;
    Bytes traits_; // of the registration; empty: none, or the event brings its own
    std::span<const std::uint64_t> stack_;
    std::uint64_t key_ = 0;
    std::uint64_t plain_size_ = 0; // in 64 bits also where addresses are shorter: of many parts
    bool has_items_ = false;       // without those that sessions ask for
};

} // namespace etl::session
