#include "fromjson/draft.hpp"

#include "format/record_kind.hpp"
#include "format/records.hpp"

#include <algorithm>

namespace etl::fromjson {

namespace {

using namespace etl::format;

SystemRecord system_record_of(const Draft& draft) {
    return {.width = width_of(draft.kind),
            .version = draft.version,
            .hook_id = draft.hook_id,
            .process_id = draft.process_id,
            .thread_id = draft.thread_id,
            .time = draft.time.value_or(0),
            .kernel_time = draft.kernel_time,
            .user_time = draft.user_time,
            .counters = draft.counters,
            .payload = draft.payload};
}

CompactRecord compact_record_of(const Draft& draft) {
    return {.width = width_of(draft.kind),
            .version = draft.version,
            .hook_id = draft.hook_id,
            .process_id = draft.process_id,
            .thread_id = draft.thread_id,
            .time = draft.time.value_or(0),
            .counters = draft.counters,
            .payload = draft.payload};
}

PerfinfoRecord perfinfo_record_of(const Draft& draft) {
    return {.width = width_of(draft.kind),
            .version = draft.version,
            .hook_id = draft.hook_id,
            .time = draft.time.value_or(0),
            .counters = draft.counters,
            .payload = draft.payload};
}

FullRecord full_record_of(const Draft& draft) {
    return {.width = width_of(draft.kind),
            .opcode = draft.opcode,
            .level = draft.level,
            .version = draft.version,
            .process_id = draft.process_id,
            .thread_id = draft.thread_id,
            .time = draft.time.value_or(0),
            .event_class = draft.provider,
            .kernel_time = draft.kernel_time,
            .user_time = draft.user_time,
            .payload = draft.payload};
}

InstanceRecord instance_record_of(const Draft& draft) {
    return {.width = width_of(draft.kind),
            .opcode = draft.opcode,
            .level = draft.level,
            .version = draft.version,
            .process_id = draft.process_id,
            .thread_id = draft.thread_id,
            .time = draft.time.value_or(0),
            .event_class = draft.provider,
            .kernel_time = draft.kernel_time,
            .user_time = draft.user_time,
            .instance_id = draft.instance_id,
            .parent_instance_id = draft.parent_instance_id,
            .parent_class = draft.parent_class,
            .payload = draft.payload};
}

EventRecord event_record_of(const Draft& draft) {
    return {.width = width_of(draft.kind),
            .flags = draft.flags,
            .property = draft.property,
            .process_id = draft.process_id,
            .thread_id = draft.thread_id,
            .time = draft.time.value_or(0),
            .provider = draft.provider,
            .descriptor = {.id = draft.id,
                           .version = draft.version,
                           .channel = draft.channel,
                           .level = draft.level,
                           .opcode = draft.opcode,
                           .task = draft.task,
                           .keyword = draft.keyword},
            .kernel_time = draft.kernel_time,
            .user_time = draft.user_time,
            .activity = draft.activity,
            .items = draft.items,
            .payload = draft.payload};
}

MessageRecord message_record_of(const Draft& draft) {
    const auto has = [&](std::uint16_t flag) { return (draft.message_flags & flag) != 0; };
    MessageRecord record{.number = draft.id, .payload = draft.payload};
    if (has(message_record::pointer64) || has(message_record::pointer32)) {
        record.width = has(message_record::pointer64) ? Width::bits64 : Width::bits32;
    }
    if (has(message_record::sequence)) {
        record.sequence = draft.sequence;
    }
    if (has(message_record::component_id)) {
        record.component_id = draft.component_id;
    }
    if (has(message_record::guid)) {
        record.guid = draft.provider;
    }
    if (has(message_record::time_stamp)) {
        record.time = draft.time.value_or(0);
    }
    record.reserves_time = has(message_record::performance_time_stamp);
    if (has(message_record::system_info)) {
        record.system_info = {draft.thread_id, draft.process_id};
    }
    return record;
}

// A header that was dumped, with the size and the time of the draft.
LineResult<void> encode_obscure(const Draft& draft, std::size_t min, std::size_t time_offset,
                                etl::ByteWriter& to) {
    if (draft.header_bytes.size() < min) {
        return std::unexpected(
            LineError{"header_bytes", "shorter than the header of this kind of record"});
    }
    constexpr std::size_t max = 0xFFFF;
    const std::size_t size = draft.header_bytes.size() + draft.payload.size();
    if (size > max) {
        return std::unexpected(LineError{"payload", "too long for a record"});
    }
    to.bytes(draft.header_bytes).bytes(draft.payload);
    to.patch<std::uint16_t>(0, static_cast<std::uint16_t>(size));
    if (draft.time && time_offset != 0) {
        to.patch<std::int64_t>(time_offset, *draft.time);
    }
    const RecordShape shape = record_at(to.view());
    if (shape.kind != draft.kind || shape.size != to.size()) {
        return std::unexpected(LineError{"header_bytes", "not of this kind of record"});
    }
    return {};
}

LineResult<void> encode_obscure(const Draft& draft, etl::ByteWriter& to) {
    constexpr std::byte stamped{0xB0};
    const bool has_time = draft.header_bytes.size() > 3 && draft.header_bytes[3] == stamped;
    if (draft.kind == RecordKind::timed) {
        return encode_obscure(draft, timed_record::size, timed_record::time_stamp.offset, to);
    }
    if (draft.kind == RecordKind::wnode) {
        return encode_obscure(draft, wnode_record::size, wnode_record::time_stamp.offset, to);
    }
    if (draft.kind == RecordKind::ulong32) {
        return encode_obscure(draft, has_time ? 16 : 8, has_time ? 8 : 0, to);
    }
    return draft.kind == RecordKind::error
               ? encode_obscure(draft, 4, 0, to)
               : std::unexpected(LineError{"header_bytes", "unsupported for this kind of record"});
}

etl::Result<void> encode_known(const Draft& draft, etl::ByteWriter& to) {
    switch (draft.kind) {
    case RecordKind::system32:
    case RecordKind::system64:
        return etl::format::encode(system_record_of(draft), to);
    case RecordKind::compact32:
    case RecordKind::compact64:
        return etl::format::encode(compact_record_of(draft), to);
    case RecordKind::perfinfo32:
    case RecordKind::perfinfo64:
        return etl::format::encode(perfinfo_record_of(draft), to);
    case RecordKind::full32:
    case RecordKind::full64:
        return etl::format::encode(full_record_of(draft), to);
    case RecordKind::instance32:
    case RecordKind::instance64:
        return etl::format::encode(instance_record_of(draft), to);
    case RecordKind::none:
    case RecordKind::event32:
    case RecordKind::event64:
        return etl::format::encode(event_record_of(draft), to);
    case RecordKind::message:
        return etl::format::encode(message_record_of(draft), to);
    case RecordKind::timed:
        return etl::format::encode(
            TimedRecord{.time = draft.time.value_or(0), .payload = draft.payload}, to);
    case RecordKind::error:
        return etl::format::encode(ErrorRecord{.payload = draft.payload}, to);
    case RecordKind::wnode:
        return etl::format::encode(WnodeRecord{.time = draft.time.value_or(0),
                                               .guid = draft.provider,
                                               .payload = draft.payload},
                                   to);
    case RecordKind::ulong32:
        break;
    }
    return etl::format::encode(Ulong32Record{.time = draft.time, .payload = draft.payload}, to);
}

} // namespace

bool is_kernel(RecordKind kind) noexcept {
    return kind >= RecordKind::system32 && kind <= RecordKind::perfinfo64;
}

Width width_of(RecordKind kind) noexcept {
    constexpr RecordKind narrow[] = {RecordKind::system32,   RecordKind::compact32,
                                     RecordKind::perfinfo32, RecordKind::full32,
                                     RecordKind::instance32, RecordKind::event32};
    return std::ranges::find(narrow, kind) != std::end(narrow) ? Width::bits32 : Width::bits64;
}

LineResult<void> encode(const Draft& draft, etl::ByteWriter& to) {
    to.clear();
    if (!draft.header_bytes.empty()) {
        return encode_obscure(draft, to);
    }
    if (const auto encoded = encode_known(draft, to); !encoded) {
        return std::unexpected(LineError{"", etl::describe(encoded.error())});
    }
    return {};
}

} // namespace etl::fromjson
