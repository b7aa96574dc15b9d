#include "cli/json_object.hpp"
#include "inputs/schema_sources.hpp"
#include "verbs/schema/description.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

using etl::schema::EventSchema;
using etl::schema::Extent;
using etl::schema::Field;

void add(JsonObject& json, std::string_view key, std::string_view text) {
    json.text(key, utf8_text(text));
}

/// Omitted if empty.
void add_if(JsonObject& json, std::string_view key, std::string_view text) {
    if (!text.empty()) {
        add(json, key, text);
    }
}

std::string hex(std::uint64_t value) {
    return fmt::format("0x{:x}", value);
}

template <typename List, typename Value>
void add_list(JsonObject& json, std::string_view name, const List& list, Value add_value) {
    if (list.empty()) {
        return;
    }
    JsonList rows;
    for (const auto& [value, text] : list) {
        JsonObject row;
        add_value(row, value);
        add(row, "name", text);
        rows.raw(row.take());
    }
    json.raw(name, rows.take());
}

/// A number, the name of the field that holds it, or a word.
void add_extent(JsonObject& json, const char* name, const EventSchema& event,
                const Extent& extent) {
    switch (extent.kind) {
    case Extent::Kind::natural:
        return;
    case Extent::Kind::fixed:
        json.number(name, extent.value);
        return;
    case Extent::Kind::field:
        add(json, name,
            extent.value < event.fields.size() ? std::string_view(event.fields[extent.value].name)
                                               : std::string_view("?"));
        return;
    case Extent::Kind::prefixed:
        add(json, std::string(name) + "_kind", "prefixed");
        return;
    case Extent::Kind::rest:
        add(json, std::string(name) + "_kind", "rest");
        return;
    case Extent::Kind::unknown:
        add(json, std::string(name) + "_kind", "unknown");
        return;
    }
}

template <typename Type>
std::string type_name(Type type) {
    const std::string_view known = etl::schema::name(type);
    return known.empty() ? std::to_string(static_cast<unsigned>(type)) : std::string(known);
}

/// Fields `begin` to `end`, with members inside their structure. Loaders limit nesting to
/// format::max_struct_depth.
void add_fields(JsonObject& json, const EventSchema& event, std::size_t begin, std::size_t end) {
    JsonList rows;
    for (std::size_t i = begin; i < end; ++i) {
        const Field& field = event.fields[i];
        JsonObject row;
        add(row, "name", field.name);
        add(row, "in", type_name(field.in_type));
        if (field.out_type != etl::schema::OutType::none) {
            add(row, "out", type_name(field.out_type));
        }
        add_extent(row, "count", event, field.count);
        add_extent(row, "length", event, field.length);
        if (field.map < event.maps.size() && event.maps[field.map]) {
            add(row, "map", event.maps[field.map]->name);
        }
        if (field.tags != 0) {
            add(row, "tags", hex(field.tags));
        }
        if (field.members != 0) {
            const std::size_t next = std::min(end, i + 1 + field.members);
            add_fields(row, event, i + 1, next);
            i = next - 1;
        }
        rows.raw(row.take());
    }
    json.raw(begin == 0 ? "fields" : "members", rows.take());
}

void add_maps(JsonObject& json, const EventSchema& event) {
    if (event.maps.empty()) {
        return;
    }
    JsonList maps;
    for (const auto& map : event.maps) {
        if (!map) {
            continue;
        }
        JsonObject row;
        add(row, "name", map->name);
        add(row, "kind", map->kind == etl::schema::ValueMap::Kind::bits ? "bits" : "values");
        add_list(row, "entries", map->entries,
                 [](JsonObject& entry, std::uint32_t value) { entry.number("value", value); });
        maps.raw(row.take());
    }
    json.raw("maps", maps.take());
}

std::string as_json(const EventSchema& event) {
    JsonObject json;
    json.number("id", event.id).number("version", event.version);
    add_if(json, "event", event.event_name);
    add(json, "source", etl::schema::name(event.origin));
    add_if(json, "symbol", event.symbol);
    json.number("channel", event.channel).number("level", event.level).number("task", event.task);
    add_if(json, "task_name", event.task_name);
    json.number("opcode", event.opcode);
    add_if(json, "opcode_name", event.opcode_name);
    add(json, "keyword", hex(event.keyword));
    add_if(json, "message", event.message);
    add_if(json, "user_data", event.user_data);
    add_fields(json, event, 0, event.fields.size());
    add_maps(json, event);
    return json.take();
}

} // namespace

std::string description_json(const etl::authoring::ProviderEvents& provider,
                             const std::string& file) {
    const etl::schema::ProviderNames& names = provider.names;
    const auto add_number = [](JsonObject& row, std::uint64_t value) {
        row.number("value", value);
    };
    JsonObject json;
    add(json, "provider", names.name);
    add(json, "guid", etl::to_string(names.guid));
    add(json, "file", file);
    add_if(json, "resource_file", names.resource_file);
    add_if(json, "message_file", names.message_file);
    add_if(json, "parameter_file", names.parameter_file);
    add_list(json, "channels", names.channels, add_number);
    add_list(json, "levels", names.levels, add_number);
    add_list(json, "keywords", names.keywords,
             [](JsonObject& row, std::uint64_t mask) { add(row, "mask", hex(mask)); });
    JsonList events;
    for (const auto& event : provider.events) {
        events.raw(as_json(*event));
    }
    json.raw("events", events.take());
    return json.take() + "\n";
}

} // namespace cli
