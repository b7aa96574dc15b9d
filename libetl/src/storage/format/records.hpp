// Layouts of the record headers, in disk order, with Windows' names. docs/format/record.md
#pragma once

#include <etl/guid.hpp>

#include "base/layout.hpp"

namespace etl::format {

/// Returns a field of a record that contains it.
template <auto field>
auto get_field(Bytes record) noexcept {
    return load_le<typename decltype(field)::type>(record.data() + field.offset);
}

/// Sets a field of a record that contains it.
template <auto field>
void put_field(MutableBytes record, typename decltype(field)::type value) noexcept {
    store_le(record.data() + field.offset, value);
}

/// Markers (byte 3).
inline constexpr std::uint8_t trace_header_marker = 0xC0;
inline constexpr std::uint8_t message_marker = 0x90;
inline constexpr std::uint8_t ulong32_marker = 0xA0;
inline constexpr std::uint8_t stamped_ulong32_marker = 0xB0;

/// SYSTEM_TRACE_HEADER; COMPACT is its first 0x18 bytes.
namespace system_record {
inline constexpr LayoutField<std::uint16_t> version{
    0x00}; // low byte: event version; high byte: counter flags
inline constexpr LayoutField<std::uint8_t> header_type{0x02};
inline constexpr LayoutField<std::uint8_t> marker{0x03};
inline constexpr LayoutField<std::uint16_t> size_{0x04};
inline constexpr LayoutField<std::uint16_t> hook_id{0x06}; // Packet.HookId: Group << 8 | Type
inline constexpr LayoutField<std::uint32_t> thread_id{0x08};
inline constexpr LayoutField<std::uint32_t> process_id{0x0C};
inline constexpr LayoutField<std::int64_t> system_time{0x10};
inline constexpr LayoutField<std::uint32_t> kernel_time{0x18};
inline constexpr LayoutField<std::uint32_t> user_time{0x1C};
inline constexpr std::size_t size = 0x20;
inline constexpr std::size_t compact_size = 0x18;
static_assert(tiles<size>(version, header_type, marker, size_, hook_id, thread_id, process_id,
                          system_time, kernel_time, user_time));
} // namespace system_record

/// PERFINFO_TRACE_HEADER
namespace perfinfo_record {
inline constexpr LayoutField<std::uint16_t> version{0x00};
inline constexpr LayoutField<std::uint8_t> header_type{0x02};
inline constexpr LayoutField<std::uint8_t> marker{0x03};
inline constexpr LayoutField<std::uint16_t> size_{0x04};
inline constexpr LayoutField<std::uint16_t> hook_id{0x06};
inline constexpr LayoutField<std::int64_t> system_time{0x08};
inline constexpr std::size_t size = 0x10;
static_assert(tiles<size>(version, header_type, marker, size_, hook_id, system_time));
} // namespace perfinfo_record

/// Flags in the high byte of Version of SYSTEM and PERFINFO headers. docs/format/record.md#counters
inline constexpr std::uint16_t has_pebs_index = 0x8000;
inline constexpr std::uint16_t counter_count_mask = 0x0700;

/// EVENT_TRACE_HEADER
namespace full_record {
inline constexpr LayoutField<std::uint16_t> size_{0x00};
inline constexpr LayoutField<std::uint8_t> header_type{0x02};
inline constexpr LayoutField<std::uint8_t> marker{0x03};
inline constexpr LayoutField<std::uint8_t> type{0x04};     // Class.Type: opcode
inline constexpr LayoutField<std::uint8_t> level{0x05};    // Class.Level
inline constexpr LayoutField<std::uint16_t> version{0x06}; // Class.Version
inline constexpr LayoutField<std::uint32_t> thread_id{0x08};
inline constexpr LayoutField<std::uint32_t> process_id{0x0C};
inline constexpr LayoutField<std::int64_t> time_stamp{0x10};
inline constexpr LayoutField<Guid> guid{0x18};
inline constexpr LayoutField<std::uint32_t> kernel_time{0x28};
inline constexpr LayoutField<std::uint32_t> user_time{0x2C};
inline constexpr std::size_t size = 0x30;
static_assert(tiles<size>(size_, header_type, marker, type, level, version, thread_id, process_id,
                          time_stamp, guid, kernel_time, user_time));
} // namespace full_record

/// EVENT_INSTANCE_GUID_HEADER: a full header followed by these fields. Layout 1.1 and later.
namespace instance_record {
inline constexpr LayoutField<std::uint32_t> instance_id{0x30};
inline constexpr LayoutField<std::uint32_t> parent_instance_id{0x34};
inline constexpr LayoutField<Guid> parent_guid{0x38};
inline constexpr std::size_t size = 0x48;
} // namespace instance_record

/// EVENT_INSTANCE_HEADER: the form before layout 1.1. Instead of GUIDs it has handles that were
/// valid only during the session.
namespace old_instance_record {
inline constexpr LayoutField<std::uint64_t> reg_handle{0x18};
inline constexpr LayoutField<std::uint32_t> instance_id{0x20};
inline constexpr LayoutField<std::uint32_t> parent_instance_id{0x24};
inline constexpr LayoutField<std::uint32_t> kernel_time{0x28};
inline constexpr LayoutField<std::uint32_t> user_time{0x2C};
inline constexpr LayoutField<std::uint64_t> parent_reg_handle{0x30};
inline constexpr std::size_t size = 0x38;
} // namespace old_instance_record

/// EVENT_HEADER as stored in a file
namespace event_record {
inline constexpr LayoutField<std::uint16_t> size_{0x00};
inline constexpr LayoutField<std::uint8_t> header_type{0x02};
inline constexpr LayoutField<std::uint8_t> marker{0x03};
inline constexpr LayoutField<std::uint16_t> flags{0x04};
inline constexpr LayoutField<std::uint16_t> event_property{0x06};
inline constexpr LayoutField<std::uint32_t> thread_id{0x08};
inline constexpr LayoutField<std::uint32_t> process_id{0x0C};
inline constexpr LayoutField<std::int64_t> time_stamp{0x10};
inline constexpr LayoutField<Guid> provider_id{0x18};
inline constexpr LayoutField<std::uint16_t> id{0x28};
inline constexpr LayoutField<std::uint8_t> version{0x2A};
inline constexpr LayoutField<std::uint8_t> channel{0x2B};
inline constexpr LayoutField<std::uint8_t> level{0x2C};
inline constexpr LayoutField<std::uint8_t> opcode{0x2D};
inline constexpr LayoutField<std::uint16_t> task{0x2E};
inline constexpr LayoutField<std::uint64_t> keyword{0x30};
inline constexpr LayoutField<std::uint32_t> kernel_time{0x38}; // or, with user_time, ProcessorTime
inline constexpr LayoutField<std::uint32_t> user_time{0x3C};
inline constexpr LayoutField<Guid> activity_id{0x40};
inline constexpr std::size_t size = 0x50;
static_assert(tiles<size>(size_, header_type, marker, flags, event_property, thread_id, process_id,
                          time_stamp, provider_id, id, version, channel, level, opcode, task,
                          keyword, kernel_time, user_time, activity_id));
} // namespace event_record

/// MESSAGE_TRACE_HEADER; optional fields follow without padding.
namespace message_record {
inline constexpr LayoutField<std::uint16_t> size_{0x00};
inline constexpr LayoutField<std::uint8_t> reserved{0x02};
inline constexpr LayoutField<std::uint8_t> marker{0x03};
inline constexpr LayoutField<std::uint16_t> number{0x04};
inline constexpr LayoutField<std::uint16_t> options{0x06};
inline constexpr std::size_t size = 0x08;
static_assert(tiles<size>(size_, reserved, marker, number, options));
inline constexpr std::uint16_t sequence = 0x0001;
inline constexpr std::uint16_t guid = 0x0002;
inline constexpr std::uint16_t component_id = 0x0004;
inline constexpr std::uint16_t time_stamp = 0x0008;
inline constexpr std::uint16_t performance_time_stamp = 0x0010;
inline constexpr std::uint16_t system_info = 0x0020;
inline constexpr std::uint16_t pointer32 = 0x0040;
inline constexpr std::uint16_t pointer64 = 0x0080;

/// Offsets of the optional fields; 0: absent.
struct Fields {
    std::uint8_t sequence = 0, component_id = 0, guid = 0, time = 0, system_info = 0;
    std::uint8_t end = 0; // of the header
};

constexpr Fields fields_of(std::uint16_t flags) noexcept {
    Fields fields;
    std::uint8_t at = message_record::size;
    const auto place = [&](bool is_present, std::uint8_t bytes) -> std::uint8_t {
        const std::uint8_t offset = is_present ? at : 0;
        at = static_cast<std::uint8_t>(at + (is_present ? bytes : 0));
        return offset;
    };
    const bool has_component = (flags & component_id) != 0; // excludes the GUID
    fields.sequence = place((flags & sequence) != 0, 4);
    fields.component_id = place(has_component, 4);
    fields.guid = place((flags & guid) != 0 && !has_component, sizeof(Guid));
    // Either flag reserves the space of a timestamp; only the first fills it.
    const std::uint8_t time = place((flags & (time_stamp | performance_time_stamp)) != 0, 8);
    fields.time = (flags & time_stamp) != 0 ? time : 0;
    fields.system_info = place((flags & system_info) != 0, 8); // thread ID, process ID
    fields.end = at;
    return fields;
}
} // namespace message_record

/// The 32-bit forms of Windows 2000.
namespace ulong32_record {
inline constexpr LayoutField<std::uint16_t> size_{0x00};
inline constexpr LayoutField<std::uint8_t> marker{0x03};
inline constexpr LayoutField<std::uint32_t> value{0x04};
inline constexpr LayoutField<std::int64_t> time_stamp{0x08}; // under marker 0xB0 only
inline constexpr std::size_t size = 0x08;
inline constexpr std::size_t stamped_size = 0x10;
} // namespace ulong32_record

/// TIMED_TRACE_HEADER
namespace timed_record {
inline constexpr LayoutField<std::uint16_t> size_{0x00};
inline constexpr LayoutField<std::uint8_t> header_type{0x02};
inline constexpr LayoutField<std::uint8_t> marker{0x03};
inline constexpr LayoutField<std::uint32_t> event_id{0x04};
inline constexpr LayoutField<std::int64_t> time_stamp{0x08}; // or the logger id
inline constexpr std::size_t size = 0x10;
static_assert(tiles<size>(size_, header_type, marker, event_id, time_stamp));
} // namespace timed_record

/// WNODE_HEADER; in records with marker 0xC00E, the first dword is size and marker.
namespace wnode_record {
inline constexpr LayoutField<std::uint32_t> buffer_size{0x00};
inline constexpr LayoutField<std::uint32_t> provider_id{0x04};
inline constexpr LayoutField<std::uint64_t> historical_context{0x08};
inline constexpr LayoutField<std::int64_t> time_stamp{0x10};
inline constexpr LayoutField<Guid> guid{0x18};
inline constexpr LayoutField<std::uint32_t> client_context{0x28};
inline constexpr LayoutField<std::uint32_t> flags{0x2C};
inline constexpr std::size_t size = 0x30;
static_assert(tiles<size>(buffer_size, provider_id, historical_context, time_stamp, guid,
                          client_context, flags));
} // namespace wnode_record

} // namespace etl::format
