#include "format/encode.hpp"

#include "format/limits.hpp"
#include "format/records.hpp"
#include "format/set_field.hpp"

#include <array>

namespace etl::format {

namespace {

constexpr std::size_t max_header_size = event_record::size;
constexpr std::size_t max_counters = 7; // three bits of Version
constexpr std::size_t item_head = 8;

/// The size field of a record. Errors: limit.
Result<std::uint16_t> checked_size(std::size_t size) {
    if (size > max_record_size) {
        return fail(ErrorCode::limit, "record size", {}, max_record_size, size);
    }
    return static_cast<std::uint16_t>(size);
}

/// The header of a record under marker 0xC0, as it is filled.
class Head {
public:
    Head(RecordKind kind, std::size_t header_size, std::uint16_t size) noexcept
        : kind_(kind), size_(header_size) {
        store_le(bytes_.data() + traits_of(kind).size_offset, size);
        set<full_record::header_type>(header_type_of(kind));
        set<full_record::marker>(trace_header_marker);
    }

    template <auto field>
    void set(typename decltype(field)::type value) noexcept {
        put_field<field>(bytes_, value);
    }

    /// Sets the fields of FieldOffsets that the record and its family have.
    template <typename Record>
    void set_common(const Record& record) noexcept {
        const FieldOffsets& at = traits_of(kind_).at;
        const auto put = [&](std::uint8_t offset, const auto& value) {
            if (offset != 0) {
                store_le(bytes_.data() + offset, value);
            }
        };
        if constexpr (requires { record.process_id; }) {
            put(at.process_id, record.process_id);
            put(at.thread_id, record.thread_id);
        }
        if constexpr (requires { record.kernel_time; }) {
            put(at.kernel_time, record.kernel_time);
            put(at.user_time, record.user_time);
        }
        if constexpr (requires { record.event_class; }) {
            put(at.provider, record.event_class);
        } else if constexpr (requires { record.provider; }) {
            put(at.provider, record.provider);
            put(at.activity, record.activity);
        }
        if constexpr (requires { record.time; }) {
            put(at.time, record.time);
        }
    }

    MutableBytes bytes() noexcept { return MutableBytes(bytes_).first(size_); }

