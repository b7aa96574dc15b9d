#include "authoring/compare.hpp"
#include "cli/console.hpp"
#include "inputs/schema_sources.hpp"
#include "verbs/schema/description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cli {

namespace {

using etl::schema::EventSchema;
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
        facts.push_back(fmt::format("task {}", with_name(event.task, event.task_name)));
    }
    facts.push_back(fmt::format("opcode {}", with_name(event.opcode, event.opcode_name)));
    if (event.keyword != 0) {
        facts.push_back(fmt::format("keywords {}", keywords_of(event)));
    }
    if (!event.symbol.empty()) {
        facts.push_back(fmt::format("symbol {}", event.symbol));
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
             fmt::format("{} {} ({}, {})", provider.names.name.empty() ? "-" : provider.names.name,
                         etl::to_string(provider.names.guid), origin_of(first), file));
    add_names(text, provider.names);
    for (const auto& event : provider.events) {
        add_header(text, *event);
        add_fields(text, *event);
        add_maps(text, *event);
    }
    return text;
}

} // namespace cli
