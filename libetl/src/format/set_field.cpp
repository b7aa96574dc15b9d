#include <etl/base/byte_writer.hpp>
#include <etl/format/encode.hpp>
#include <etl/format/records.hpp>
#include <etl/format/set_field.hpp>

namespace etl::format {

namespace {

constexpr std::size_t largest_record = 0xFFFF; // all sizes are 16 bits wide on disk
constexpr std::size_t ulong32_time = 0x08;     // behind marker 0xB0
constexpr std::uint8_t stamped_ulong32 = 0xB0;

/// What records look like as far as single fields go.
enum class Family : std::uint8_t {
    none,
    system,
    compact,
    perfinfo,
    full,
    instance,
    event,
    timed,
    error,
    message,
    wnode,
    ulong32,
};

constexpr std::array<Family, record_kinds> families{
    Family::none,     Family::system,   Family::system,  Family::compact, Family::compact,
    Family::perfinfo, Family::perfinfo, Family::full,    Family::full,    Family::instance,
    Family::instance, Family::event,    Family::event,   Family::timed,   Family::error,
    Family::message,  Family::wnode,    Family::ulong32,
};

constexpr Family family_of(RecordKind kind) noexcept {
    return families[static_cast<std::size_t>(kind)];
}

template <auto field>
Place put(MutableBytes record, typename decltype(field)::type value) noexcept {
    store_le(record.data() + field.offset, value);
    return Place::found;
}

template <auto field>
auto get(Bytes record) noexcept {
    return load_le<typename decltype(field)::type>(record.data() + field.offset);
}

bool has_handles(Bytes record, Instances instances) noexcept {
    return instances == Instances::with_handles || record.size() < instance_record::size;
}

/// Offsets of the optional fields of a message; 0: not there.
struct MessageFields {
    std::size_t guid = 0, time = 0, system_info = 0, payload = 0;
};

MessageFields message_fields(Bytes record) noexcept {
    const auto options = get<message_record::options>(record);
    MessageFields fields;
    std::size_t at = message_record::size;
    at += (options & message_record::sequence) != 0 ? 4U : 0U;
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
Place put_at(MutableBytes record, std::size_t offset, T value) noexcept {
    if (offset == 0) {
        return Place::none;
    }
    store_le(record.data() + offset, value);
    return Place::found;
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
    return items.broken() ? 0 : items.position();
}

std::size_t kernel_payload(Bytes record, std::size_t header_size) noexcept {
    const std::size_t counters = counters_size(record);
    return header_size + (holds(record, header_size, counters) ? counters : 0);
}

constexpr std::size_t kernel_header_size(Family family) noexcept {
    return family == Family::system    ? system_record::size
           : family == Family::compact ? system_record::compact_size
                                       : perfinfo_record::size;
}

/// The size of a record, where its kind has it. At most largest_record.
void put_size(Family family, MutableBytes record) noexcept {
    const auto size = static_cast<std::uint16_t>(record.size());
    switch (family) {
    case Family::system:
    case Family::compact:
    case Family::perfinfo:
        put<system_record::size_>(record, size);
        return;
    case Family::wnode: {
        constexpr std::uint32_t marked = 0x8000'0000;
        const auto head = get<wnode_record::buffer_size>(record);
        put<wnode_record::buffer_size>(record, (head & marked) != 0 ? (head & 0xFFFF'0000U) | size
                                                                    : std::uint32_t{size});
        return;
    }
    case Family::full:
    case Family::instance:
    case Family::event:
    case Family::timed:
    case Family::error:
    case Family::message:
    case Family::ulong32:
        put<full_record::size_>(record, size);
        return;
    case Family::none:
        return;
    }
}

/// A claim to items or counters that do not parse.
void take_back_claims(Family family, MutableBytes record, std::size_t payload_at) noexcept {
    switch (family) {
    case Family::system:
    case Family::compact:
    case Family::perfinfo:
        if (payload_at == kernel_header_size(family)) {
            constexpr unsigned claims = has_pebs_index | counter_count_mask;
            put<system_record::version>(
                record, static_cast<std::uint16_t>(get<system_record::version>(record) & ~claims));
        }
        return;
    case Family::event:
        if (payload_at == event_record::size) {
            constexpr unsigned claim = event_flag::extended_info;
            put<event_record::flags>(
                record, static_cast<std::uint16_t>(get<event_record::flags>(record) & ~claim));
        }
        return;
    case Family::full:
    case Family::instance:
    case Family::timed:
    case Family::error:
    case Family::message:
    case Family::wnode:
    case Family::ulong32:
    case Family::none:
        return;
    }
}

} // namespace

Place set_time(RecordKind kind, MutableBytes record, std::int64_t raw) noexcept {
    switch (family_of(kind)) {
    case Family::system:
    case Family::compact:
        return put<system_record::system_time>(record, raw);
    case Family::perfinfo:
        return put<perfinfo_record::system_time>(record, raw);
    case Family::full:
    case Family::instance:
    case Family::event:
        return put<full_record::time_stamp>(record, raw);
    case Family::timed:
        return put<timed_record::time_stamp>(record, raw);
    case Family::wnode:
        return put<wnode_record::time_stamp>(record, raw);
    case Family::message:
        return put_at(record, message_fields(record).time, raw);
    case Family::ulong32: {
        const bool has_stamp = get<full_record::marker>(record) == stamped_ulong32;
        return put_at(record, has_stamp ? ulong32_time : 0, raw);
    }
    case Family::error:
    case Family::none:
        break;
    }
    return Place::none;
}

Place set_process_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept {
    switch (family_of(kind)) {
    case Family::system:
    case Family::compact:
    case Family::full:
    case Family::instance:
    case Family::event:
        return put<system_record::process_id>(record, id);
    case Family::message: {
        const std::size_t at = message_fields(record).system_info;
        return put_at(record, at != 0 ? at + 4 : 0, id);
    }
    case Family::perfinfo:
    case Family::timed:
    case Family::error:
    case Family::wnode:
    case Family::ulong32:
    case Family::none:
        break;
    }
    return Place::none;
}

Place set_thread_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept {
    switch (family_of(kind)) {
    case Family::system:
    case Family::compact:
    case Family::full:
    case Family::instance:
    case Family::event:
        return put<system_record::thread_id>(record, id);
    case Family::message:
        return put_at(record, message_fields(record).system_info, id);
    case Family::perfinfo:
    case Family::timed:
    case Family::error:
    case Family::wnode:
    case Family::ulong32:
    case Family::none:
        break;
    }
    return Place::none;
}

Place set_cpu_times(RecordKind kind, MutableBytes record, std::uint32_t kernel,
                    std::uint32_t user) noexcept {
    switch (family_of(kind)) {
    case Family::system:
        put<system_record::kernel_time>(record, kernel);
        return put<system_record::user_time>(record, user);
    case Family::full:
    case Family::instance:
        put<full_record::kernel_time>(record, kernel);
        return put<full_record::user_time>(record, user);
    case Family::event:
        put<event_record::kernel_time>(record, kernel);
        return put<event_record::user_time>(record, user);
    case Family::compact:
    case Family::perfinfo:
    case Family::timed:
    case Family::error:
    case Family::message:
    case Family::wnode:
    case Family::ulong32:
    case Family::none:
        break;
    }
    return Place::none;
}

Place set_provider(RecordKind kind, MutableBytes record, const Guid& guid,
                   Instances instances) noexcept {
    switch (family_of(kind)) {
    case Family::instance:
        if (has_handles(record, instances)) {
            return Place::none;
        }
        return put<full_record::guid>(record, guid);
    case Family::full:
    case Family::event:
        return put<full_record::guid>(record, guid);
    case Family::wnode:
        return put<wnode_record::guid>(record, guid);
    case Family::message:
        return put_at(record, message_fields(record).guid, guid);
    case Family::system:
    case Family::compact:
    case Family::perfinfo:
    case Family::timed:
    case Family::error:
    case Family::ulong32:
    case Family::none:
        break;
    }
    return Place::none;
}

Place set_activity(RecordKind kind, MutableBytes record, const Guid& guid) noexcept {
    return family_of(kind) == Family::event ? put<event_record::activity_id>(record, guid)
                                            : Place::none;
}

Place set_descriptor(RecordKind kind, MutableBytes record, const Descriptor& descriptor) noexcept {
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
        return Place::found;
    case Family::message:
        return put<message_record::number>(record, descriptor.id);
    case Family::timed:
    case Family::error:
    case Family::wnode:
    case Family::ulong32:
    case Family::none:
        break;
    }
    return Place::none;
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

Result<void> with_payload(RecordKind kind, Bytes record, Bytes payload, std::vector<std::byte>& to,
                          Instances instances) {
    const std::size_t head = payload_offset(kind, record, instances);
    if (payload.size() > largest_record - head) {
        return fail(ErrorCode::limit, "record size", {}, largest_record, head + payload.size());
    }
    if (family_of(kind) == Family::instance && instances == Instances::with_guids &&
        head != instance_record::size && head + payload.size() >= instance_record::size) {
        return fail(ErrorCode::unsupported, "a larger payload of an INSTANCE record with handles");
    }
    const std::size_t at = to.size();
    to.insert(to.end(), record.begin(), record.begin() + static_cast<std::ptrdiff_t>(head));
    to.insert(to.end(), payload.begin(), payload.end());
    const MutableBytes made = MutableBytes(to).subspan(at);
    put_size(family_of(kind), made);
    take_back_claims(family_of(kind), made, head);
    return {};
}

Result<void> with_items(RecordKind kind, Bytes record, std::span<const ExtendedItem> items,
                        std::vector<std::byte>& to) {
    if (family_of(kind) != Family::event) {
        return fail(ErrorCode::unsupported, "extended items of a record that is no EVENT");
    }
    ByteWriter encoded;
    if (auto fits = encode_items(items, encoded); !fits) {
        return fits;
    }
    const Bytes payload = record.subspan(payload_offset(kind, record));
    const std::size_t size = event_record::size + encoded.size() + payload.size();
    if (size > largest_record) {
        return fail(ErrorCode::limit, "record size", {}, largest_record, size);
    }
    const std::size_t at = to.size();
    to.insert(to.end(), record.begin(), record.begin() + event_record::size);
    to.insert(to.end(), encoded.view().begin(), encoded.view().end());
    to.insert(to.end(), payload.begin(), payload.end());
    const MutableBytes made = MutableBytes(to).subspan(at);
    put_size(Family::event, made);
    constexpr unsigned claim = event_flag::extended_info;
    const unsigned flags = get<event_record::flags>(made) & ~claim;
    put<event_record::flags>(made,
                             static_cast<std::uint16_t>(flags | (items.empty() ? 0U : claim)));
    return {};
}

} // namespace etl::format