    /// Appends the header, aligned in its buffer.
    ByteWriter& append_to(ByteWriter& to) const {
        return to.align(8).bytes(Bytes(bytes_).first(size_));
    }

private:
    std::array<std::byte, max_header_size> bytes_{};
    RecordKind kind_;
    std::size_t size_;
};

// The event version and what follows the header.
Result<std::uint16_t> version_field(std::uint8_t version, bool has_pebs, std::size_t counters) {
    if (counters > max_counters) {
        return fail(ErrorCode::invalid_option, "performance counters", {}, max_counters, counters);
    }
    return static_cast<std::uint16_t>(version | counters << 8U | (has_pebs ? has_pebs_index : 0U));
}

/// SYSTEM, COMPACT, PERFINFO.
template <typename Record>
Result<void> encode_kernel(RecordFamily family, const Record& record, ByteWriter& to) {
    const Counters& counters = record.counters;
    const auto version =
        version_field(record.version, counters.pebs_index.has_value(), counters.values.size());
    if (!version) {
        return std::unexpected(version.error());
    }
    const std::size_t header_size = traits_of(family).header_size;
    const auto size = checked_size(header_size + (counters.pebs_index ? 8U : 0U) +
                                   8U * counters.values.size() + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    Head head({family, record.width}, header_size, *size);
    head.set<system_record::version>(*version);
    head.set<system_record::hook_id>(record.hook_id);
    head.set_common(record);
    head.append_to(to);
    if (counters.pebs_index) {
        to.u64(*counters.pebs_index);
    }
    for (const std::uint64_t value : counters.values) {
        to.u64(value);
    }
    to.bytes(record.payload);
    return {};
}

/// A record with nothing between header and payload. `fill(head)` sets its fields.
template <typename Fill>
Result<void> encode_plain(RecordKind kind, std::size_t header_size, Bytes payload, ByteWriter& to,
                          const Fill& fill) {
    const auto size = checked_size(header_size + payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    Head head(kind, header_size, *size);
    fill(head);
    head.append_to(to).bytes(payload);
    return {};
}

template <typename Record>
void set_class(const Record& record, Head& head) noexcept {
    head.set<full_record::type>(record.opcode);
    head.set<full_record::level>(record.level);
    head.set<full_record::version>(record.version);
}

template <typename Record>
void set_instances(const Record& record, Head& head) noexcept {
    head.set<instance_record::instance_id>(record.instance_id);
    head.set<instance_record::parent_instance_id>(record.parent_instance_id);
}

std::uint32_t size_of(const ExtendedItem& item) noexcept {
    return padded(static_cast<std::uint32_t>(item_head + item.data.size()));
}

// What all items take; they are few and each fits its own size field.
Result<std::size_t> size_of(std::span<const ExtendedItem> items) {
    if (items.size() > ExtendedItems::max) {
        return fail(ErrorCode::limit, "extended data items", {}, ExtendedItems::max, items.size());
    }
    for (const ExtendedItem& item : items) {
        if (item.data.size() > max_record_size - item_head - 7) {
            return fail(ErrorCode::limit, "extended data item", {}, max_record_size,
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

MessageRecord message_of(const EventHeader& header, std::optional<std::int64_t> time) {
    using namespace message_record;
    const auto has = [&](std::uint16_t flag) { return (header.message_options & flag) != 0; };
    MessageRecord record{.number = header.id, .payload = header.payload};
    if (has(pointer64) || has(pointer32)) {
        record.width = has(pointer64) ? Width::bits64 : Width::bits32;
    }
    if (has(sequence)) {
        record.sequence = header.sequence;
    }
    if (has(component_id)) {
        record.component_id = header.component_id;
    }
    if (has(guid)) {
        record.guid = header.provider;
    }
    if (has(time_stamp)) {
        record.time = time.value_or(0);
    }
    record.reserves_time = has(performance_time_stamp);
    if (has(system_info)) {
        record.system_info = {header.thread_id, header.process_id};
    }
    return record;
}

} // namespace

Result<void> encode(const SystemRecord& record, ByteWriter& to) {
    return encode_kernel(RecordFamily::system, record, to);
}

Result<void> encode(const CompactRecord& record, ByteWriter& to) {
    return encode_kernel(RecordFamily::compact, record, to);
}

Result<void> encode(const PerfinfoRecord& record, ByteWriter& to) {
    return encode_kernel(RecordFamily::perfinfo, record, to);
}

Result<void> encode(const FullRecord& record, ByteWriter& to) {
    return encode_plain({RecordFamily::full, record.width}, full_record::size, record.payload, to,
                        [&](Head& head) {
                            set_class(record, head);
                            head.set_common(record);
                        });
}

Result<void> encode(const InstanceRecord& record, ByteWriter& to) {
    return encode_plain({RecordFamily::instance, record.width}, instance_record::size,
                        record.payload, to, [&](Head& head) {
                            set_class(record, head);
                            set_instances(record, head);
                            head.set<instance_record::parent_guid>(record.parent_class);
                            head.set_common(record);
                        });
}

Result<void> encode(const WnodeRecord& record, ByteWriter& to) {
    return encode_plain({RecordFamily::wnode}, wnode_record::size, record.payload, to,
                        [&](Head& head) {
                            if (record.form == WnodeRecord::Form::size_first) {
                                const auto size = get_field<full_record::size_>(head.bytes());
                                head.set<wnode_record::buffer_size>(size);
                            }
                            head.set<wnode_record::provider_id>(record.provider_id);
                            head.set<wnode_record::historical_context>(record.historical_context);
                            head.set<wnode_record::guid>(record.guid);
                            head.set<wnode_record::client_context>(record.client_context);
                            head.set<wnode_record::flags>(record.flags);
                            head.set_common(record);
                        });
}

Result<void> encode(const TimedRecord& record, ByteWriter& to) {
    return encode_plain({RecordFamily::timed}, timed_record::size, record.payload, to,
                        [&](Head& head) {
                            head.set<timed_record::event_id>(record.event_id);
                            head.set_common(record);
                        });
}

Result<void> encode(const ErrorRecord& record, ByteWriter& to) {
    const RecordKind kind{RecordFamily::error};
    return encode_plain(kind, traits_of(kind).header_size, record.payload, to,
                        [](Head& /*head*/) {});
}

Result<void> encode(const Ulong32Record& record, ByteWriter& to) {
    const auto size =
        checked_size((record.time ? ulong32_record::stamped_size : ulong32_record::size) +
                     record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    to.align(8).u16(*size).u8(0).u8(record.time ? stamped_ulong32_marker : ulong32_marker);
    to.u32(record.value);
    if (record.time) {
        to.value(*record.time);
    }
    to.bytes(record.payload);
    return {};
}

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
    const auto size = checked_size(event_record::size + *items + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    const std::uint16_t extended = record.items.empty() ? 0 : event_flag::extended_info;
    Head head({RecordFamily::event, record.width}, event_record::size, *size);
    head.set<event_record::flags>(static_cast<std::uint16_t>(record.flags | extended));
    head.set<event_record::event_property>(record.property);
    head.set_common(record);
    store_descriptor(head.bytes().data(), record.descriptor);
    head.append_to(to);
    append(record.items, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const MessageRecord& record, ByteWriter& to) {
    using namespace message_record;
    std::uint32_t flags = 0;
    const auto flag = [&](bool is_set, std::uint16_t bit) { flags |= is_set ? bit : 0U; };
    flag(record.sequence.has_value(), message_record::sequence);
    flag(record.component_id.has_value(), message_record::component_id);
    flag(record.guid.has_value(), message_record::guid);
    flag(record.time.has_value(), message_record::time_stamp);
    flag(record.reserves_time, message_record::performance_time_stamp);
    flag(record.system_info.has_value(), message_record::system_info);
    flag(record.width == Width::bits32, pointer32);
    flag(record.width == Width::bits64, pointer64);
    const Fields fields = fields_of(static_cast<std::uint16_t>(flags));
    const auto whole = checked_size(fields.end + record.payload.size());
    if (!whole) {
        return std::unexpected(whole.error());
    }
    std::array<std::byte, 0x40> bytes{};
    const auto put = [&](std::size_t offset, const auto& value) {
        if (offset != 0) {
            store_le(bytes.data() + offset, *value);
        }
    };
    put_field<size_>(bytes, *whole);
    put_field<marker>(bytes, message_marker);
    put_field<message_record::number>(bytes, record.number);
    put_field<options>(bytes, static_cast<std::uint16_t>(flags));
    put(fields.sequence, record.sequence);
    put(fields.component_id, record.component_id);
    put(fields.guid, record.guid);
    put(fields.time, record.time);
    if (record.system_info) {
        const ThreadAndProcess& ids = *record.system_info;
        store_le(bytes.data() + fields.system_info, ids.thread_id);
        store_le(bytes.data() + fields.system_info + sizeof ids.thread_id, ids.process_id);
    }
    to.align(8).bytes(Bytes(bytes).first(fields.end)).bytes(record.payload);
    return {};
}

Result<void> encode(RecordKind kind, const EventHeader& header, std::optional<std::int64_t> time,
                    ByteWriter& to) {
    if (kind == RecordKind::none) {
        return fail(ErrorCode::unsupported, "a record without a kind");
    }
    if (is_message(kind)) {
        return encode(message_of(header, time), to);
    }
    if (kind.family == RecordFamily::ulong32) {
        return encode(Ulong32Record{.time = time, .payload = header.payload}, to);
    }
    const RecordTraits& traits = traits_of(kind);
    const bool has_counters = traits.extras == HeaderExtras::counters;
    const Bytes pebs = has_counters ? header.pebs : Bytes();
    const Bytes counters = has_counters ? header.counters : Bytes();
    const Bytes items = traits.extras == HeaderExtras::items ? header.items : Bytes();
    const auto version =
        version_field(header.version, !pebs.empty(), counters.size() / sizeof(std::uint64_t));
    if (!version) {
        return std::unexpected(version.error());
    }
    const std::size_t header_size = is_instance(kind) ? instance_record::size : traits.header_size;
    const auto size = checked_size(header_size + pebs.size() + counters.size() + items.size() +
                                   header.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    Head head(kind, header_size, *size);
    head.set_common(header);
    set_time(kind, head.bytes(), time.value_or(0));
    set_descriptor(kind, head.bytes(), header);
    if (traits.identity == EventIdentity::hook) {
        head.set<system_record::version>(*version);
        head.set<system_record::hook_id>(header.hook_id);
    }
    if (traits.identity == EventIdentity::descriptor) {
        const unsigned extended = items.empty() ? 0U : event_flag::extended_info;
        head.set<event_record::flags>(
            static_cast<std::uint16_t>((header.flags & event_flag::stored) | extended));
        head.set<event_record::event_property>(header.property);
    }
    if (is_instance(kind)) {
        set_instances(header, head);
        head.set<instance_record::parent_guid>(header.parent_guid);
    }
    if (kind.family == RecordFamily::wnode) {
        head.set<wnode_record::buffer_size>(*size);
    }
    head.append_to(to).bytes(pebs).bytes(counters).bytes(items).bytes(header.payload);
    return {};
}

} // namespace etl::format
