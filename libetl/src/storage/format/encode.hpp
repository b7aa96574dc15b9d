// Encoders for all kinds of records: the inverse of record_at and of the layouts in records.hpp.
// Values; thread-safe. docs/format/record.md
#pragma once

#include <etl/byte_writer.hpp>
#include <etl/error.hpp>
#include <etl/guid.hpp>
#include <etl/record.hpp>

#include "format/event_header.hpp"

#include <optional>
#include <span>

namespace etl::format {

/// Performance counters between a kernel header and its payload. docs/format/record.md#counters
struct Counters {
    std::optional<std::uint64_t> pebs_index{};
    std::span<const std::uint64_t> values{}; // at most 7
};

struct SystemRecord {
    Width width = Width::bits64;
    std::uint8_t version = 0;
    std::uint16_t hook_id = 0; // Group << 8 | Type
    std::uint32_t process_id = unknown_id, thread_id = unknown_id;
    std::int64_t time = 0; // raw
    std::uint32_t kernel_time = 0, user_time = 0;
    Counters counters{};
    Bytes payload{};
};

struct CompactRecord {
    Width width = Width::bits64;
    std::uint8_t version = 0;
    std::uint16_t hook_id = 0;
    std::uint32_t process_id = unknown_id, thread_id = unknown_id;
    std::int64_t time = 0;
    Counters counters{};
    Bytes payload{};
};

struct PerfinfoRecord {
    Width width = Width::bits64;
    std::uint8_t version = 0;
    std::uint16_t hook_id = 0;
    std::int64_t time = 0;
    Counters counters{};
    Bytes payload{};
};

struct FullRecord {
    Width width = Width::bits64;
    std::uint8_t opcode = 0, level = 0;
    std::uint16_t version = 0;
    std::uint32_t process_id = unknown_id, thread_id = unknown_id;
    std::int64_t time = 0;
    Guid event_class{};
    std::uint32_t kernel_time = 0, user_time = 0;
    Bytes payload{};
};

struct InstanceRecord {
    Width width = Width::bits64;
    std::uint8_t opcode = 0, level = 0;
    std::uint16_t version = 0;
    std::uint32_t process_id = unknown_id, thread_id = unknown_id;
    std::int64_t time = 0;
    Guid event_class{};
    std::uint32_t kernel_time = 0, user_time = 0;
    std::uint32_t instance_id = 0, parent_instance_id = 0;
    Guid parent_class{};
    Bytes payload{};
};

struct ThreadAndProcess {
    std::uint32_t thread_id = 0, process_id = 0;
};

/// A WPP message. Each field with a value sets its option flag.
struct MessageRecord {
    std::uint16_t number = 0;
    std::optional<Width> width{}; // POINTER32, POINTER64, or neither
    std::optional<std::uint32_t> sequence{};
    std::optional<std::uint32_t> component_id{}; // excludes `guid` from the record
    std::optional<Guid> guid{};
    std::optional<std::int64_t> time{};
    /// PERFORMANCE_TIMESTAMP: space for a timestamp, set only if `time` is set.
    bool reserves_time = false;
    std::optional<ThreadAndProcess> system_info{};
    Bytes payload{};
};

/// WNODE_HEADER, either size-first (bit 31 clear) or under marker 0xC00E.
struct WnodeRecord {
    enum class Form : std::uint8_t { size_first, marked };
    Form form = Form::size_first;
    std::uint32_t provider_id = 0;
    std::uint64_t historical_context = 0;
    std::int64_t time = 0;
    Guid guid{};
    std::uint32_t client_context = 0, flags = 0;
    Bytes payload{};
};

struct TimedRecord {
    std::uint32_t event_id = 0;
    std::int64_t time = 0;
    Bytes payload{};
};

/// An event that failed to log. Only its size is known.
struct ErrorRecord {
    Bytes payload{}; // bytes after the first dword
};

/// The 32-bit forms of Windows 2000: marker 0xA0, or 0xB0 with a timestamp.
struct Ulong32Record {
    std::uint32_t value = 0;
    std::optional<std::int64_t> time{};
    Bytes payload{};
};

/// Appends one record. Records are aligned to 8 bytes relative to their buffer, so `to` must begin
/// with the buffer or with a record: it is first padded with zeros to a multiple of 8, and ends
/// with the last byte of the record. Errors: limit (max_record_size, more than
/// ExtendedItems::max items), invalid_option (more than 7 counters). On error nothing is
/// appended.
Result<void> encode(const SystemRecord& record, ByteWriter& to);
Result<void> encode(const CompactRecord& record, ByteWriter& to);
Result<void> encode(const PerfinfoRecord& record, ByteWriter& to);
Result<void> encode(const FullRecord& record, ByteWriter& to);
Result<void> encode(const InstanceRecord& record, ByteWriter& to);
Result<void> encode(const EventRecord& record, ByteWriter& to);
Result<void> encode(const MessageRecord& record, ByteWriter& to);
Result<void> encode(const WnodeRecord& record, ByteWriter& to);
Result<void> encode(const TimedRecord& record, ByteWriter& to);
Result<void> encode(const ErrorRecord& record, ByteWriter& to);
Result<void> encode(const Ulong32Record& record, ByteWriter& to);

/// Appends a record of `kind` with the fields of `header` that the kind has: the inverse of
/// read_header. `time` is raw; nothing, for WPP messages and ULONG32: a record without a timestamp.
/// What no header contains is 0. Extended items are stored as they are, and EXTENDED_INFO is set if
/// there are any. `header.pointer_size` and the flags of consumers are not used. Errors: those
/// above; unsupported (RecordKind::none).
Result<void> encode(RecordKind kind, const EventHeader& header, std::optional<std::int64_t> time,
                    ByteWriter& to);

/// Appends extended data items as stored after an event header: linkage set on all but the last,
/// zero padding. Errors: limit (count, or the size of an item).
Result<void> encode_items(std::span<const ExtendedItem> items, ByteWriter& to);

} // namespace etl::format
