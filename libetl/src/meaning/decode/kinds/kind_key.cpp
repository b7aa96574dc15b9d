#include "decode/kinds/kind_key.hpp"

#include "decode/fields/packed_text.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "schema/eventsource_chunks.hpp"

namespace etl::decode {

namespace {

using format::EventIdentity;

Family family_of_event(const flow::EventHeader& header) noexcept {
    if (header.id == schema::manifest_chunk_id &&
        schema::is_manifest_chunk(header.id, header.opcode, header.payload)) {
        return Family::manifest_chunk;
    }
    return (header.flags & format::event_flag::string_only) != 0 ? Family::string : Family::event;
}

} // namespace

Family family_of(const flow::Event& event, const flow::EventHeader& header) noexcept {
    switch (format::traits_of(event.kind).identity) {
    case EventIdentity::descriptor:
        return family_of_event(header);
    case EventIdentity::hook:
        return header.hook_id == format::logfile_header_hook &&
                       event.kind.family == format::RecordFamily::system
                   ? Family::logfile_header
                   : Family::kernel;
    case EventIdentity::event_class:
        return format::is_full(event.kind) && is_packed_text(header.provider, header.opcode)
                   ? Family::packed_text
                   : Family::classic;
    case EventIdentity::message:
        return Family::message;
    case EventIdentity::none:
        break;
    }
    return Family::other;
}

EventItems sort_items(const flow::EventHeader& header) noexcept {
    using format::ItemType;
    EventItems sorted;
    format::ExtendedItems items(header.items);
    format::ExtendedItem item;
    while (!header.items.empty() && items.next(item)) {
        if (item.type == ItemType::related_activity_id && item.data.size() == sizeof(Guid)) {
            sorted.related_activity = item.data;
        } else if (item.type == ItemType::event_schema_tl) {
            sorted.metadata = item.data;
        } else if (item.type == ItemType::provider_traits) {
            sorted.traits = item.data;
        } else if (item.type == ItemType::stack_trace32 || item.type == ItemType::stack_trace64) {
            sorted.has_stack = true;
        } else {
            sorted.has_others = true;
            if (item.type == ItemType::control_guid && item.data.size() == sizeof(Guid)) {
                sorted.control_guid = item.data;
            }
        }
    }
    return sorted;
}

KindKey key_of(const flow::EventHeader& header, const EventItems& items, Family family,
               std::uint16_t schemas) noexcept {
    constexpr std::uint8_t has_control_guid = 0x80;
    const auto kind = static_cast<std::uint8_t>(family);
    KindKey key{.head = {.provider = header.provider,
                         .keyword = header.keyword,
                         .id = header.id,
                         .task = header.task,
                         .hook_id = header.hook_id,
                         .version = header.version,
                         .channel = header.channel,
                         .level = header.level,
                         .opcode = header.opcode,
                         .family = items.control_guid.empty()
                                       ? kind
                                       : static_cast<std::uint8_t>(kind | has_control_guid),
                         .pointer_size = header.pointer_size,
                         .metadata_size = static_cast<std::uint16_t>(items.metadata.size()),
                         .schemas = schemas},
                .metadata = items.metadata,
                .traits = items.traits,
                .control_guid = items.control_guid};
    return key;
}

} // namespace etl::decode
