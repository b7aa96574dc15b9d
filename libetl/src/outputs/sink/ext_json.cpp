// Extended items as JSON. docs/output.md#ext
#include "base/json_text.hpp"
#include "base/layout.hpp"
#include "base/text.hpp"
#include "format/kernel_group.hpp"
#include "format/provider_identity.hpp"
#include "format/records.hpp"
#include "schema/tracelogging.hpp"
#include "sink/json_parts.hpp"

namespace etl::sink {

namespace {

using format::ExtendedItem;
using format::ItemType;

/// Writes the members of one object. Values whose data have the wrong size are shown as `type_N`:
/// hex.
class ExtWriter {
public:
    explicit ExtWriter(TextAppender& to) : to_(to) { to_.text('{'); }

    void finish() { to_.text('}'); }

    void item(const ExtendedItem& item) {
        if (!known(item)) {
            key("type_", static_cast<std::uint16_t>(item.type));
            hex(item.data);
        }
    }

    void number(std::string_view name, std::uint64_t value) {
        key(name);
        to_.reserve(20);
        to_.put_decimal(value);
    }

    void numbers(std::string_view name, Bytes values) {
        key(name);
        to_.text('[');
        for (std::size_t at = 0; values.size() - at >= 8; at += 8) {
            to_.reserve(21);
            if (at > 0) {
                to_.put(',');
            }
            to_.put_decimal(load_le<std::uint64_t>(values.data() + at));
        }
        to_.text(']');
    }

    void instance(std::uint32_t id, std::uint32_t parent, const Guid& parent_guid) {
        key("instance_info");
        to_.reserve(160);
        to_.put("{\"instance_id\":");
        to_.put_decimal(id);
        to_.put(",\"parent_instance_id\":");
        to_.put_decimal(parent);
        to_.put(",\"parent_guid\":\"");
        to_.put_guid(parent_guid);
        to_.put("\"}");
    }

private:
    void begin_key(std::string_view name) {
        to_.reserve(name.size() + 24);
        if (to_.back() != '{') {
            to_.put(',');
        }
        to_.put('"');
        to_.put(name);
    }

    void key(std::string_view name) {
        begin_key(name);
        to_.put("\":");
    }

    // Two items of one unknown type get the same key; JSON readers keep the last.
    void key(std::string_view name, std::uint16_t number) {
        begin_key(name);
        to_.put_decimal(number);
        to_.put("\":");
    }

    void hex(Bytes bytes) {
        to_.text('"');
        to_.hex_bytes(bytes);
        to_.text('"');
    }

    void hex_number(std::string_view name, std::uint64_t value) {
        key(name);
        to_.reserve(20);
        to_.put('"');
        to_.put_hex(value);
        to_.put('"');
    }

    void guid(std::string_view name, Bytes bytes) {
        key(name);
        to_.reserve(38);
        to_.put('"');
        to_.put_guid(load_le<Guid>(bytes.data()));
        to_.put('"');
    }

    bool known(const ExtendedItem& item) {
        const Bytes data = item.data;
        switch (item.type) {
        case ItemType::sid:
            return sid(data);
        case ItemType::terminal_session_id:
            return data.size() == 4 && number32("session_id", data);
        case ItemType::instance_info:
            if (data.size() != 24) {
                return false;
            }
            instance(load_le<std::uint32_t>(data.data()), load_le<std::uint32_t>(data.data() + 4),
                     load_le<Guid>(data.data() + 8));
            return true;
        case ItemType::pebs_index:
            return number64("pebs_index", data);
        case ItemType::pmc_counters:
            if (data.size() % 8 != 0) {
                return false;
            }
            numbers("pmc", data);
            return true;
        case ItemType::psm_key:
            return number64("psm_key", data);
        case ItemType::event_key:
            return number64("event_key", data);
        case ItemType::process_start_key:
            return number64("process_start_key", data);
        case ItemType::control_guid:
            if (data.size() != sizeof(Guid)) {
                return false;
            }
            guid("control_guid", data);
            return true;
        case ItemType::qpc_delta:
            return number64("qpc_delta", data);
        case ItemType::container_id:
            container(data);
            return true;
        case ItemType::stack_key32:
            return stack_key(data, 4);
        case ItemType::stack_key64:
            return stack_key(data, 8);
        case ItemType::related_activity_id:
        case ItemType::stack_trace32:
        case ItemType::stack_trace64:
        case ItemType::event_schema_tl:
        case ItemType::provider_traits:
            break;
        }
        return false;
    }

