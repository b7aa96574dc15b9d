#include "format/set_field.hpp"

#include <etl/byte_writer.hpp>

#include "format/encode.hpp"
#include "format/limits.hpp"

namespace etl::format {

namespace {

template <typename T>
FieldPresence put_at(MutableBytes record, std::size_t offset, T value) noexcept {
    if (offset == 0) {
        return FieldPresence::absent;
    }
    store_le(record.data() + offset, value);
    return FieldPresence::present;
}

bool has_handles(Bytes record, Instances instances) noexcept {
    return instances == Instances::with_handles || record.size() < instance_record::size;
}

message_record::Fields message_fields(Bytes record) noexcept {
    return message_record::fields_of(get_field<message_record::options>(record));
}

bool is_stamped(Bytes ulong32) noexcept {
    return get_field<ulong32_record::marker>(ulong32) == stamped_ulong32_marker;
}

FieldOffsets offsets_of(RecordKind kind, Bytes record) noexcept {
    FieldOffsets at = traits_of(kind).at;
    if (kind.family == RecordFamily::message) {
        const auto fields = message_fields(record);
        at.time = fields.time;
        at.thread_id = fields.system_info;
        at.process_id = static_cast<std::uint8_t>(
            fields.system_info != 0 ? fields.system_info + sizeof(std::uint32_t) : 0);
        at.provider = fields.guid;
        at.sequence = fields.sequence;
    } else if (kind.family == RecordFamily::ulong32) {
        at.time = is_stamped(record) ? ulong32_record::time_stamp.offset : 0;
    }
    return at;
}

/// The low byte of a field whose high byte means something else.
template <auto field>
void put_low(MutableBytes record, std::uint8_t value) noexcept {
    put_field<field>(record,
                     static_cast<std::uint16_t>((get_field<field>(record) & 0xFF00U) | value));
}

/// Of kernel records: pebs index and counters, as many as Version claims.
std::size_t counters_size(Bytes record) noexcept {
    const auto version = get_field<system_record::version>(record);
    return ((version & has_pebs_index) != 0 ? 8U : 0U) +
           8U * ((version & counter_count_mask) >> 8U);
}

/// Of the items behind an event header; 0 also when they do not parse.
std::size_t items_size(Bytes record) noexcept {
    if ((get_field<event_record::flags>(record) & event_flag::extended_info) == 0) {
        return 0;
    }
    ExtendedItems items(record.subspan(event_record::size));
    ExtendedItem item;
    while (items.next(item)) {
    }
    return items.is_malformed() ? 0 : items.position();
}

/// Sets the size. At most max_record_size.
void put_size(RecordKind kind, MutableBytes record) noexcept {
    const auto size = static_cast<std::uint16_t>(record.size());
    constexpr std::uint32_t marked = 0x8000'0000;
    if (kind == RecordKind::none) {
        return;
    }
    if (kind.family == RecordFamily::wnode &&
        (get_field<wnode_record::buffer_size>(record) & marked) == 0) {
        put_field<wnode_record::buffer_size>(record, std::uint32_t{size});
        return;
    }
    store_le(record.data() + traits_of(kind).size_offset, size);
}

/// A flag that states what is between a header and its payload.
struct Claim {
    std::size_t offset = 0; // of its word
    std::uint16_t bits = 0; // none: records of this family claim nothing
};

constexpr Claim claim_of(RecordKind kind) noexcept {
    switch (traits_of(kind).extras) {
    case HeaderExtras::counters:
        return {system_record::version.offset, has_pebs_index | counter_count_mask};
    case HeaderExtras::items:
        return {event_record::flags.offset, event_flag::extended_info};
    case HeaderExtras::none:
        break;
    }
    return {};
}

void drop(const Claim& claim, MutableBytes record) noexcept {
    std::byte* const at = record.data() + claim.offset;
    store_le(at, static_cast<std::uint16_t>(load_le<std::uint16_t>(at) & ~unsigned{claim.bits}));
}

} // namespace

FieldPresence set_time(RecordKind kind, MutableBytes record, std::int64_t raw) noexcept {
    return put_at(record, offsets_of(kind, record).time, raw);
}

FieldPresence set_process_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept {
    return put_at(record, offsets_of(kind, record).process_id, id);
}

FieldPresence set_thread_id(RecordKind kind, MutableBytes record, std::uint32_t id) noexcept {
    return put_at(record, offsets_of(kind, record).thread_id, id);
}

FieldPresence set_sequence(RecordKind kind, MutableBytes record, std::uint32_t number) noexcept {
    return put_at(record, offsets_of(kind, record).sequence, number);
}

std::optional<std::uint32_t> time_offset(RecordKind kind, Bytes record) noexcept {
    const std::size_t offset = offsets_of(kind, record).time;
    return offset == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(offset));
}

FieldPresence set_cpu_times(RecordKind kind, MutableBytes record, std::uint32_t kernel,
                            std::uint32_t user) noexcept {
    const FieldOffsets at = offsets_of(kind, record);
    put_at(record, at.kernel_time, kernel);
    return put_at(record, at.user_time, user);
}

