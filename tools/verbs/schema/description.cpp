#include "verbs/schema/description.hpp"

#include "authoring/compact_writer.hpp"
#include "authoring/compare.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "inputs/schema_sources.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

/// Of sources that know builds of Windows.
void add_builds(JsonObject& json, const EventSchema& event) {
    if (!event.provider || event.provider->builds.empty()) {
        return;
    }
    JsonList builds;
    for (const std::uint32_t build : etl::schema::builds_of(event)) {
        builds.raw(std::to_string(build));
    }
    json.raw("builds", builds.take());
    json.boolean("any_build", event.is_of_any_build);
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
    add_builds(json, event);
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
    if (names.is_guess) {
        add(json, "guid_from", "name");
    }
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

namespace {

using etl::schema::ProviderNames;
using etl::schema::ValueMap;

void add_line(std::string& text, int indent, std::string_view line) {
    text += fmt::format("{:{}}{}\n", "", indent, printable(line));
}

/// `4 Information`, or the number alone.
std::string with_name(std::uint64_t value, std::string_view name) {
    return name.empty() ? std::to_string(value) : fmt::format("{} {}", value, name);
}

void add_names(std::string& text, const ProviderNames& names) {
    const auto file = [&](const char* what, const std::string& path) {
        if (!path.empty()) {
            add_line(text, 2, fmt::format("{} {}", what, path));
        }
    };
    file("resources", names.resource_file);
    file("messages", names.message_file);
    file("parameters", names.parameter_file);
    for (const auto& [value, name] : names.channels) {
        add_line(text, 2, fmt::format("channel {} {}", value, name));
    }
    for (const auto& [value, name] : names.levels) {
        add_line(text, 2, fmt::format("level {} {}", value, name));
    }
    for (const auto& [mask, name] : names.keywords) {
        add_line(text, 2, fmt::format("keyword 0x{:x} {}", mask, name));
    }
}

std::string keywords_of(const EventSchema& event) {
    std::string text = fmt::format("0x{:x}", event.keyword);
    for (unsigned bit = 0; bit < 64; ++bit) {
        const std::uint64_t mask = std::uint64_t{1} << bit;
        if ((event.keyword & mask) != 0) {
            const auto name = event.provider->keyword_name(mask);
            text += name.empty() ? std::string() : fmt::format(" {}", name);
        }
    }
    return text;
}

void add_header(std::string& text, const EventSchema& event) {
    std::string line = fmt::format("event {} version {}", event.id, event.version);
    line += event.event_name.empty() ? "" : "  " + event.event_name;
    add_line(text, 2, line);
    std::vector<std::string> facts{
        fmt::format("level {}", with_name(event.level, event.provider->level_name(event.level)))};
    if (event.channel != 0) {
        facts.push_back(fmt::format(
            "channel {}", with_name(event.channel, event.provider->channel_name(event.channel))));
    }
    if (event.task != 0 || !event.task_name.empty()) {
        facts.push_back(event.is_task_unknown
                            ? fmt::format("task ? {}", event.task_name)
                            : fmt::format("task {}", with_name(event.task, event.task_name)));
    }
    facts.push_back(event.is_opcode_unknown
                        ? fmt::format("opcode ? {}", event.opcode_name)
                        : fmt::format("opcode {}", with_name(event.opcode, event.opcode_name)));
    if (event.keyword != 0) {
        facts.push_back(fmt::format("keywords {}", keywords_of(event)));
    }
    if (!event.symbol.empty()) {
        facts.push_back(fmt::format("symbol {}", event.symbol));
    }
    if (const std::string builds = etl::authoring::builds_text(event); !builds.empty()) {
        facts.push_back(fmt::format("builds {}", builds));
    }
    add_line(text, 4, fmt::format("{}", fmt::join(facts, ", ")));
    if (!event.message.empty()) {
        add_line(text, 4, fmt::format("message {}", event.message));
    }
    if (event.site) {
        add_line(text, 4,
                 fmt::format("at {}:{} in {}", event.site->file, event.site->line,
                             event.site->function));
    }
}

void add_fields(std::string& text, const EventSchema& event) {
    std::size_t widest = 0;
    for (const auto& field : event.fields) {
        widest = std::max(widest, std::min<std::size_t>(field.name.size(), 40));
    }
    std::vector<std::size_t> ends; // of the enclosing structures
    for (std::size_t i = 0; i < event.fields.size(); ++i) {
        std::erase_if(ends, [&](std::size_t end) { return end <= i; });
        const auto& field = event.fields[i];
        const int indent = 4 + 2 * static_cast<int>(ends.size());
        add_line(
            text, indent,
            fmt::format("{:<{}}  {}", field.name, widest, etl::authoring::type_text(event, i)));
        if (field.members != 0) {
            ends.push_back(i + 1 + field.members);
        }
    }
    if (!event.user_data.empty()) {
        add_line(text, 4, fmt::format("user data {}", event.user_data));
    }
}

void add_maps(std::string& text, const EventSchema& event) {
    for (const auto& map : event.maps) {
        if (!map) {
            continue;
        }
        const bool bits = map->kind == ValueMap::Kind::bits;
        add_line(text, 4, fmt::format("map {}{}", map->name, bits ? " of bits" : ""));
        for (const auto& [value, name] : map->entries) {
            add_line(text, 6,
                     bits ? fmt::format("0x{:x} {}", value, name)
                          : fmt::format("{} {}", value, name));
        }
    }
}

} // namespace

std::string description_text(const etl::authoring::ProviderEvents& provider,
                             const std::string& file) {
    const auto* first = provider.events.empty() ? nullptr : provider.events.front().get();
    std::string text;
    add_line(text, 0,
             fmt::format("{} {} ({}, {}){}",
                         provider.names.name.empty() ? "-" : provider.names.name,
                         etl::to_string(provider.names.guid), origin_of(first), file,
                         provider.names.is_guess ? ", GUID computed from the name" : ""));
    add_names(text, provider.names);
    for (const auto& event : provider.events) {
        add_header(text, *event);
        add_fields(text, *event);
        add_maps(text, *event);
    }
    return text;
}

} // namespace cli
