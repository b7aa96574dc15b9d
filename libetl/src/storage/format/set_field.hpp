// Sets single fields of a record in place, for every kind of record, using the layouts of
// records.hpp. Thread-safe. docs/format/record.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/guid.hpp>

#include "format/event_header.hpp"

#include <optional>
#include <span>
#include <vector>

namespace etl::format {

// `record` is a single record, without padding, for which record_at() returns `kind`.

/// Sets the raw timestamp. Absent in ERROR records, and in WPP messages and ULONG32 records without
/// a timestamp.
FieldPresence set_time(RecordKind kind, MutableBytes record, std::int64_t raw) noexcept;
FieldPresence set_process_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept;
FieldPresence set_thread_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept;
/// Sets the sequence number of a message. Absent in messages without one, and in all others.
FieldPresence set_sequence(RecordKind kind, MutableBytes record, std::uint32_t number) noexcept;
/// Sets CPU times in units of the trace's timer resolution. docs/format/record.md
FieldPresence set_cpu_times(RecordKind kind, MutableBytes record, std::uint32_t kernel,
                            std::uint32_t user) noexcept;
/// Sets the provider of an event, the class of a classic event, or the GUID of a message or WNODE.
FieldPresence set_provider(RecordKind kind, MutableBytes record, const Guid& guid,
                           Instances instances = Instances::with_guids) noexcept;
/// Sets the activity ID. EVENT records only.
FieldPresence set_activity(RecordKind kind, MutableBytes record, const Guid& guid) noexcept;

/// Sets the descriptor. Classic and kernel records use only the fields they have: version, opcode
/// (for kernel records, the low byte of the hook), and level; messages use `id` as the message
/// number.
FieldPresence set_descriptor(RecordKind kind, MutableBytes record,
                             const EventDescriptor& descriptor) noexcept;

/// Returns the offset of the raw timestamp; nothing if set_time() finds it absent.
std::optional<std::uint32_t> time_offset(RecordKind kind, Bytes record) noexcept;

/// Returns the offset of the payload, after the header, items, and counters. Items and counters
/// that do not parse are part of the payload, as in read_header.
std::size_t payload_offset(RecordKind kind, Bytes record,
                           Instances instances = Instances::with_guids) noexcept;

/// Returns whether the flags announce items or counters that do not parse. Readers treat those
/// bytes as payload.
bool has_invalid_flags(RecordKind kind, Bytes record) noexcept;

/// Clears such flags, so that they match the interpretation of readers.
void clear_invalid_flags(RecordKind kind, MutableBytes record) noexcept;

/// Appends to `to` the record with another payload. Header and items are unchanged except for the
/// size; flags for items or counters that do not parse are cleared. `payload` must not be inside
/// `to`. Errors: limit (max_record_size), unsupported (an INSTANCE record with handles would look
/// like one with GUIDs). On error nothing is appended.
Result<void> with_payload(RecordKind kind, Bytes record, Bytes payload, std::vector<std::byte>& to,
                          Instances instances = Instances::with_guids);

/// Appends to `to` an EVENT record with other extended data items, possibly none. Errors: limit,
/// unsupported (another kind). On error nothing is appended.
Result<void> with_items(RecordKind kind, Bytes record, std::span<const ExtendedItem> items,
                        std::vector<std::byte>& to);

} // namespace etl::format
