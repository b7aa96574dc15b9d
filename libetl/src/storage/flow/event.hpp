// Event: location and time of one record. EventHeader: its header in one form for all kinds of
// records. Views; valid until the next call of the source that returned them (see flow/source.hpp).
#pragma once

#include "base/guid.hpp"
#include "base/layout.hpp"
#include "flow/trace_info.hpp"
#include "format/extended_data.hpp"
#include "format/record_kind.hpp"

namespace etl::flow {

/// The buffer that contains an event's record.
struct BufferContext {
    const TraceInfo* trace = nullptr;
    Bytes bytes;               // decompressed, starting with the buffer header
    FileOffset where{};        // offset of the buffer in the file
    std::uint64_t number = 0;  // index in the file; 0 is the header buffer
    std::int64_t sequence = 0; // SequenceNumber
    std::uint16_t processor = 0;
    std::uint16_t logger_id = 0;
    std::uint16_t flags = 0; // BufferFlag
    /// The input of a merge that the events come from: its place in TraceInfo::merged_inputs, from
    /// 1; 0: of none of them, or unknown.
    std::uint16_t merged_input = 0;
    bool is_mapped = false; // bytes are in TraceInfo::backing, at `where`
};

/// A record that is completely inside its buffer. 32 bytes; trivially copyable.
struct Event {
    const std::byte* record = nullptr;
    std::int64_t raw_time = 0; // session clock; without has_time, that of the previous record
    const BufferContext* buffer = nullptr;
    std::uint32_t size = 0; // size of the record without padding
    format::RecordKind kind = format::RecordKind::none;
    bool has_time = true;

    Bytes bytes() const noexcept { return {record, size}; }

    /// Returns the offset of the record in the decompressed buffer.
    std::uint32_t offset() const noexcept {
        return static_cast<std::uint32_t>(record - buffer->bytes.data());
    }

    const TraceInfo& trace() const noexcept { return *buffer->trace; }

    Filetime time() const noexcept { return buffer->trace->clock.to_filetime(raw_time); }
};

static_assert(sizeof(Event) == 32);

/// All ones: the record stores no process or thread ID.
inline constexpr std::uint32_t no_id = 0xFFFFFFFF;

/// A record's header as a consumer on Windows sees it (EVENT_RECORD), for every kind of record.
/// docs/format/record.md#normalised
struct EventHeader {
    Guid provider; // the class GUID for kernel records
    Guid activity;
    std::uint64_t keyword = 0;
    std::uint64_t cpu_time = 0; // ProcessorTime in private sessions, otherwise kernel | user << 32
    std::uint32_t process_id = no_id;
    std::uint32_t thread_id = no_id;
    std::uint32_t kernel_time = 0;
    std::uint32_t user_time = 0;
    std::uint32_t instance_id = 0, parent_instance_id = 0; // INSTANCE records
    Guid parent_guid;
    std::uint16_t id = 0; // the message number for WPP
    std::uint16_t task = 0;
    std::uint16_t flags = 0;    // format::event_flag, including consumer flags
    std::uint16_t property = 0; // EventProperty
    std::uint16_t hook_id = 0;  // kernel records: Group << 8 | Type
    std::uint8_t version = 0;
    std::uint8_t channel = 0;
    std::uint8_t level = 0;
    std::uint8_t opcode = 0;
    std::uint8_t pointer_size = 8; // of the payload
    bool is_kernel = false;        // SYSTEM, COMPACT, or PERFINFO: hook_id is valid
    bool has_cpu_times = false;    // kernel_time and user_time are stored
    /// Extended data items do not parse; the payload is everything after the fixed header.
    bool has_invalid_items = false;
    /// Extended data items of an EVENT record, for format::ExtendedItems; otherwise empty.
    Bytes items;
    Bytes pebs;                 // 8 bytes, or empty
    Bytes counters;             // 8 bytes each, or empty
    Bytes payload;              // UserData
    std::uint32_t sequence = 0; // WPP SEQUENCE field
    bool has_sequence = false;
    std::uint32_t component_id = 0; // WPP COMPONENTID field
    bool has_component_id = false;
};

/// Returns the header of a record. Cannot fail: the fixed part was validated when the event was
/// found.
EventHeader read_header(const Event& event) noexcept;

/// Returns the first item of a type, or an empty view with type 0. Linear in the number of items.
format::ExtendedItem find_item(const EventHeader& header, format::ItemType type) noexcept;

/// Returns a field of the record header as stored: `stored<format::full_record::type>(event)`. The
/// kind of the record must have that field.
template <auto field>
auto stored(const Event& event) noexcept {
    return load_le<typename decltype(field)::type>(event.record + field.offset);
}

} // namespace etl::flow