FieldPresence set_provider(RecordKind kind, MutableBytes record, const Guid& guid,
                           Instances instances) noexcept {
    if (is_instance(kind) && has_handles(record, instances)) {
        return FieldPresence::absent;
    }
    return put_at(record, offsets_of(kind, record).provider, guid);
}

FieldPresence set_activity(RecordKind kind, MutableBytes record, const Guid& guid) noexcept {
    return put_at(record, offsets_of(kind, record).activity, guid);
}

FieldPresence set_descriptor(RecordKind kind, MutableBytes record,
                             const EventDescriptor& descriptor) noexcept {
    switch (traits_of(kind).identity) {
    case EventIdentity::descriptor:
        store_descriptor(record.data(), descriptor);
        return FieldPresence::present;
    case EventIdentity::event_class:
        put_field<full_record::type>(record, descriptor.opcode);
        put_field<full_record::level>(record, descriptor.level);
        put_field<full_record::version>(record, descriptor.version);
        return FieldPresence::present;
    case EventIdentity::hook:
        put_low<system_record::version>(record, descriptor.version);
        put_low<system_record::hook_id>(record, descriptor.opcode);
        return FieldPresence::present;
    case EventIdentity::message:
        put_field<message_record::number>(record, descriptor.id);
        return FieldPresence::present;
    case EventIdentity::none:
        break;
    }
    return FieldPresence::absent;
}

std::size_t payload_offset(RecordKind kind, Bytes record, Instances instances) noexcept {
    const RecordTraits& traits = traits_of(kind);
    switch (traits.extras) {
    case HeaderExtras::counters: {
        const std::size_t counters = counters_size(record);
        return traits.header_size +
               (has_range(record, traits.header_size, counters) ? counters : 0);
    }
    case HeaderExtras::items:
        return traits.header_size + items_size(record);
    case HeaderExtras::none:
        break;
    }
    if (is_instance(kind)) {
        return has_handles(record, instances) ? old_instance_record::size : instance_record::size;
    }
    if (is_message(kind)) {
        return message_fields(record).end;
    }
    const bool is_long = kind.family == RecordFamily::ulong32 && is_stamped(record);
    return is_long ? ulong32_record::stamped_size : traits.header_size;
}

bool has_invalid_flags(RecordKind kind, Bytes record) noexcept {
    const Claim claim = claim_of(kind);
    return claim.bits != 0 &&
           (load_le<std::uint16_t>(record.data() + claim.offset) & claim.bits) != 0 &&
           payload_offset(kind, record) == traits_of(kind).header_size;
}

void clear_invalid_flags(RecordKind kind, MutableBytes record) noexcept {
    if (has_invalid_flags(kind, record)) {
        drop(claim_of(kind), record);
    }
}

Result<void> with_payload(RecordKind kind, Bytes record, Bytes payload, std::vector<std::byte>& to,
                          Instances instances) {
    const std::size_t head = payload_offset(kind, record, instances);
    if (payload.size() > max_record_size - head) {
        return fail(ErrorCode::limit, "record size", {}, max_record_size, head + payload.size());
    }
    if (is_instance(kind) && instances == Instances::with_guids && head != instance_record::size &&
        head + payload.size() >= instance_record::size) {
        return fail(ErrorCode::unsupported, "a larger payload of an INSTANCE record with handles");
    }
    const std::size_t at = to.size();
    to.insert(to.end(), record.begin(), record.begin() + static_cast<std::ptrdiff_t>(head));
    to.insert(to.end(), payload.begin(), payload.end());
    const MutableBytes made = MutableBytes(to).subspan(at);
    put_size(kind, made);
    const Claim claim = claim_of(kind);
    if (claim.bits != 0 && head == traits_of(kind).header_size) {
        drop(claim, made);
    }
    return {};
}

Result<void> with_items(RecordKind kind, Bytes record, std::span<const ExtendedItem> items,
                        std::vector<std::byte>& to) {
    if (!is_event(kind)) {
        return fail(ErrorCode::unsupported, "extended data items of a record other than EVENT");
    }
    ByteWriter encoded;
    if (auto fits = encode_items(items, encoded); !fits) {
        return fits;
    }
    const Bytes payload = record.subspan(payload_offset(kind, record));
    const std::size_t size = event_record::size + encoded.size() + payload.size();
    if (size > max_record_size) {
        return fail(ErrorCode::limit, "record size", {}, max_record_size, size);
    }
    const std::size_t at = to.size();
    to.insert(to.end(), record.begin(), record.begin() + event_record::size);
    to.insert(to.end(), encoded.view().begin(), encoded.view().end());
    to.insert(to.end(), payload.begin(), payload.end());
    const MutableBytes made = MutableBytes(to).subspan(at);
    put_size(kind, made);
    constexpr unsigned claim = event_flag::extended_info;
    const unsigned flags = get_field<event_record::flags>(made) & ~claim;
    put_field<event_record::flags>(
        made, static_cast<std::uint16_t>(flags | (items.empty() ? 0U : claim)));
    return {};
}

} // namespace etl::format
