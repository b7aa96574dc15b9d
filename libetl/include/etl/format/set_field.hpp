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
enum class Place : bool { none, found };

// `record` is one record whose record_at() gives `kind` (its size is the record's, without
// padding).

/// Raw, as the trace's clock counts. None: ERROR, WPP messages and ULONG32 without a stamp.
Place set_time(RecordKind kind, MutableBytes record, std::int64_t raw) noexcept;
Place set_process_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept;
Place set_thread_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept;
/// In units of the trace's timer resolution. docs/format/record.md
Place set_cpu_times(RecordKind kind, MutableBytes record, std::uint32_t kernel,
                    std::uint32_t user) noexcept;
/// The provider of an event, the class of a classic one, the GUID of a message or WNODE.
Place set_provider(RecordKind kind, MutableBytes record, const Guid& guid) noexcept;
/// EVENT records only.
Place set_activity(RecordKind kind, MutableBytes record, const Guid& guid) noexcept;

/// What EVENT_DESCRIPTOR says. Classic and kernel records take of it what they have: version,
/// opcode (of a kernel record: the low byte of its hook), level; a message its number from `id`.
struct Descriptor {
    std::uint16_t id = 0;
    std::uint8_t version = 0, channel = 0, level = 0, opcode = 0;
    std::uint16_t task = 0;
    std::uint64_t keyword = 0;
};

Place set_descriptor(RecordKind kind, MutableBytes record, const Descriptor& descriptor) noexcept;

/// Appends to `to` the record with another payload, its header and items as they are but for the
/// size. Errors: limit (over 65535 bytes; nothing is appended).
Result<void> with_payload(RecordKind kind, Bytes record, Bytes payload, std::vector<std::byte>& to);

/// Appends to `to` an EVENT record with other extended items. Errors: limit, unsupported (another
/// kind). Nothing is appended then.
Result<void> with_items(RecordKind kind, Bytes record, std::span<const ExtendedItem> items,
                        std::vector<std::byte>& to);

} // namespace etl::format
