// What a record says: the header that all kinds of records have in common, and a record of the
// kind that providers write. docs/format/record.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/guid.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace etl::format {

/// Size of a record: the size field of every record is 16 bits wide. docs/format/record.md
inline constexpr std::size_t max_record_size = 0xFFFF;

/// Nesting depth of structures in a schema. TraceLogging providers use two or three levels.
inline constexpr std::uint32_t max_struct_depth = 8;

/// All ones: no process or thread ID.
inline constexpr std::uint32_t unknown_id = 0xFFFFFFFF;

/// The size of pointers in the payload of a record: the 32 or 64 in the name of its kind.
enum class Width : std::uint8_t {
    none = 0, // the kind does not state it
    bits32 = 4,
    bits64 = 8,
};

/// EVENT_HEADER.Flags: flags stored in files, and flags added by consumers.
namespace event_flag {
inline constexpr std::uint16_t extended_info = 0x0001;
inline constexpr std::uint16_t private_session = 0x0002;
inline constexpr std::uint16_t string_only = 0x0004;
inline constexpr std::uint16_t trace_message = 0x0008;
inline constexpr std::uint16_t no_cpu_time = 0x0010;
inline constexpr std::uint16_t header_32_bit = 0x0020;
inline constexpr std::uint16_t header_64_bit = 0x0040;
inline constexpr std::uint16_t decode_guid = 0x0080;
inline constexpr std::uint16_t classic_header = 0x0100;
inline constexpr std::uint16_t processor_index = 0x0200;
/// Those that a file stores. What it contains at the other bits, which a consumer derives from the
/// kind of record, means nothing.
inline constexpr std::uint16_t stored =
    extended_info | private_session | string_only | no_cpu_time | decode_guid;
} // namespace event_flag

/// docs/format/record.md#event
struct EventDescriptor {
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::uint8_t channel = 0;
    std::uint8_t level = 0;
    std::uint8_t opcode = 0;
    std::uint16_t task = 0;
    std::uint64_t keyword = 0;
};

/// The channel of TraceLogging events.
inline constexpr std::uint8_t tracelogging_channel = 11;

/// EVENT_HEADER_EXT_TYPE_*. Other values are kept.
enum class ItemType : std::uint16_t {
    related_activity_id = 1,
    sid = 2,
    terminal_session_id = 3,
    instance_info = 4,
    stack_trace32 = 5,
    stack_trace64 = 6,
    pebs_index = 7,
    pmc_counters = 8,
    psm_key = 9,
    event_key = 10,
    event_schema_tl = 11,
    provider_traits = 12,
    process_start_key = 13,
    control_guid = 14,
    qpc_delta = 15,
    container_id = 16,
    stack_key32 = 17,
    stack_key64 = 18,
};

struct ExtendedItem {
    ItemType type{};
    Bytes data; // DataSize bytes, in place
};

/// Iterates over the extended data items of a record (EventHeader::items). A value.
///
///     etl::format::ExtendedItems items(event.header().items);
///     for (etl::format::ExtendedItem item; items.next(item);) { ... }
///
/// docs/format/record.md#extended
class ExtendedItems {
public:
    /// Items of one record: Windows attaches a few; a record cannot contain more than 8191.
    static constexpr std::uint32_t max = 64;

    /// `rest` begins with the first item and may extend beyond the last one, to the end of the
    /// record.
    explicit ExtendedItems(Bytes rest) noexcept : rest_(rest) {}

    /// Gets the next item, a view of the record. Returns false at the end or at a malformed item
    /// (is_malformed()). The item whose linkage bit is clear is the last one.
    bool next(ExtendedItem& item) noexcept {
        constexpr std::size_t head_size = 8;
        if (!more_) {
            return false;
        }
        if (rest_.size() < at_ + head_size || count_ == max) {
            return stop();
        }
        const std::byte* const head = rest_.data() + at_;
        const std::uint32_t total = load_le<std::uint16_t>(head);
        const std::uint32_t size = load_le<std::uint16_t>(head + 6);
        if (total < head_size || size > total - head_size || total > rest_.size() - at_) {
            return stop();
        }
        item = {static_cast<ItemType>(load_le<std::uint16_t>(head + 2)),
                rest_.subspan(at_ + head_size, size)};
        more_ = (load_le<std::uint16_t>(head + 4) & 1U) != 0;
        at_ += total;
        ++count_;
        return true;
    }

    bool is_malformed() const noexcept { return malformed_; }

    /// Returns the bytes used by the items so far; after the last item, the offset of the payload.
    std::size_t position() const noexcept { return at_; }

private:
    bool stop() noexcept {
        more_ = false;
        malformed_ = true;
        return false;
    }

    Bytes rest_;
    std::size_t at_ = 0;
    std::uint32_t count_ = 0;
    bool more_ = true;
    bool malformed_ = false;
};

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

/// An EVENT record: what modern providers write. Views.
struct EventRecord {
    Width width = Width::bits64;
    std::uint16_t flags = 0; // event_flag; EXTENDED_INFO is set according to `items`
    std::uint16_t property = 0;
    std::uint32_t process_id = unknown_id, thread_id = unknown_id;
    std::int64_t time = 0;
    Guid provider{};
    EventDescriptor descriptor{};
    std::uint32_t kernel_time = 0, user_time = 0; // together ProcessorTime in private sessions
    Guid activity{};
    std::span<const ExtendedItem> items{};
    Bytes payload{};
};

/// Whether a record has the field to set. If absent, the record is unchanged.
enum class FieldPresence : bool { absent, present };

/// Returns the GUID that TraceLogging and EventSource derive from a provider name. decoding.md part
/// 2.4.
Guid guid_of_provider_name(std::string_view name);

} // namespace etl::format
