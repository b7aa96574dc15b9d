#include "format/set_field.hpp"

#include "format/record_family.hpp"

namespace etl::format {

namespace {

constexpr std::size_t ulong32_time = 0x08; // behind marker 0xB0
constexpr std::uint8_t stamped_ulong32 = 0xB0;

bool has_handles(Bytes record, Instances instances) noexcept {
    return instances == Instances::with_handles || record.size() < instance_record::size;
}

/// Offsets of the optional fields of a message; 0: not there.
struct MessageFields {
    std::size_t sequence = 0, guid = 0, time = 0, system_info = 0, payload = 0;
};

MessageFields message_fields(Bytes record) noexcept {
    const auto options = get<message_record::options>(record);
    MessageFields fields;
    std::size_t at = message_record::size;
    if ((options & message_record::sequence) != 0) {
        fields.sequence = at;
        at += 4;
    }
    if ((options & message_record::component_id) != 0) {
        at += 4;
    } else if ((options & message_record::guid) != 0) {
        fields.guid = at;
        at += sizeof(Guid);
    }
    if ((options & message_record::time_stamp) != 0) {
        fields.time = at;
    }
    constexpr unsigned room = message_record::time_stamp | message_record::performance_time_stamp;
    at += (options & room) != 0 ? 8U : 0U;
    if ((options & message_record::system_info) != 0) {
        fields.system_info = at;
        at += 8;
    }
    fields.payload = at;
    return fields;
}

template <typename T>
FieldPresence put_at(MutableBytes record, std::size_t offset, T value) noexcept {
    if (offset == 0) {
        return FieldPresence::absent;
    }
    store_le(record.data() + offset, value);
    return FieldPresence::present;
}

/// Offsets of what records of many kinds tell; 0: not there.
struct Places {
    std::size_t time = 0, process_id = 0, thread_id = 0, kernel_time = 0, user_time = 0, guid = 0,
                sequence = 0;
};

Places places_of(RecordKind kind, Bytes record) noexcept {
    switch (family_of(kind)) {
    case Family::system:
        return {.time = system_record::system_time.offset,
                .process_id = system_record::process_id.offset,
                .thread_id = system_record::thread_id.offset,
                .kernel_time = system_record::kernel_time.offset,
                .user_time = system_record::user_time.offset};
    case Family::compact:
        return {.time = system_record::system_time.offset,
                .process_id = system_record::process_id.offset,
                .thread_id = system_record::thread_id.offset};
    case Family::perfinfo:
        return {.time = perfinfo_record::system_time.offset};
    case Family::full:
    case Family::instance:
        return {.time = full_record::time_stamp.offset,
                .process_id = full_record::process_id.offset,
                .thread_id = full_record::thread_id.offset,
                .kernel_time = full_record::kernel_time.offset,
                .user_time = full_record::user_time.offset,
                .guid = full_record::guid.offset};
    case Family::event:
        return {.time = event_record::time_stamp.offset,
                .process_id = event_record::process_id.offset,
                .thread_id = event_record::thread_id.offset,
                .kernel_time = event_record::kernel_time.offset,
                .user_time = event_record::user_time.offset,
                .guid = event_record::provider_id.offset};
    case Family::timed:
        return {.time = timed_record::time_stamp.offset};
    case Family::wnode:
        return {.time = wnode_record::time_stamp.offset, .guid = wnode_record::guid.offset};
    case Family::message: {
        const MessageFields fields = message_fields(record);
        return {.time = fields.time,
                .process_id = fields.system_info != 0 ? fields.system_info + 4 : 0,
                .thread_id = fields.system_info,
                .guid = fields.guid,
                .sequence = fields.sequence};
    }
    case Family::ulong32:
        return {.time = get<full_record::marker>(record) == stamped_ulong32 ? ulong32_time : 0};
    case Family::error:
    case Family::none:
        break;
    }
    return {};
}

/// The low byte of a field whose high byte means something else.
template <auto field>
void put_low(MutableBytes record, std::uint8_t value) noexcept {
    put<field>(record, static_cast<std::uint16_t>((get<field>(record) & 0xFF00U) | value));
}

/// Of kernel records: pebs index and counters, as many as Version claims.
std::size_t counters_size(Bytes record) noexcept {
    const auto version = get<system_record::version>(record);
    return ((version & has_pebs_index) != 0 ? 8U : 0U) +
           8U * ((version & counter_count_mask) >> 8U);
}

/// Of the items behind an event header; 0 also when they do not parse.
std::size_t items_size(Bytes record) noexcept {
    if ((get<event_record::flags>(record) & event_flag::extended_info) == 0) {
        return 0;
    }
    ExtendedItems items(record.subspan(event_record::size));
    ExtendedItem item;
    while (items.next(item)) {
    }
    return items.is_malformed() ? 0 : items.position();
}

std::size_t kernel_payload(Bytes record, std::size_t header_size) noexcept {
    const std::size_t counters = counters_size(record);
    return header_size + (has_range(record, header_size, counters) ? counters : 0);
}

} // namespace

FieldPresence set_time(RecordKind kind, MutableBytes record, std::int64_t raw) noexcept {
    return put_at(record, places_of(kind, record).time, raw);
}

FieldPresence set_process_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept {
    return put_at(record, places_of(kind, record).process_id, id);
}

FieldPresence set_thread_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept {
    return put_at(record, places_of(kind, record).thread_id, id);
}

FieldPresence set_sequence(RecordKind kind, MutableBytes record, std::uint32_t number) noexcept {
    return put_at(record, places_of(kind, record).sequence, number);
}

std::optional<std::uint32_t> time_offset(RecordKind kind, Bytes record) noexcept {
    const std::size_t offset = places_of(kind, record).time;
    return offset == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(offset));
}

