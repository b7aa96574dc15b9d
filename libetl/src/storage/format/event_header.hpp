// EventHeader: the header of a record in one form for all kinds, read and encoded.
// docs/format/record.md#normalised
#pragma once

#include "format/event_descriptor.hpp"
#include "format/extended_data.hpp"
#include "format/record_kind.hpp"

namespace etl::format {

/// All ones: no process or thread ID.
inline constexpr std::uint32_t unknown_id = 0xFFFFFFFF;

/// A record's header as a consumer on Windows sees it (EVENT_RECORD): the fields of all families.
/// A record has those of its family; the others keep their default. Classic records have version,
/// level, and opcode of a descriptor; kernel records version and opcode; WPP messages the ID, which
/// is the message number. Views of the record.
struct EventHeader : EventDescriptor {
    Guid provider; // the class GUID for kernel records
    Guid activity;
    std::uint64_t cpu_time = 0; // ProcessorTime in private sessions, otherwise kernel | user << 32
    std::uint32_t process_id = unknown_id;
    std::uint32_t thread_id = unknown_id;
    std::uint32_t kernel_time = 0; // in units of the trace's timer resolution
    std::uint32_t user_time = 0;
    std::uint32_t instance_id = 0, parent_instance_id = 0; // INSTANCE records
    Guid parent_guid;
    std::uint16_t flags = 0;           // event_flag, including consumer flags
    std::uint16_t property = 0;        // EventProperty
    std::uint16_t hook_id = 0;         // kernel records: Group << 8 | Type
    std::uint16_t message_options = 0; // WPP: flags of message_record
    std::uint8_t pointer_size = 8;     // of the payload
    bool is_kernel = false;            // SYSTEM, COMPACT, or PERFINFO: hook_id is valid
    bool has_cpu_times = false;        // kernel_time and user_time are stored
    /// Extended data items do not parse; the payload is everything after the fixed header.
    bool has_invalid_items = false;
    /// Extended data items of an EVENT record, for ExtendedItems; otherwise empty.
    Bytes items;
    Bytes pebs;                 // 8 bytes, or empty
    Bytes counters;             // 8 bytes each, or empty
    Bytes payload;              // UserData
    std::uint32_t sequence = 0; // WPP SEQUENCE field
    bool has_sequence = false;
    std::uint32_t component_id = 0; // WPP COMPONENTID field
    bool has_component_id = false;
};

/// Form of INSTANCE records: before layout 1.1, they have handles instead of GUIDs. Records too
/// small for GUIDs always have handles. docs/format/record.md#instance
enum class Instances : std::uint8_t { with_guids, with_handles };

/// Returns the header of a single record, without padding, for which record_at() returns `kind`.
/// Cannot fail: record_at() has verified the fixed part. `pointer_size`: that of the trace, for
/// records that do not state theirs.
EventHeader read_header(RecordKind kind, Bytes record, std::uint8_t pointer_size,
                        Instances instances = Instances::with_guids) noexcept;

} // namespace etl::format
