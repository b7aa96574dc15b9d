#include <etl/format/encode.hpp>
#include <etl/format/limits.hpp>
#include <etl/format/record_kind.hpp>
#include <etl/format/records.hpp>

#include "format/record_family.hpp"

#include <array>

namespace etl::format {

namespace {

constexpr std::size_t item_head = 8;
constexpr std::size_t most_counters = 7; // three bits of Version
constexpr std::uint8_t trace_header = 0xC0;
constexpr std::uint8_t message_header = 0x90;

constexpr std::uint8_t type_of(Width width, std::uint8_t narrow, std::uint8_t wide) noexcept {
    return width == Width::bits32 ? narrow : wide;
}

Result<std::uint16_t> fitting(std::size_t size) {
    if (size > largest_record) {
        return fail(ErrorCode::limit, "record size", {}, largest_record, size);
    }
    return static_cast<std::uint16_t>(size);
}

template <std::size_t N>
void append(const std::array<std::byte, N>& head, ByteWriter& to) {
    to.align(8).bytes(head);
}

std::size_t size_of(const Counters& counters) noexcept {
    return (counters.pebs_index ? 8U : 0U) + 8U * counters.values.size();
}

// The event version and what follows the header.
std::uint16_t version_field(std::uint8_t version, const Counters& counters) noexcept {
    const auto count = static_cast<std::uint16_t>(counters.values.size() << 8U);
    return static_cast<std::uint16_t>(version | count |
                                      (counters.pebs_index ? has_pebs_index : 0U));
}

void append(const Counters& counters, ByteWriter& to) {
    if (counters.pebs_index) {
        to.u64(*counters.pebs_index);
    }
    for (const std::uint64_t value : counters.values) {
        to.u64(value);
    }
}

Result<std::uint16_t> kernel_size(std::size_t header, const Counters& counters, Bytes payload) {
    if (counters.values.size() > most_counters) {
        return fail(ErrorCode::invalid_option, "performance counters", {}, most_counters,
                    counters.values.size());
    }
    return fitting(header + size_of(counters) + payload.size());
}

/// What FULL and INSTANCE headers share.
template <std::size_t N, typename Record>
void store_classic(std::span<std::byte, N> head, const Record& record) noexcept {
    store<full_record::marker>(head, trace_header);
    store<full_record::type>(head, record.opcode);
    store<full_record::level>(head, record.level);
    store<full_record::version>(head, record.version);
    store<full_record::thread_id>(head, record.thread_id);
    store<full_record::process_id>(head, record.process_id);
    store<full_record::time_stamp>(head, record.time);
    store<full_record::guid>(head, record.event_class);
    store<full_record::kernel_time>(head, record.kernel_time);
    store<full_record::user_time>(head, record.user_time);
}

/// What SYSTEM and COMPACT headers share.
template <std::size_t N, typename Record>
void store_kernel(std::span<std::byte, N> head, const Record& record, std::uint16_t size) noexcept {
    store<system_record::version>(head, version_field(record.version, record.counters));
    store<system_record::marker>(head, trace_header);
    store<system_record::size_>(head, size);
    store<system_record::hook_id>(head, record.hook_id);
    store<system_record::thread_id>(head, record.thread_id);
    store<system_record::process_id>(head, record.process_id);
    store<system_record::system_time>(head, record.time);
}

} // namespace

Result<void> encode(const SystemRecord& record, ByteWriter& to) {
    const auto size = kernel_size(system_record::size, record.counters, record.payload);
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, system_record::size> bytes{};
    const std::span head(bytes);
    store_kernel(head, record, *size);
    store<system_record::header_type>(head, type_of(record.width, 1, 2));
    store<system_record::kernel_time>(head, record.kernel_time);
    store<system_record::user_time>(head, record.user_time);
    append(bytes, to);
    append(record.counters, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const CompactRecord& record, ByteWriter& to) {
    const auto size = kernel_size(system_record::compact_size, record.counters, record.payload);
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, system_record::compact_size> bytes{};
    const std::span head(bytes);
    store_kernel(head, record, *size);
    store<system_record::header_type>(head, type_of(record.width, 3, 4));
    append(bytes, to);
    append(record.counters, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const PerfinfoRecord& record, ByteWriter& to) {
    const auto size = kernel_size(perfinfo_record::size, record.counters, record.payload);
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, perfinfo_record::size> bytes{};
    const std::span head(bytes);
    store<perfinfo_record::version>(head, version_field(record.version, record.counters));
    store<perfinfo_record::header_type>(head, type_of(record.width, 16, 17));
    store<perfinfo_record::marker>(head, trace_header);
    store<perfinfo_record::size_>(head, *size);
    store<perfinfo_record::hook_id>(head, record.hook_id);
    store<perfinfo_record::system_time>(head, record.time);
    append(bytes, to);
    append(record.counters, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const FullRecord& record, ByteWriter& to) {
    const auto size = fitting(full_record::size + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, full_record::size> bytes{};
    const std::span head(bytes);
    store_classic(head, record);
    store<full_record::size_>(head, *size);
    store<full_record::header_type>(head, type_of(record.width, 10, 20));
    append(bytes, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const InstanceRecord& record, ByteWriter& to) {
    const auto size = fitting(instance_record::size + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, instance_record::size> bytes{};
    const std::span head(bytes);
    store_classic(head, record);
    store<full_record::size_>(head, *size);
    store<full_record::header_type>(head, type_of(record.width, 11, 21));
    store<instance_record::instance_id>(head, record.instance_id);
    store<instance_record::parent_instance_id>(head, record.parent_instance_id);
    store<instance_record::parent_guid>(head, record.parent_class);
    append(bytes, to);
    to.bytes(record.payload);
    return {};
}

namespace {

std::uint32_t size_of(const ExtendedItem& item) noexcept {
    return padded(static_cast<std::uint32_t>(item_head + item.data.size()));
}

// What all items take; they are few and each fits its own size field.
Result<std::size_t> size_of(std::span<const ExtendedItem> items) {
    if (items.size() > limits::extended_items) {
        return fail(ErrorCode::limit, "extended items", {}, limits::extended_items, items.size());
    }
    for (const ExtendedItem& item : items) {
        if (item.data.size() > largest_record - item_head - 7) {
            return fail(ErrorCode::limit, "extended item", {}, largest_record, item.data.size());
        }
    }
    std::size_t size = 0;
    for (const ExtendedItem& item : items) {
        size += size_of(item);
    }
    return size;
}

void append(std::span<const ExtendedItem> items, ByteWriter& to) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Bytes data = items[i].data;
        const std::uint32_t total = size_of(items[i]);
        to.u16(static_cast<std::uint16_t>(total));
        to.u16(static_cast<std::uint16_t>(items[i].type));
        to.u16(i + 1 < items.size() ? 1 : 0); // linkage
        to.u16(static_cast<std::uint16_t>(data.size()));
        to.bytes(data).fill(total - item_head - data.size());
    }
}

} // namespace

Result<void> encode_items(std::span<const ExtendedItem> items, ByteWriter& to) {
    if (const auto size = size_of(items); !size) {
        return std::unexpected(size.error());
    }
    append(items, to);
    return {};
}

Result<void> encode(const EventRecord& record, ByteWriter& to) {
    const auto items = size_of(record.items);
    if (!items) {
        return std::unexpected(items.error());
    }
    const auto size = fitting(event_record::size + *items + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    const std::uint16_t extended = record.items.empty() ? 0 : event_flag::extended_info;
    std::array<std::byte, event_record::size> bytes{};
    const std::span head(bytes);
    store<event_record::size_>(head, *size);
    store<event_record::header_type>(head, type_of(record.width, 18, 19));
    store<event_record::marker>(head, trace_header);
    store<event_record::flags>(head, static_cast<std::uint16_t>(record.flags | extended));
    store<event_record::event_property>(head, record.property);
    store<event_record::thread_id>(head, record.thread_id);
    store<event_record::process_id>(head, record.process_id);
    store<event_record::time_stamp>(head, record.time);
    store<event_record::provider_id>(head, record.provider);
    store<event_record::id>(head, record.id);
    store<event_record::version>(head, record.version);
    store<event_record::channel>(head, record.channel);
    store<event_record::level>(head, record.level);
    store<event_record::opcode>(head, record.opcode);
    store<event_record::task>(head, record.task);
    store<event_record::keyword>(head, record.keyword);
    store<event_record::kernel_time>(head, record.kernel_time);
    store<event_record::user_time>(head, record.user_time);
    store<event_record::activity_id>(head, record.activity);
    append(bytes, to);
    append(record.items, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const MessageRecord& record, ByteWriter& to) {
    using namespace message_record;
    ByteWriter fields;
    std::uint32_t flags = 0;
    if (record.sequence) {
        flags |= message_record::sequence;
        fields.u32(*record.sequence);
    }
    if (record.component_id) {
        flags |= message_record::component_id;
        fields.u32(*record.component_id);
    }
    if (record.guid) {
        flags |= message_record::guid;
        if (!record.component_id) {
            fields.guid(*record.guid);
        }
    }
    if (record.time || record.reserves_time) {
        flags |= record.time ? message_record::time_stamp : 0U;
        flags |= record.reserves_time ? message_record::performance_time_stamp : 0U;
        fields.value(record.time.value_or(0));
    }
    if (record.system_info) {
        flags |= message_record::system_info;
        fields.u32(record.system_info->thread_id).u32(record.system_info->process_id);
    }
    if (record.width) {
        flags |= *record.width == Width::bits32 ? pointer32 : pointer64;
    }
    const auto whole = fitting(message_record::size + fields.size() + record.payload.size());
    if (!whole) {
        return std::unexpected(whole.error());
    }
    std::array<std::byte, message_record::size> bytes{};
    const std::span head(bytes);
    store<size_>(head, *whole);
    store<marker>(head, message_header);
    store<message_record::number>(head, record.number);
    store<options>(head, static_cast<std::uint16_t>(flags));
    append(bytes, to);
    to.bytes(fields.view()).bytes(record.payload);
    return {};
}

Result<void> encode(const WnodeRecord& record, ByteWriter& to) {
    const auto size = fitting(wnode_record::size + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    constexpr std::uint32_t marked = 0xC00E'0000;
    const bool is_marked = record.form == WnodeRecord::Form::marked;
    std::array<std::byte, wnode_record::size> bytes{};
    const std::span head(bytes);
    store<wnode_record::buffer_size>(head, *size | (is_marked ? marked : 0U));
    store<wnode_record::provider_id>(head, record.provider_id);
    store<wnode_record::historical_context>(head, record.historical_context);
    store<wnode_record::time_stamp>(head, record.time);
    store<wnode_record::guid>(head, record.guid);
    store<wnode_record::client_context>(head, record.client_context);
    store<wnode_record::flags>(head, record.flags);
    append(bytes, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const TimedRecord& record, ByteWriter& to) {
    const auto size = fitting(timed_record::size + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, timed_record::size> bytes{};
    const std::span head(bytes);
    store<timed_record::size_>(head, *size);
    store<timed_record::header_type>(head, std::uint8_t{12});
    store<timed_record::marker>(head, trace_header);
    store<timed_record::event_id>(head, record.event_id);
    store<timed_record::time_stamp>(head, record.time);
    append(bytes, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const ErrorRecord& record, ByteWriter& to) {
    const auto size = fitting(4 + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    to.align(8).u16(*size).u8(13).u8(trace_header).bytes(record.payload);
    return {};
}

Result<void> encode(const Ulong32Record& record, ByteWriter& to) {
    const auto size = fitting((record.time ? 16U : 8U) + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    to.align(8).u16(*size).u8(0).u8(record.time ? 0xB0 : 0xA0).u32(record.value);
    if (record.time) {
        to.value(*record.time);
    }
    to.bytes(record.payload);
    return {};
}

} // namespace etl::format