    bool sid(Bytes data) {
        const decode::Value value{.bytes = data, .form = decode::Form::sid};
        if (data.size() < 8 || data.size() < 8 + 4 * std::to_integer<std::size_t>(data[1])) {
            return false;
        }
        key("sid");
        decode::append_json_value(to_, value, {});
        return true;
    }

    bool number32(std::string_view name, Bytes data) {
        number(name, load_le<std::uint32_t>(data.data()));
        return true;
    }

    bool number64(std::string_view name, Bytes data) {
        if (data.size() != 8) {
            return false;
        }
        number(name, load_le<std::uint64_t>(data.data()));
        return true;
    }

    // Its form is not documented: a GUID in sixteen bytes, or text.
    void container(Bytes data) {
        const auto is_printable = [](std::byte c) {
            return c >= std::byte{0x20} && c < std::byte{0x7F};
        };
        if (data.size() == sizeof(Guid)) {
            guid("container_id", data);
        } else if (std::ranges::all_of(data, is_printable)) {
            key("container_id");
            to_.append_with([&](std::string& text) { append_json_string(text, as_text(data)); });
        } else {
            key("container_id");
            hex(data);
        }
    }

    bool stack_key(Bytes data, std::size_t pointer_size) {
        if (data.size() < 8 + pointer_size) {
            return false;
        }
        const std::byte* at = data.data() + 8;
        hex_number("stack_match_id", load_le<std::uint64_t>(data.data()));
        hex_number("stack_key",
                   pointer_size == 4 ? load_le<std::uint32_t>(at) : load_le<std::uint64_t>(at));
        return true;
    }

    TextAppender& to_;
};

// Items that have a key of their own, or that decoding has used up. Event logs store more as keys.
bool has_own_key(const decode::DecodedEvent& event, const ExtendedItem& item) noexcept {
    const bool is_of_log = item.type == ItemType::sid || item.type == ItemType::event_key;
    return (is_of_log && event.kind->log != nullptr) ||
           (item.type == ItemType::related_activity_id && item.data.size() == sizeof(Guid)) ||
           item.type == ItemType::stack_trace32 || item.type == ItemType::stack_trace64 ||
           item.type == ItemType::event_schema_tl || item.type == ItemType::provider_traits;
}

// Whether an event with items that decoding does not use has one without a key of its own.
bool has_items_for_ext(const decode::DecodedEvent& event) noexcept {
    if (event.kind->log == nullptr) [[likely]] {
        return true;
    }
    format::ExtendedItems items(event.header.items);
    ExtendedItem item;
    while (items.next(item)) {
        if (!has_own_key(event, item)) {
            return true;
        }
    }
    return false;
}

} // namespace

bool has_ext(const decode::DecodedEvent& event) noexcept {
    return (event.items.has_others && has_items_for_ext(event)) || !event.header.pebs.empty() ||
           !event.header.counters.empty() || event.header.has_sequence ||
           event.header.has_component_id || is_instance(event.event->kind);
}

void append_ext(TextAppender& to, const decode::DecodedEvent& event) {
    ExtWriter ext(to);
    const flow::EventHeader& header = event.header;
    if (!header.pebs.empty()) {
        ext.number("pebs_index", load_le<std::uint64_t>(header.pebs.data()));
    }
    if (!header.counters.empty()) {
        ext.numbers("pmc", header.counters);
    }
    if (is_instance(event.event->kind)) {
        ext.instance(header.instance_id, header.parent_instance_id, header.parent_guid);
    }
    if (header.has_sequence) {
        ext.number("sequence", header.sequence);
    }
    if (header.has_component_id) {
        ext.number("component_id", header.component_id);
    }
    format::ExtendedItems items(header.items);
    ExtendedItem item;
    while (event.items.has_others && items.next(item)) {
        if (!has_own_key(event, item)) {
            ext.item(item);
        }
    }
    ext.finish();
}

} // namespace etl::sink
