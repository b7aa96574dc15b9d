#include "flow/event.hpp"

#include "format/buffer_header.hpp"

namespace etl::flow {

EventHeader read_header(const Event& event) noexcept {
    // Most records state their width and have one form: nothing of the trace is needed.
    const bool needs_trace =
        event.kind.width == format::Width::none || format::is_instance(event.kind);
    const std::uint8_t pointer_size = needs_trace && event.trace().header.pointer_size == 4 ? 4 : 8;
    const format::Instances instances =
        needs_trace ? instances_of(event.trace()) : format::Instances::with_guids;
    EventHeader header = format::read_header(event.kind, event.bytes(), pointer_size, instances);
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
