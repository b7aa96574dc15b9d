#include "flow/event.hpp"

#include "format/buffer_header.hpp"

namespace etl::flow {

EventHeader read_header(const Event& event) noexcept {
    const TraceInfo& trace = event.trace();
    EventHeader header = format::read_header(
        event.kind, event.bytes(), trace.header.pointer_size == 4 ? 4 : 8, instances_of(trace));
    if ((event.buffer->flags & format::buffer_flag::processor_index) != 0) {
        header.flags |= format::event_flag::processor_index;
    }
    return header;
}

format::ExtendedItem find_item(const EventHeader& header, format::ItemType type) noexcept {
    format::ExtendedItems items(header.items);
    format::ExtendedItem item;
    while (items.next(item)) {
        if (item.type == type) {
            return item;
        }
    }
    return {};
}

} // namespace etl::flow
