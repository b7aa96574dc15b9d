#include <etl/base/json_text.hpp>
#include <etl/base/text.hpp>

#include "verbs/schema/description.hpp"
#include "verbs/schema/sources.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

using etl::schema::EventSchema;
using etl::schema::Extent;
using etl::schema::Field;

/// Objects and lists, comma by comma.
class Json {
public:
    void begin(char bracket) {
        separate();
        text_ += bracket;
        first_ = true;
    }

    void end(char bracket) {
        text_ += bracket;
        first_ = false;
    }

    void key(std::string_view name) {
        separate();
        etl::append_json_string(text_, name);
        text_ += ':';
        first_ = true;
    }

    void string(std::string_view value) {
        separate();
        std::string utf8;
        etl::append_utf8(utf8, std::as_bytes(std::span(value)));
        etl::append_json_string(text_, utf8);
    }

    void number(std::uint64_t value) {
        separate();
        etl::append_decimal(text_, value);
    }

    void member(std::string_view name, std::string_view value) {
        key(name);
        string(value);
    }

    void member(std::string_view name, std::uint64_t value) {
        key(name);
        number(value);
    }

    /// Left out when it is empty.
    void member_if(std::string_view name, std::string_view value) {
        if (!value.empty()) {
            member(name, value);
        }
    }

    std::string take() { return std::move(text_); }

private:
    void separate() {
        if (!first_) {
            text_ += ',';
        }
        first_ = false;
    }

    std::string text_;
    bool first_ = true;
};

std::string hex(std::uint64_t value) {
    return fmt::format("0x{:x}", value);
}

template <typename List, typename Value>
void add_list(Json& json, std::string_view name, const List& list, Value value) {
    if (list.empty()) {
        return;
    }
    json.key(name);
    json.begin('[');
    for (const auto& [number, text] : list) {
        json.begin('{');
        value(number);
        json.member("name", text);
        json.end('}');
    }
    json.end(']');
}

/// A number, the name of the field that holds it, or a word.
void add_extent(Json& json, const char* name, const EventSchema& event, const Extent& extent) {
    switch (extent.kind) {
    case Extent::Kind::natural:
        return;
    case Extent::Kind::fixed:
        json.member(name, extent.value);
        return;
    case Extent::Kind::field:
        json.member(name, extent.value < event.fields.size()
                              ? std::string_view(event.fields[extent.value].name)
                              : std::string_view("?"));
        return;
    case Extent::Kind::prefixed:
        json.member(std::string(name) + "_kind", "prefixed");
        return;
    case Extent::Kind::rest:
        json.member(std::string(name) + "_kind", "rest");
        return;
    case Extent::Kind::unknown:
        json.member(std::string(name) + "_kind", "unknown");
        return;
    }
}

template <typename Type>
std::string type_name(Type type) {
    const std::string_view known = etl::schema::name(type);
    return known.empty() ? std::to_string(static_cast<unsigned>(type)) : std::string(known);
}

/// Fields `begin` to `end`; members stand inside of their structure. Structures nest as deep as
/// loaders let them: limits::struct_depth.
void add_fields(Json& json, const EventSchema& event, std::size_t begin, std::size_t end) {
    json.key(begin == 0 ? "fields" : "members");
    json.begin('[');
    for (std::size_t i = begin; i < end; ++i) {
        const Field& field = event.fields[i];
        json.begin('{');
        json.member("name", field.name);
        json.member("in", type_name(field.in_type));
        if (field.out_type != etl::schema::OutType::none) {
            json.member("out", type_name(field.out_type));
        }
        add_extent(json, "count", event, field.count);
        add_extent(json, "length", event, field.length);
        if (field.map < event.maps.size() && event.maps[field.map]) {
            json.member("map", event.maps[field.map]->name);
        }
        if (field.tags != 0) {
            json.member("tags", hex(field.tags));
        }
        if (field.members != 0) {
            const std::size_t behind = std::min(end, i + 1 + field.members);
            add_fields(json, event, i + 1, behind);
            i = behind - 1;
        }
        json.end('}');
    }
    json.end(']');
}

void add_maps(Json& json, const EventSchema& event) {
    if (event.maps.empty()) {
        return;
    }
    json.key("maps");
    json.begin('[');
    for (const auto& map : event.maps) {
        if (!map) {
            continue;
        }
        json.begin('{');
        json.member("name", map->name);
        json.member("kind", map->kind == etl::schema::ValueMap::Kind::bits ? "bits" : "values");
        add_list(json, "entries", map->entries,
                 [&](std::uint32_t value) { json.member("value", value); });
        json.end('}');
    }
    json.end(']');
}

void add_event(Json& json, const EventSchema& event) {
    json.begin('{');
    json.member("id", event.id);
    json.member("version", event.version);
    json.member_if("event", event.event_name);
    json.member("source", etl::schema::name(event.origin));
    json.member_if("symbol", event.symbol);
    json.member("channel", event.channel);
    json.member("level", event.level);
    json.member("task", event.task);
    json.member_if("task_name", event.task_name);
    json.member("opcode", event.opcode);
    json.member_if("opcode_name", event.opcode_name);
    json.member("keyword", hex(event.keyword));
    json.member_if("message", event.message);
    json.member_if("user_data", event.user_data);
    add_fields(json, event, 0, event.fields.size());
    add_maps(json, event);
    json.end('}');
}

} // namespace

std::string description_json(const etl::authoring::ProviderEvents& provider,
                             const std::string& file) {
    const etl::schema::ProviderNames& names = provider.names;
    Json json;
    json.begin('{');
    json.member("provider", names.name);
    json.member("guid", etl::to_string(names.guid));
    json.member("file", file);
    json.member_if("resource_file", names.resource_file);
    json.member_if("message_file", names.message_file);
    json.member_if("parameter_file", names.parameter_file);
    add_list(json, "channels", names.channels,
             [&](std::uint64_t value) { json.member("value", value); });
    add_list(json, "levels", names.levels,
             [&](std::uint64_t value) { json.member("value", value); });
    add_list(json, "keywords", names.keywords,
             [&](std::uint64_t mask) { json.member("mask", hex(mask)); });
    json.key("events");
    json.begin('[');
    for (const auto& event : provider.events) {
        add_event(json, *event);
    }
    json.end(']');
    json.end('}');
    return json.take() + "\n";
}

} // namespace cli
