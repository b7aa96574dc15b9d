// An event into every session that wants it: the hot path. docs/session-internals.md#writing
#pragma once

#include <etl/session.hpp>

#include "format/encode.hpp"
#include "session/providers/registrations.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace etl::session {

// Numbers that no two callers in this process get, from 1 on. Any thread; most calls touch nothing
// that threads share.

std::uint64_t unique_number() noexcept;

/// What an event of another process has instead of what this process would put in: a host takes it
/// over (room machine).
struct EventOrigin {
    std::uint32_t process_id = 0, thread_id = 0;
    std::uint16_t processor = 0;
    /// How far its time is before that of the runtime, in 100 ns: its record came late.
    std::int64_t late_by = 0;
    Bytes sid{};
    std::uint64_t start_key = 0;
    std::uint64_t event_key = 0;
    std::span<const std::uint64_t> stack{};
};

struct EventInput {
    const format::EventDescriptor* descriptor = nullptr;
    std::span<const Bytes> parts{};
    /// Items of the event: TraceLogging metadata, and traits if its registration has none.
    std::span<const format::ExtendedItem> items{};
    format::Width width = format::Width::bits64; // of pointers in the payload
    const EventOrigin* origin = nullptr;         // null: this process
};

/// Parts of one event: MAX_EVENT_DATA_DESCRIPTORS.
inline constexpr std::size_t max_parts = 128;

/// EventWriteEx behind its check of descriptor and handle. docs/sessions.md#writing: parts, then
/// match, size, reserve in all sessions, copy; in none if one that is not independent refuses.
WriteResult write_event(const RegistrationNode& node, const EventInput& event,
                        const WriteOptions& options) noexcept;

/// A record that comes with its header (TraceEvent, RELOG mode: with `processor`; else that of the
/// thread): bytes as they are but for the time stamp, where `stamp_at` says its offset, behind the
/// first dword. Checks of the record are the caller's; it has at least 4 bytes.
WriteResult write_record(SessionCore& core, std::uint16_t ticket, Bytes record,
                         std::optional<std::uint32_t> stamp_at,
                         std::optional<std::uint16_t> processor) noexcept;

} // namespace etl::session
