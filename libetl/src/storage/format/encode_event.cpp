// EVENT_HEADER and its extended items, and MESSAGE_TRACE_HEADER.
#include "format/encode.hpp"
#include "format/limits.hpp"
#include "format/record_head.hpp"
#include "format/records.hpp"

namespace etl::format {

namespace {

constexpr std::size_t item_head = 8;
constexpr std::uint8_t message_header = 0x90;

std::uint32_t size_of(const ExtendedItem& item) noexcept {
    return padded(static_cast<std::uint32_t>(item_head + item.data.size()));
}

// What all items take; they are few and each fits its own size field.
Result<std::size_t> size_of(std::span<const ExtendedItem> items) {
    if (items.size() > limits::extended_items) {
        return fail(ErrorCode::limit, "extended data items", {}, limits::extended_items,
                    items.size());
    }
    for (const ExtendedItem& item : items) {
        if (item.data.size() > largest_record - item_head - 7) {
            return fail(ErrorCode::limit, "extended data item", {}, largest_record,
                        item.data.size());
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
    const EventDescriptor& kind = record.descriptor;
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
    store<event_record::id>(head, kind.id);
    store<event_record::version>(head, kind.version);
    store<event_record::channel>(head, kind.channel);
    store<event_record::level>(head, kind.level);
    store<event_record::opcode>(head, kind.opcode);
    store<event_record::task>(head, kind.task);
    store<event_record::keyword>(head, kind.keyword);
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

} // namespace etl::format