FieldPresence set_cpu_times(RecordKind kind, MutableBytes record, std::uint32_t kernel,
                            std::uint32_t user) noexcept {
    const Places places = places_of(kind, record);
    put_at(record, places.kernel_time, kernel);
    return put_at(record, places.user_time, user);
}

FieldPresence set_provider(RecordKind kind, MutableBytes record, const Guid& guid,
                           Instances instances) noexcept {
    if (family_of(kind) == Family::instance && has_handles(record, instances)) {
        return FieldPresence::absent;
    }
    return put_at(record, places_of(kind, record).guid, guid);
}

FieldPresence set_activity(RecordKind kind, MutableBytes record, const Guid& guid) noexcept {
    return family_of(kind) == Family::event ? put<event_record::activity_id>(record, guid)
                                            : FieldPresence::absent;
}

FieldPresence set_descriptor(RecordKind kind, MutableBytes record,
                             const Descriptor& descriptor) noexcept {
    switch (family_of(kind)) {
    case Family::event:
        put<event_record::id>(record, descriptor.id);
        put<event_record::version>(record, descriptor.version);
        put<event_record::channel>(record, descriptor.channel);
        put<event_record::level>(record, descriptor.level);
        put<event_record::opcode>(record, descriptor.opcode);
        put<event_record::task>(record, descriptor.task);
        return put<event_record::keyword>(record, descriptor.keyword);
    case Family::full:
    case Family::instance:
        put<full_record::type>(record, descriptor.opcode);
        put<full_record::level>(record, descriptor.level);
        return put<full_record::version>(record, descriptor.version);
    case Family::system:
    case Family::compact:
    case Family::perfinfo:
        put_low<system_record::version>(record, descriptor.version);
        put_low<system_record::hook_id>(record, descriptor.opcode);
        return FieldPresence::present;
    case Family::message:
        return put<message_record::number>(record, descriptor.id);
    case Family::timed:
    case Family::error:
    case Family::wnode:
    case Family::ulong32:
    case Family::none:
        break;
    }
    return FieldPresence::absent;
}

std::size_t payload_offset(RecordKind kind, Bytes record, Instances instances) noexcept {
    const Family family = family_of(kind);
    switch (family) {
    case Family::system:
    case Family::compact:
    case Family::perfinfo:
        return kernel_payload(record, kernel_header_size(family));
    case Family::full:
        return full_record::size;
    case Family::instance:
        return has_handles(record, instances) ? old_instance_record::size : instance_record::size;
    case Family::event:
        return event_record::size + items_size(record);
    case Family::timed:
        return timed_record::size;
    case Family::error:
        return 4;
    case Family::message:
        return message_fields(record).payload;
    case Family::wnode:
        return wnode_record::size;
    case Family::ulong32:
        return get<full_record::marker>(record) == stamped_ulong32 ? ulong32_time + 8
                                                                   : ulong32_time;
    case Family::none:
        break;
    }
    return 0;
}

} // namespace etl::format
