// Event: where one record lies and when it happened. EventHeader: everything its header says, for
// all kinds of record in one form. Views: valid until the source that gave them is asked for more
// (see flow/source.hpp).
#pragma once

#include <etl/base/guid.hpp>
#include <etl/base/layout.hpp>
#include <etl/flow/trace_info.hpp>
#include <etl/format/extended_data.hpp>
#include <etl/format/record_kind.hpp>

namespace etl::flow {

/// The buffer that holds an event's record.
struct BufferContext {
    const TraceInfo* trace = nullptr;
    Bytes bytes;               // uncompressed, from the buffer header on
    FileOffset where{};        // of the buffer in the file
    std::uint64_t number = 0;  // in the file; 0 is the header buffer
    std::int64_t sequence = 0; // SequenceNumber
    std::uint16_t processor = 0;
    std::uint16_t logger_id = 0;
    std::uint16_t flags = 0; // BufferFlag
    bool is_mapped = false;  // bytes lie in TraceInfo::backing, at `where`
};

/// A record that lies whole inside its buffer. 32 bytes; trivially copyable.
struct Event {
    const std::byte* record = nullptr;
    std::int64_t raw_time =
        0; // the session's clock; that of the record before where has_time is false
    const BufferContext* buffer = nullptr;
    std::uint32_t size = 0; // of the record without padding
    format::RecordKind kind = format::RecordKind::none;
    bool has_time = true;

    Bytes bytes() const noexcept { return {record, size}; }

    /// Offset of the record in the uncompressed buffer.
    std::uint32_t offset() const noexcept {
        return static_cast<std::uint32_t>(record - buffer->bytes.data());
    }

    const TraceInfo& trace() const noexcept { return *buffer->trace; }

    Filetime time() const noexcept { return buffer->trace->clock.to_filetime(raw_time); }
};

static_assert(sizeof(Event) == 32);

/// All ones: the record stores no process or thread.
inline constexpr std::uint32_t no_id = 0xFFFFFFFF;

/// A record's header as a consumer on Windows would see it (EVENT_RECORD), whatever the kind.
/// docs/format/record.md #normalised
struct EventHeader {
    Guid provider; // kernel records: the class GUID
    Guid activity;
    std::uint64_t keyword = 0;
    std::uint64_t cpu_time = 0; // ProcessorTime of private sessions, else kernel | user << 32
    std::uint32_t process_id = no_id;
    std::uint32_t thread_id = no_id;
    std::uint32_t kernel_time = 0;
    std::uint32_t user_time = 0;
    std::uint32_t instance_id = 0, parent_instance_id = 0; // INSTANCE records
    Guid parent_guid;
    std::uint16_t id = 0; // WPP: the message number
    std::uint16_t task = 0;
    std::uint16_t flags = 0;    // format::event_flag, those of the consumer included
    std::uint16_t property = 0; // EventProperty
    std::uint16_t hook_id = 0;  // kernel records: Group << 8 | Type
    std::uint8_t version = 0;
    std::uint8_t channel = 0;
    std::uint8_t level = 0;
    std::uint8_t opcode = 0;
    std::uint8_t pointer_size = 8; // of the payload
    bool is_kernel = false;        // SYSTEM, COMPACT or PERFINFO: hook_id is valid
    bool has_cpu_times = false;    // kernel_time and user_time are stored
    bool has_invalid_items =
        false;      // extended items do not parse: the payload is what follows the fixed header
    Bytes items;    // extended items of an EVENT record, for format::ExtendedItems; else empty
    Bytes pebs;     // 8 bytes, or empty
    Bytes counters; // 8 bytes each, or empty
    Bytes payload;  // UserData
    std::uint32_t sequence = 0; // WPP SEQUENCE field
    bool has_sequence = false;
    std::uint32_t component_id = 0; // WPP COMPONENTID field
    bool has_component_id = false;
};

/// Reads the header of a record. Never fails: the record's fixed part was proved when the event was
/// found.
EventHeader read_header(const Event& event) noexcept;

/// The first item of a type, or an empty view with type 0. Cost: a walk over the items.
format::ExtendedItem find_item(const EventHeader& header, format::ItemType type) noexcept;

/// A field of the header that the record of an event begins with, as it is stored:
/// `stored<format::full_record::type>(event)`. The event is of a kind that has it.
template <auto field>
auto stored(const Event& event) noexcept {
    return load_le<typename decltype(field)::type>(event.record + field.offset);
}

} // namespace etl::flow
