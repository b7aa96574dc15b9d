#include "flow/event.hpp"

#include "base/cursor.hpp"
#include "format/buffer_header.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"

namespace etl::flow {

namespace {

using namespace format;

std::uint16_t width_flag(unsigned pointer_size) noexcept {
    return pointer_size == 4 ? event_flag::header_32_bit : event_flag::header_64_bit;
}

unsigned trace_pointer_size(const Event& event) noexcept {
    return event.trace().header.pointer_size == 4 ? 4 : 8;
}

// EVENT_HEADER.Flags that a file stores. What it has at the other bits, which a consumer derives
// from the kind of record, means nothing.
constexpr std::uint16_t stored_flags = event_flag::extended_info | event_flag::private_session |
                                       event_flag::string_only | event_flag::no_cpu_time |
                                       event_flag::decode_guid;

// PEBS index and counters lie between a kernel header and its payload; the flags are in Version.
void take_counters(const Event& event, EventHeader& h, std::size_t at, std::uint16_t version) {
    const Bytes record = event.bytes();
    const std::size_t pebs = (version & has_pebs_index) != 0 ? 8 : 0;
    const std::size_t counters = 8U * ((version & counter_count_mask) >> 8U);
    if (!has_range(record, at, pebs + counters)) {
        h.has_invalid_items = true;
        h.payload = record.subspan(at);
        return;
    }
    h.pebs = record.subspan(at, pebs);
    h.counters = record.subspan(at + pebs, counters);
    h.payload = record.subspan(at + pebs + counters);
}

void read_kernel(const Event& event, EventHeader& h, unsigned pointer_size) {
    const auto version = stored<system_record::version>(event);
    h.is_kernel = true;
    h.hook_id = stored<system_record::hook_id>(event);
    h.provider = class_of_hook(h.hook_id);
    h.opcode = static_cast<std::uint8_t>(h.hook_id);
    h.version = static_cast<std::uint8_t>(version);
    h.pointer_size = static_cast<std::uint8_t>(pointer_size);
    h.flags = event_flag::classic_header | width_flag(pointer_size);
}

void read_system(const Event& event, EventHeader& h, unsigned pointer_size, bool compact) {
    read_kernel(event, h, pointer_size);
    h.thread_id = stored<system_record::thread_id>(event);
    h.process_id = stored<system_record::process_id>(event);
    if (compact) {
        h.flags |= event_flag::no_cpu_time;
    } else {
        h.kernel_time = stored<system_record::kernel_time>(event);
        h.user_time = stored<system_record::user_time>(event);
        h.has_cpu_times = true;
    }
    take_counters(event, h, compact ? system_record::compact_size : system_record::size,
                  stored<system_record::version>(event));
}

void read_perfinfo(const Event& event, EventHeader& h, unsigned pointer_size) {
    read_kernel(event, h, pointer_size);
    h.flags |= event_flag::no_cpu_time;
    take_counters(event, h, perfinfo_record::size, stored<perfinfo_record::version>(event));
}

void read_full(const Event& event, EventHeader& h, unsigned pointer_size) {
    h.provider = stored<full_record::guid>(event);
    h.opcode = stored<full_record::type>(event);
    h.level = stored<full_record::level>(event);
    // EVENT_DESCRIPTOR.Version is one byte wide; classic versions are small.
    h.version = static_cast<std::uint8_t>(stored<full_record::version>(event));
    h.thread_id = stored<full_record::thread_id>(event);
    h.process_id = stored<full_record::process_id>(event);
    h.kernel_time = stored<full_record::kernel_time>(event);
    h.user_time = stored<full_record::user_time>(event);
    h.has_cpu_times = true;
    h.pointer_size = static_cast<std::uint8_t>(pointer_size);
    h.flags = event_flag::classic_header | width_flag(pointer_size);
    h.payload = event.bytes().subspan(full_record::size);
}

bool has_old_instances(const Event& event) noexcept {
    const TraceInfo& trace = event.trace();
    const bool before_1_1 =
        trace.has_header && trace.header.sub_version == 1 && trace.header.sub_minor_version == 0;
    return before_1_1 || event.size < instance_record::size;
}

void read_instance(const Event& event, EventHeader& h, unsigned pointer_size) {
    read_full(event, h, pointer_size);
    if (has_old_instances(event)) {
        h.provider = {};
        h.instance_id = stored<old_instance_record::instance_id>(event);
        h.parent_instance_id = stored<old_instance_record::parent_instance_id>(event);
        h.payload = event.bytes().subspan(old_instance_record::size);
        return;
    }
    h.instance_id = stored<instance_record::instance_id>(event);
    h.parent_instance_id = stored<instance_record::parent_instance_id>(event);
    h.parent_guid = stored<instance_record::parent_guid>(event);
    h.payload = event.bytes().subspan(instance_record::size);
}

void read_event(const Event& event, EventHeader& h, unsigned pointer_size) {
    const std::span<const std::byte, event_record::size> fixed(event.record, event_record::size);
    h.flags = (load<event_record::flags>(fixed) & stored_flags) | width_flag(pointer_size);
    h.property = load<event_record::event_property>(fixed);
    h.thread_id = load<event_record::thread_id>(fixed);
    h.process_id = load<event_record::process_id>(fixed);
    h.provider = load<event_record::provider_id>(fixed);
    h.id = load<event_record::id>(fixed);
    h.version = load<event_record::version>(fixed);
    h.channel = load<event_record::channel>(fixed);
    h.level = load<event_record::level>(fixed);
    h.opcode = load<event_record::opcode>(fixed);
    h.task = load<event_record::task>(fixed);
    h.keyword = load<event_record::keyword>(fixed);
    h.kernel_time = load<event_record::kernel_time>(fixed);
    h.user_time = load<event_record::user_time>(fixed);
    h.has_cpu_times = (h.flags & (event_flag::private_session | event_flag::no_cpu_time)) == 0;
    h.activity = load<event_record::activity_id>(fixed);
    h.pointer_size = static_cast<std::uint8_t>(pointer_size);
    const Bytes rest = event.bytes().subspan(event_record::size);
    h.payload = rest;
    if ((h.flags & event_flag::extended_info) == 0) {
        return;
    }
    ExtendedItems items(rest);
    ExtendedItem item;
    while (items.next(item)) {
    }
    h.has_invalid_items = items.is_malformed();
    h.items = rest.first(items.position());
    if (!h.has_invalid_items) {
        h.payload = rest.subspan(items.position());
    }
}

// The optional fields were proved to fit when the record was found.
void read_message(const Event& event, EventHeader& h) {
    const auto options = stored<message_record::options>(event);
    Cursor in(event.bytes());
    in.bytes("header", message_record::size);
    if ((options & message_record::sequence) != 0) {
        h.sequence = in.u32("sequence");
        h.has_sequence = true;
    }
    if ((options & message_record::component_id) != 0) {
        h.component_id = in.u32("component id");
        h.has_component_id = true;
    } else if ((options & message_record::guid) != 0) {
        h.provider = in.guid("message guid");
    }
    if ((options & (message_record::time_stamp | message_record::performance_time_stamp)) != 0) {
        in.u64("timestamp");
    }
    if ((options & message_record::system_info) != 0) {
        h.thread_id = in.u32("thread id");
        h.process_id = in.u32("process id");
    }
    h.id = stored<message_record::number>(event);
    const bool narrow = (options & message_record::pointer32) != 0;
    const bool wide = (options & message_record::pointer64) != 0;
    h.pointer_size = static_cast<std::uint8_t>(wide ? 8U : narrow ? 4U : trace_pointer_size(event));
    h.flags = event_flag::trace_message | width_flag(h.pointer_size);
    h.payload = event.bytes().subspan(in.position());
}

void read_other(const Event& event, EventHeader& h, std::size_t header_size) {
    h.pointer_size = static_cast<std::uint8_t>(trace_pointer_size(event));
    h.payload = event.bytes().subspan(header_size);
}

} // namespace

EventHeader read_header(const Event& event) noexcept {
    EventHeader h;
    switch (event.kind) {
    case RecordKind::system32:
    case RecordKind::system64:
        read_system(event, h, event.kind == RecordKind::system32 ? 4 : 8, false);
        break;
    case RecordKind::compact32:
    case RecordKind::compact64:
        read_system(event, h, event.kind == RecordKind::compact32 ? 4 : 8, true);
        break;
    case RecordKind::perfinfo32:
    case RecordKind::perfinfo64:
        read_perfinfo(event, h, event.kind == RecordKind::perfinfo32 ? 4 : 8);
        break;
    case RecordKind::full32:
    case RecordKind::full64:
        read_full(event, h, event.kind == RecordKind::full32 ? 4 : 8);
        break;
    case RecordKind::instance32:
    case RecordKind::instance64:
        read_instance(event, h, event.kind == RecordKind::instance32 ? 4 : 8);
        break;
    case RecordKind::event32:
    case RecordKind::event64:
        read_event(event, h, event.kind == RecordKind::event32 ? 4 : 8);
        break;
    case RecordKind::message:
        read_message(event, h);
        break;
    case RecordKind::wnode:
        h.provider = stored<wnode_record::guid>(event);
        read_other(event, h, wnode_record::size);
        break;
    case RecordKind::timed:
        read_other(event, h, timed_record::size);
        break;
    case RecordKind::error:
        read_other(event, h, 0x04);
        break;
    case RecordKind::ulong32:
        read_other(event, h, format::record_at(event.bytes()).has_time ? 0x10 : 0x08);
        break;
    case RecordKind::none:
        break;
    }
    h.cpu_time = h.kernel_time | std::uint64_t{h.user_time} << 32U;
    if ((event.buffer->flags & buffer_flag::processor_index) != 0) {
        h.flags |= event_flag::processor_index;
    }
    return h;
}

format::ExtendedItem find_item(const EventHeader& header, format::ItemType type) noexcept {
    ExtendedItems items(header.items);
    ExtendedItem item;
    while (items.next(item)) {
        if (item.type == type) {
            return item;
        }
    }
    return {};
}

} // namespace etl::flow
