#include "sink/json_parts.hpp"

#include "base/json_text.hpp"
#include "base/layout.hpp"
#include "base/text.hpp"
#include "decode/decode_note.hpp"
#include "format/kernel_group.hpp"
#include "format/provider_identity.hpp"
#include "format/records.hpp"
#include "schema/tracelogging.hpp"

namespace etl::sink {

using decode::Step;

bool begins(Step step) noexcept {
    return step == Step::value || step == Step::array_begin || step == Step::struct_begin;
}

void append_step(TextAppender& to, Step step, const decode::FieldWalker& walker, Nesting& open,
                 const KindTexts& texts, const decode::JsonValueOptions& values) {
    // A member brings its comma along, which the first one has to give back; an element brings
    // none.
    const auto begin_value = [&] {
        if ((open.arrays & 1U) != 0) {
            to.reserve(1);
            if (to.back() != '[') {
                to.put(',');
            }
            return;
        }
        const std::string_view key = texts.name_of(walker.field());
        to.reserve(key.size());
        to.put(to.back() == '{' ? key.substr(1) : key);
    };
    switch (step) {
    case Step::value:
        begin_value();
        decode::append_json_value(to, walker.value(), values);
        break;
    case Step::array_begin:
    case Step::struct_begin:
        begin_value();
        to.text(step == Step::array_begin ? '[' : '{');
        open.begin(step == Step::array_begin);
        break;
    case Step::array_end:
    case Step::struct_end:
        to.text(step == Step::array_end ? ']' : '}');
        open.end();
        break;
    case Step::end:
        break;
    }
}

void JsonData::append(TextAppender& to, const decode::DecodedEvent& event, const KindTexts& texts) {
    walker_.start(event.kind->plan, event.body);
    Nesting open;
    to.text('{');
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (begins(step) && !texts.fields[walker_.field()].is_wanted) {
            if (step != Step::value) {
                skip_begun(walker_);
            }
            continue;
        }
        append_step(to, step, walker_, open, texts, values_);
    }
    to.text('}');
}

void skip_begun(decode::FieldWalker& walker) {
    for (int open = 1; open > 0;) {
        const Step step = walker.next();
        open += step == Step::array_begin || step == Step::struct_begin ? 1 : 0;
        open -= step == Step::array_end || step == Step::struct_end ? 1 : 0;
    }
}

void JsonData::skip(const decode::DecodedEvent& event) {
    walker_.start(event.kind->plan, event.body);
    while (walker_.next() != Step::end) {
    }
}

void append_note(std::string& to, const decode::DecodedEvent& event,
                 const decode::FieldWalker* walked) {
    if (!decode::has_decode_note(event, walked)) [[likely]] {
        return;
    }
    to.append(event.kind->is_guess ? " (guess: " : " (note: ");
    decode::append_decode_note(to, event, walked);
    to.push_back(')');
}

void append_problem(std::string& to, const schema::EventSchema& schema,
                    const decode::FieldWalker& walker) {
    to.append(schema.fields[walker.failed_field()].name).append(": ").append(walker.problem());
}

// What JSON says of a record beside its payload: header, items, stack. docs/output.md

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

// Extended items as JSON. docs/output.md#ext

namespace {

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
