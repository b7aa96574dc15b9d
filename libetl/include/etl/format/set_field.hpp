// Writes single facts into a record where it lies in memory, whatever its kind: the places are
// those of records.hpp. Values; any thread. docs/format/record.md
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/guid.hpp>
#include <etl/base/result.hpp>
#include <etl/format/extended_data.hpp>
#include <etl/format/record_kind.hpp>

#include <span>
#include <vector>

namespace etl::format {

/// Whether a record has a place for what was to be set. Where it has none it is as it was.
enum class FieldPresence : bool { absent, present };

// `record` is one record whose record_at() gives `kind` (its size is the record's, without
// padding).

/// Raw, as the trace's clock counts. None: ERROR, WPP messages and ULONG32 without a stamp.
FieldPresence set_time(RecordKind kind, MutableBytes record, std::int64_t raw) noexcept;
FieldPresence set_process_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept;
FieldPresence set_thread_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept;
/// In units of the trace's timer resolution. docs/format/record.md
FieldPresence set_cpu_times(RecordKind kind, MutableBytes record, std::uint32_t kernel,
                            std::uint32_t user) noexcept;
/// Before layout 1.1 of a trace its INSTANCE records have handles in place of GUIDs; so have those
/// that are too small for GUIDs, whatever was given. docs/format/record.md#instance
enum class Instances : std::uint8_t { with_guids, with_handles };

/// The provider of an event, the class of a classic one, the GUID of a message or WNODE.
FieldPresence set_provider(RecordKind kind, MutableBytes record, const Guid& guid,
                           Instances instances = Instances::with_guids) noexcept;
/// EVENT records only.
FieldPresence set_activity(RecordKind kind, MutableBytes record, const Guid& guid) noexcept;

/// What EVENT_DESCRIPTOR says. Classic and kernel records take of it what they have: version,
/// opcode (of a kernel record: the low byte of its hook), level; a message its number from `id`.
struct Descriptor {
    std::uint16_t id = 0;
    std::uint8_t version = 0, channel = 0, level = 0, opcode = 0;
    std::uint16_t task = 0;
    std::uint64_t keyword = 0;
};

FieldPresence set_descriptor(RecordKind kind, MutableBytes record,
                             const Descriptor& descriptor) noexcept;

/// Where the payload begins: behind the header, its items and counters. Items and counters that do
/// not parse are payload, as flow::read_header has it.
std::size_t payload_offset(RecordKind kind, Bytes record,
                           Instances instances = Instances::with_guids) noexcept;

/// Whether the record claims to have items or counters that do not parse: every reader takes them
/// for payload.
bool has_invalid_flags(RecordKind kind, Bytes record) noexcept;

/// Takes such a claim back, so that the record says what readers make of it.
void clear_invalid_flags(RecordKind kind, MutableBytes record) noexcept;

/// Appends to `to` the record with another payload, its header and items as they are but for the
/// size; a claim to have items or counters that do not parse goes with the old payload.
/// Errors: limit (over 65535 bytes), unsupported (an INSTANCE record with handles would be taken
/// for one with GUIDs). Nothing is appended then. `payload` does not lie in `to`.
Result<void> with_payload(RecordKind kind, Bytes record, Bytes payload, std::vector<std::byte>& to,
                          Instances instances = Instances::with_guids);

/// Appends to `to` an EVENT record with other extended items, none included. Errors: limit,
/// unsupported (another kind). Nothing is appended then.
Result<void> with_items(RecordKind kind, Bytes record, std::span<const ExtendedItem> items,
                        std::vector<std::byte>& to);

} // namespace etl::format
