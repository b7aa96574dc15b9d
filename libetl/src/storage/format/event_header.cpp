#include "format/event_header.hpp"

#include "format/kernel_group.hpp"
#include "format/records.hpp"

#include <type_traits>
#include <utility>

namespace etl::format {

namespace {

std::uint16_t width_flag(unsigned pointer_size) noexcept {
    return pointer_size == 4 ? event_flag::header_32_bit : event_flag::header_64_bit;
}

// PEBS index and counters lie between a kernel header and its payload; the flags are in Version.
void take_counters(Bytes record, std::size_t at, EventHeader& h) noexcept {
    const auto version = get_field<system_record::version>(record);
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

void take_items(Bytes rest, EventHeader& h) noexcept {
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

/// The fields at fixed offsets, and flags.
template <RecordFamily family>
void take_fixed(Bytes record, EventHeader& h) noexcept {
    constexpr const RecordTraits& traits = traits_of(family);
    constexpr FieldOffsets at = traits.at;
    const auto take = [&]<std::size_t offset>(auto& to) {
        if constexpr (offset != 0) {
            to = load_le<std::remove_reference_t<decltype(to)>>(record.data() + offset);
        }
    };
    take.template operator()<at.process_id>(h.process_id);
    take.template operator()<at.thread_id>(h.thread_id);
    take.template operator()<at.kernel_time>(h.kernel_time);
    take.template operator()<at.user_time>(h.user_time);
    take.template operator()<at.provider>(h.provider);
    take.template operator()<at.activity>(h.activity);
    h.has_cpu_times = at.kernel_time != 0;
    const std::uint16_t width = width_flag(h.pointer_size);
    if constexpr (traits.identity == EventIdentity::hook) {
        h.is_kernel = true;
        h.hook_id = get_field<system_record::hook_id>(record);
        h.provider = class_of_hook(h.hook_id);
        h.opcode = static_cast<std::uint8_t>(h.hook_id);
        h.version = static_cast<std::uint8_t>(get_field<system_record::version>(record));
        h.flags = static_cast<std::uint16_t>(event_flag::classic_header | width |
                                             (h.has_cpu_times ? 0U : event_flag::no_cpu_time));
    } else if constexpr (traits.identity == EventIdentity::event_class) {
        h.opcode = get_field<full_record::type>(record);
        h.level = get_field<full_record::level>(record);
        // EVENT_DESCRIPTOR.Version is one byte wide; classic versions are small.
        h.version = static_cast<std::uint8_t>(get_field<full_record::version>(record));
        h.flags = event_flag::classic_header | width;
    } else if constexpr (traits.identity == EventIdentity::descriptor) {
        static_cast<EventDescriptor&>(h) = load_descriptor(record.data());
        h.flags = (get_field<event_record::flags>(record) & event_flag::stored) | width;
        h.property = get_field<event_record::event_property>(record);
        h.has_cpu_times = (h.flags & (event_flag::private_session | event_flag::no_cpu_time)) == 0;
    }
}

void take_instance(Bytes record, Instances instances, EventHeader& h) noexcept {
    if (instances == Instances::with_handles || record.size() < instance_record::size) {
        h.provider = {};
        h.instance_id = get_field<old_instance_record::instance_id>(record);
        h.parent_instance_id = get_field<old_instance_record::parent_instance_id>(record);
        h.payload = record.subspan(old_instance_record::size);
        return;
    }
    h.instance_id = get_field<instance_record::instance_id>(record);
    h.parent_instance_id = get_field<instance_record::parent_instance_id>(record);
    h.parent_guid = get_field<instance_record::parent_guid>(record);
    h.payload = record.subspan(instance_record::size);
}

void take_message(Bytes record, EventHeader& h) noexcept {
    h.message_options = get_field<message_record::options>(record);
    h.id = get_field<message_record::number>(record);
    const auto fields = message_record::fields_of(h.message_options);
    const auto take = [&](std::size_t offset, auto& to) {
        if (offset != 0) {
            to = load_le<std::remove_reference_t<decltype(to)>>(record.data() + offset);
        }
        return offset != 0;
    };
    h.has_sequence = take(fields.sequence, h.sequence);
    h.has_component_id = take(fields.component_id, h.component_id);
    take(fields.guid, h.provider);
    if (take(fields.system_info, h.thread_id)) {
        take(fields.system_info + sizeof h.thread_id, h.process_id);
    }
    const bool is_narrow = (h.message_options & message_record::pointer32) != 0;
    const bool is_wide = (h.message_options & message_record::pointer64) != 0;
    h.pointer_size = is_wide ? 8 : is_narrow ? 4 : h.pointer_size;
    h.flags = event_flag::trace_message | width_flag(h.pointer_size);
    h.payload = record.subspan(fields.end);
}

template <RecordFamily family>
void take(Bytes record, [[maybe_unused]] Instances instances, EventHeader& h) noexcept {
    constexpr const RecordTraits& traits = traits_of(family);
    take_fixed<family>(record, h);
    if constexpr (family == RecordFamily::message) {
        take_message(record, h);
    } else if constexpr (family == RecordFamily::instance) {
        take_instance(record, instances, h);
    } else if constexpr (family == RecordFamily::ulong32) {
        h.payload =
            record.subspan(get_field<ulong32_record::marker>(record) == stamped_ulong32_marker
                               ? ulong32_record::stamped_size
                               : ulong32_record::size);
    } else if constexpr (traits.extras == HeaderExtras::counters) {
        take_counters(record, traits.header_size, h);
    } else if constexpr (traits.extras == HeaderExtras::items) {
        take_items(record.subspan(traits.header_size), h);
    } else {
        h.payload = record.subspan(traits.header_size);
    }
}

/// Calls take() of the family: a jump, and in it offsets known while compiling.
template <std::size_t... families>
void take_any(RecordKind kind, Bytes record, Instances instances, EventHeader& h,
              std::index_sequence<families...> /*all*/) noexcept {
    const auto take_if = [&]<std::size_t family>() {
        if (static_cast<std::size_t>(kind.family) != family) {
            return false;
        }
        take<static_cast<RecordFamily>(family)>(record, instances, h);
        return true;
    };
    static_cast<void>((take_if.template operator()<families + 1>() || ...));
}

} // namespace

EventHeader read_header(RecordKind kind, Bytes record, std::uint8_t pointer_size,
                        Instances instances) noexcept {
    EventHeader h;
    h.pointer_size =
        kind.width != Width::none ? static_cast<std::uint8_t>(kind.width) : pointer_size;
    take_any(kind, record, instances, h, std::make_index_sequence<record_families.size() - 1>{});
    h.cpu_time = h.kernel_time | std::uint64_t{h.user_time} << 32U;
    return h;
}

} // namespace etl::format
