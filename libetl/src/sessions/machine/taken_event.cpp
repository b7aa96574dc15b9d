#include "machine/taken_event.hpp"

#include "base/layout.hpp"
#include "format/record_kind.hpp"
#include "format/records.hpp"
#include "format/set_field.hpp"

#include <algorithm>
#include <array>

namespace etl::machine {

using namespace format;

namespace {

/// Those that EventWriter adds to what an event brings.
constexpr std::size_t added_items = 7;

/// About process, user, and provider, of which the producer is not asked.
constexpr std::array said_by_host{ItemType::sid, ItemType::terminal_session_id,
                                  ItemType::process_start_key, ItemType::provider_traits,
                                  ItemType::container_id};

void take_stack(Bytes data, TakenEvent& to) {
    for (std::size_t at = sizeof(std::uint64_t); has_range(data, at, sizeof(std::uint64_t));
         at += sizeof(std::uint64_t)) {
        to.stack.push_back(load_le<std::uint64_t>(data.data() + at));
    }
}

bool take_item(const ExtendedItem& item, TakenEvent& to) {
    if (item.type == ItemType::related_activity_id) {
        to.related = item.data.size() == sizeof(Guid)
                         ? std::optional(load_le<Guid>(item.data.data()))
                         : std::nullopt;
        return to.related.has_value();
    }
    if (item.type == ItemType::stack_trace64) {
        take_stack(item.data, to);
        return true;
    }
    if (item.type == ItemType::event_key) {
        to.event_key = item.data.size() == sizeof(std::uint64_t)
                           ? load_le<std::uint64_t>(item.data.data())
                           : 0;
        return true;
    }
    if (std::ranges::find(said_by_host, item.type) == said_by_host.end()) {
        to.items.push_back(item);
    }
    return to.items.size() <= limits::extended_items - added_items;
}

} // namespace

bool take_event(Bytes record, TakenEvent& to) {
    const RecordShape shape = record_at(record);
    if (shape.kind != RecordKind::event32 && shape.kind != RecordKind::event64) {
        return false;
    }
    to.items.clear();
    to.stack.clear();
    to.related.reset();
    to.event_key = 0;
    const Bytes all = record.first(shape.size);
    const std::span<const std::byte, event_record::size> head(all.data(), event_record::size);
    const auto flags = load<event_record::flags>(head);
    to.width = shape.kind == RecordKind::event32 ? Width::bits32 : Width::bits64;
    to.time = load<event_record::time_stamp>(head);
    to.thread_id = load<event_record::thread_id>(head);
    to.property = load<event_record::event_property>(head);
    to.is_string = (flags & event_flag::string_only) != 0;
    to.activity = load<event_record::activity_id>(head);
    to.descriptor = {.id = load<event_record::id>(head),
                     .version = load<event_record::version>(head),
                     .channel = load<event_record::channel>(head),
                     .level = load<event_record::level>(head),
                     .opcode = load<event_record::opcode>(head),
                     .task = load<event_record::task>(head),
                     .keyword = load<event_record::keyword>(head)};
    to.payload = all.subspan(event_record::size);
    if ((flags & event_flag::extended_info) != 0) {
        ExtendedItems items(to.payload);
        ExtendedItem item;
        while (items.next(item)) {
            if (!take_item(item, to)) {
                return false;
            }
        }
        if (items.is_malformed()) {
            return false;
        }
        to.payload = to.payload.subspan(items.position());
    }
    return true;
}

using namespace format;

namespace {

/// What a classic record of this kind contains at least; nothing: the kind is not classic.
std::optional<std::size_t> least_size(RecordKind kind) noexcept {
    if (kind == RecordKind::full32 || kind == RecordKind::full64) {
        return full_record::size;
    }
    if (kind == RecordKind::instance32 || kind == RecordKind::instance64) {
        return instance_record::size;
    }
    return kind == RecordKind::message ? std::optional(message_record::size) : std::nullopt;
}

bool has_sequence(RecordKind kind, Bytes record) noexcept {
    return kind == RecordKind::message &&
           (load<message_record::options>(record.first<message_record::size>()) &
            message_record::sequence) != 0;
}

} // namespace

bool take_classic(Bytes record, std::uint32_t process_id,
                  FunctionRef<std::uint32_t()> next_sequence, ClassicEvent& to) {
    const RecordShape shape = record_at(record);
    const auto min = least_size(shape.kind);
    if (shape.size != record.size() || !min || record.size() < *min) {
        return false;
    }
    to.record.assign(record.begin(), record.end());
    set_process_id(shape.kind, to.record, process_id);
    if (has_sequence(shape.kind, record)) {
        set_sequence(shape.kind, to.record, next_sequence());
    }
    to.stamp_at = time_offset(shape.kind, to.record);
    return true;
}

} // namespace etl::machine
