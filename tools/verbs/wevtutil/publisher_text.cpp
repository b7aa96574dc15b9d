#include "verbs/wevtutil/publisher_text.hpp"

#include <etl/guid.hpp>

#include "base/xml_text.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

namespace {

using etl::authoring::ProviderEvents;
using etl::schema::EventSchema;

/// A value with its parts: `channel: name, id`, written as text or as XML.
struct Node {
    std::string name;
    std::vector<std::pair<std::string, std::string>> values;
    std::vector<Node> children;
};

Node numbered(const char* name, const char* value_name, const std::string& label,
              std::string value) {
    return {name, {{"name", label}, {value_name, std::move(value)}}, {}};
}

Node channels_of(const ProviderEvents& provider) {
    Node list{"channels", {}, {}};
    for (const auto& [value, name] : provider.names.channels) {
        list.children.push_back(numbered("channel", "id", name, std::to_string(value)));
    }
    return list;
}

/// Predefined levels are listed as far as events use them.
Node levels_of(const ProviderEvents& provider) {
    std::map<std::uint8_t, std::string> levels(provider.names.levels.begin(),
                                               provider.names.levels.end());
    for (const auto& event : provider.events) {
        levels.try_emplace(event->level, provider.names.level_name(event->level));
    }
    Node list{"levels", {}, {}};
    for (const auto& [value, name] : levels) {
        list.children.push_back(numbered("level", "value", name, std::to_string(value)));
    }
    return list;
}

Node opcodes_of(const ProviderEvents& provider) {
    std::map<std::pair<std::uint16_t, std::uint8_t>, std::string> opcodes;
    for (const auto& event : provider.events) {
        opcodes.try_emplace({event->task, event->opcode}, event->opcode_name);
    }
    Node list{"opcodes", {}, {}};
    for (const auto& [value, name] : opcodes) {
        Node opcode = numbered("opcode", "value", name, std::to_string(value.second));
        opcode.values.emplace_back("task", std::to_string(value.first));
        list.children.push_back(std::move(opcode));
    }
    return list;
}

Node tasks_of(const ProviderEvents& provider) {
    std::map<std::uint16_t, const EventSchema*> tasks;
    for (const auto& event : provider.events) {
        tasks.try_emplace(event->task, event.get());
    }
    Node list{"tasks", {}, {}};
    for (const auto& [value, event] : tasks) {
        Node task = numbered("task", "value", event->task_name, std::to_string(value));
        task.values.emplace_back("eventGUID", etl::to_string(event->task_guid));
        list.children.push_back(std::move(task));
    }
    return list;
}

Node keywords_of(const ProviderEvents& provider) {
    Node list{"keywords", {}, {}};
    for (const auto& [mask, name] : provider.names.keywords) {
        list.children.push_back(numbered("keyword", "mask", name, fmt::format("{:x}", mask)));
    }
    return list;
}

Node events_of(const ProviderEvents& provider, bool messages) {
    Node list{"events", {}, {}};
    for (const auto& event : provider.events) {
        Node node{"event",
                  {{"value", std::to_string(event->id)},
                   {"version", std::to_string(event->version)},
                   {"opcode", std::to_string(event->opcode)},
                   {"channel", std::to_string(event->channel)},
                   {"level", std::to_string(event->level)},
                   {"task", std::to_string(event->task)},
                   {"keywords", fmt::format("0x{:x}", event->keyword)}},
                  {}};
        if (messages) {
            node.values.emplace_back("message", event->message);
        }
        list.children.push_back(std::move(node));
    }
    return list;
}

Node tree_of(const ProviderEvents& provider, const PublisherOptions& options) {
    const auto& names = provider.names;
    Node root{"provider",
              {{"name", names.name},
               {"guid", etl::to_string(names.guid)},
               {"resourceFileName", names.resource_file},
               {"messageFileName", names.message_file},
               {"parameterFileName", names.parameter_file}},
              {}};
    if (options.messages) {
        root.values.emplace_back("message", names.message);
    }
    root.children = {channels_of(provider), levels_of(provider), opcodes_of(provider),
                     tasks_of(provider), keywords_of(provider)};
    if (options.events) {
        root.children.push_back(events_of(provider, options.messages));
    }
    return root;
}

void add_text(std::string& text, const Node& node, int indent) {
    for (const auto& [name, value] : node.values) {
        text += fmt::format("{:{}}{}:{}{}\n", "", indent, name, value.empty() ? "" : " ",
                            printable(value));
    }
    for (const Node& child : node.children) {
        text += fmt::format("{:{}}{}:\n", "", indent, child.name);
        add_text(text, child, indent + 2);
    }
}

std::string escaped(std::string_view text) {
    std::string safe;
    etl::append_xml_escaped(safe, utf8_text(text), etl::XmlPlace::attribute);
    return safe;
}

void add_xml(std::string& text, const Node& node, int indent) {
    text += fmt::format("{:{}}<{}", "", indent, node.name);
    for (const auto& [name, value] : node.values) {
        text += fmt::format(" {}=\"{}\"", name, escaped(value));
    }
    if (node.children.empty()) {
        text += "/>\n";
        return;
    }
    text += ">\n";
    for (const Node& child : node.children) {
        add_xml(text, child, indent + 2);
    }
    text += fmt::format("{:{}}</{}>\n", "", indent, node.name);
}

} // namespace

std::string describe_publisher(const ProviderEvents& provider, const PublisherOptions& options) {
    const Node tree = tree_of(provider, options);
    std::string text;
    if (options.format == PublisherFormat::xml) {
        add_xml(text, tree, 0);
    } else {
        add_text(text, tree, 0);
    }
    return text;
}

} // namespace cli
