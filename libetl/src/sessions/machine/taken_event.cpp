#include "machine/taken_event.hpp"

#include "base/layout.hpp"
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
    return to.items.size() <= format::ExtendedItems::max - added_items;
}

} // namespace

bool take_event(Bytes record, TakenEvent& to) {
    const RecordShape shape = record_at(record);
    if (!is_event(shape.kind)) {
        return false;
    }
    to.items.clear();
    to.stack.clear();
    to.related.reset();
    to.event_key = 0;
    to.time = shape.time;
    to.header = read_header(shape.kind, record.first(shape.size), sizeof(void*));
    if (to.header.has_invalid_items) {
        return false;
    }
    ExtendedItems items(to.header.items);
    ExtendedItem item;
    while (!to.header.items.empty() && items.next(item)) {
        if (!take_item(item, to)) {
            return false;
        }
    }
    return true;
}

using namespace format;

namespace {

/// INSTANCE records of today have GUIDs.
bool is_classic(const RecordShape& shape) noexcept {
    return (has_class(shape.kind) || is_message(shape.kind)) &&
           (!is_instance(shape.kind) || shape.size >= instance_record::size);
}

bool has_sequence(RecordKind kind, Bytes record) noexcept {
    return is_message(kind) &&
           (get_field<message_record::options>(record) & message_record::sequence) != 0;
}

} // namespace

bool take_classic(Bytes record, std::uint32_t process_id,
                  FunctionRef<std::uint32_t()> next_sequence, ClassicEvent& to) {
    const RecordShape shape = record_at(record);
    if (shape.size != record.size() || !is_classic(shape)) {
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
