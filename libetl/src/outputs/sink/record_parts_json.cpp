// What JSON says of a record beside its payload: header, items, stack. docs/output.md
#include "base/json_text.hpp"
#include "base/layout.hpp"
#include "base/text.hpp"
#include "format/kernel_group.hpp"
#include "format/provider_identity.hpp"
#include "format/records.hpp"
#include "sink/json_parts.hpp"

namespace etl::sink {

namespace {

using format::ExtendedItem;
using format::ItemType;

} // namespace

bool has_own_hook(const flow::EventHeader& header) noexcept {
    return header.is_kernel &&
           format::hook_of_class(header.provider, header.opcode) != header.hook_id;
}

bool is_header_obscure(format::RecordKind kind) noexcept {
    return format::traits_of(kind).identity == format::EventIdentity::none;
}

Bytes header_bytes(const decode::DecodedEvent& event) noexcept {
    const Bytes record = event.event->bytes();
    return record.first(record.size() - event.header.payload.size());
}

std::uint16_t message_flags(const flow::Event& event) noexcept {
    return load_le<std::uint16_t>(event.record + format::message_record::options.offset);
}

std::uint32_t event_tags(const decode::DecodedEvent& event) noexcept {
    return event.kind->is_self_describing() ? event.kind->schema->tags : 0;
}

bool has_traits(const decode::DecodedEvent& event) noexcept {
    return !event.items.traits.empty() &&
           format::parse_provider_traits(event.items.traits).has_value();
}

void append_traits(TextAppender& to, const decode::DecodedEvent& event) {
    const auto traits = format::parse_provider_traits(event.items.traits);
    to.text("{\"name\":");
    to.append_with([&](std::string& text) {
        std::string name;
        append_utf8(name, traits->name);
        append_json_string(text, name);
    });
    const auto guid = [&](std::string_view key, const std::optional<Guid>& value) {
        if (value) {
            to.reserve(key.size() + 40);
            to.put(key);
            to.put_guid(*value);
            to.put('"');
        }
    };
    guid(",\"group\":\"", traits->group);
    guid(",\"decode\":\"", traits->decode);
    to.text('}');
}

void append_items(TextAppender& to, const flow::EventHeader& header) {
    to.text('[');
    format::ExtendedItems items(header.items);
    ExtendedItem item;
    while (items.next(item)) {
        to.reserve(16);
        to.put(to.back() == '[' ? std::string_view("[") : std::string_view(",["));
        to.put_decimal(static_cast<std::uint16_t>(item.type));
        to.put(",\"");
        to.hex_bytes(item.data);
        to.text("\"]");
    }
    to.text(']');
}

void append_stack(TextAppender& to, const flow::EventHeader& header) {
    constexpr std::size_t match_id = 8;
    to.text('[');
    format::ExtendedItems items(header.items);
    ExtendedItem item;
    while (items.next(item)) {
        const bool is_wide = item.type == ItemType::stack_trace64;
        if ((!is_wide && item.type != ItemType::stack_trace32) || item.data.size() < match_id) {
            continue;
        }
        const std::size_t width = is_wide ? 8 : 4;
        const Bytes frames = item.data.subspan(match_id);
        to.reserve(frames.size() / width * 21);
        for (std::size_t at = 0; frames.size() - at >= width; at += width) {
            to.put(to.back() == '[' ? std::string_view("\"") : std::string_view(",\""));
            to.put_hex(is_wide ? load_le<std::uint64_t>(frames.data() + at)
                               : load_le<std::uint32_t>(frames.data() + at));
            to.put('"');
        }
    }
    to.text(']');
}

} // namespace etl::sink
