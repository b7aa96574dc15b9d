// An event into every session that wants it: the hot path. docs/session-internals.md#writing
#pragma once

#include <etl/format/encode.hpp>
#include <etl/session/registration.hpp>

#include "session/registrations.hpp"

#include <span>

namespace etl::session {

struct EventInput {
    const format::EventDescriptor* descriptor = nullptr;
    std::span<const Bytes> parts;
    std::span<const format::ExtendedItem> items; // of the event: traits, TraceLogging metadata
};

/// docs/sessions.md#writing: match, size, reserve in all sessions, copy; in none if one that is not
/// independent refuses.
WriteResult write_event(const RegistrationNode& node, const EventInput& event,
                        const WriteOptions& options) noexcept;

/// A record that comes with its header (TraceEvent, RELOG mode: with `processor`; else that of the
/// thread): bytes as they are but for the time stamp, where `stamp_at` says its offset. Checks are
/// the caller's.
WriteResult write_record(SessionCore& core, std::uint16_t ticket, Bytes record,
                         std::optional<std::uint32_t> stamp_at,
                         std::optional<std::uint16_t> processor) noexcept;

} // namespace etl::session
