#include "flow/event.hpp"
#include "format/records.hpp"
#include "sink/json/json_members.hpp"
#include "sink/json_parts.hpp"

namespace etl::sink {

namespace {

// What no other key says.
void rest_of_header(TextAppender& to, const JsonMembers& members,
                    const decode::DecodedEvent& decoded) {
    const flow::EventHeader& header = decoded.header;
    if (header.property != 0) [[unlikely]] {
        members.number(to, Key::event_property, header.property);
    }
    if (has_own_hook(header)) [[unlikely]] {
        members.number(to, Key::hook_id, header.hook_id);
    }
    if (format::is_message(decoded.event->kind)) {
        members.number(to, Key::message_flags, message_flags(*decoded.event));
    }
    if (!header.items.empty() && !header.has_invalid_items && members.begin(to, Key::items)) {
        append_items(to, header);
    }
    if (is_header_obscure(decoded.event->kind)) [[unlikely]] {
        members.hex(to, Key::header_bytes, header_bytes(decoded));
    }
}

} // namespace

void append_raw_members(TextAppender& to, const JsonMembers& members,
                        const decode::DecodedEvent& decoded, const KindTexts& texts) {
    const flow::Event& event = *decoded.event;
    const flow::EventHeader& header = decoded.header;
    if (const auto stored = flow::stored_time(event)) {
        members.number(to, Key::raw_time, *stored);
    } else if (members.begin(to, Key::raw_time)) {
        to.put("null");
    }
    if (members.begin(to, Key::header)) {
        to.put('"');
        to.put(format::name(event.kind));
        to.put('"');
    }
    members.number(to, Key::buffer, event.buffer->number);
    members.number(to, Key::offset, event.offset());
    members.number(to, Key::flags, header.flags);
    if (header.has_cpu_times) {
        members.number(to, Key::kernel_time, header.kernel_time);
        members.number(to, Key::user_time, header.user_time);
    } else if ((header.flags & format::event_flag::private_session) != 0) {
        members.number(to, Key::cpu_time, header.cpu_time);
    }
    rest_of_header(to, members, decoded);
    if (has_traits(decoded) && members.begin(to, Key::traits)) {
        append_traits(to, decoded);
    }
    if (event_tags(decoded) != 0) [[unlikely]] {
        members.number(to, Key::event_tags, event_tags(decoded));
    }
    to.text(texts.raw_fields);
}

} // namespace etl::sink
