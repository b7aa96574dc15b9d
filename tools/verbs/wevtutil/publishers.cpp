#include <etl/guid.hpp>

#include "authoring/provider_events.hpp"
#include "base/text.hpp"
#include "base/xml_text.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/json_object.hpp"
#include "cli/option_values.hpp"
#include "inputs/schema_sources.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/wevtutil/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

// A provider as `wevtutil gp` describes it.

enum class PublisherFormat : unsigned char { text, xml };

struct PublisherOptions {
    PublisherFormat format = PublisherFormat::text;
    bool events = false;   // list the events
    bool messages = false; // show texts instead of leaving them out
};

/// Values that only an installed provider has, such as help links, are left out.
std::string describe_publisher(const etl::authoring::ProviderEvents& provider,
                               const PublisherOptions& options);

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

namespace {

constexpr const char* paths_help =
    "schema files, directories, or archives (default: those that `etl dump` uses)";

/// The providers of the schema files, or of the default ones.
struct Publishers {
    std::vector<ProviderEvents> list;
    ExitCode exit = ExitCode::well;
};

std::optional<Publishers> read_publishers(SourceOptions sources) {
    sources.defaults = sources.paths.empty();
    if (!guard_of(sources).permits_standard_streams()) {
        return std::nullopt;
    }
    Sources read = read_sources(sources);
    const ExitCode exit = read.exit;
    const etl::schema::SchemaSet set = join(std::move(read.list));
    const std::set<etl::Guid> classes = class_guids(set);
    auto list = etl::authoring::group_by_provider(set);
    std::erase_if(list, [&](const auto& one) { return classes.contains(one.names.guid); });
    return Publishers{std::move(list), exit};
}

void add_paths(Verb& verb, SourceOptions& sources) {
    verb.add_option("PATH", sources.paths, paths_help)->type_name("");
}

/// Names, each once, a line each.
ExitCode print_names(const std::set<std::string>& names, ExitCode exit) {
    std::string text;
    for (const std::string& name : names) {
        text += printable(name) + '\n';
    }
    return worst(exit, print(text));
}

ExitCode enumerate_publishers(const SourceOptions& sources) {
    const auto publishers = read_publishers(sources);
    std::set<std::string> names;
    for (const ProviderEvents& provider :
         publishers ? publishers->list : decltype(Publishers::list){}) {
        if (!provider.names.name.empty()) {
            names.insert(provider.names.name);
        }
    }
    return publishers ? print_names(names, publishers->exit) : ExitCode::failed;
}

ExitCode enumerate_logs(const SourceOptions& sources) {
    const auto publishers = read_publishers(sources);
    std::set<std::string> names;
    for (const ProviderEvents& provider :
         publishers ? publishers->list : decltype(Publishers::list){}) {
        for (const auto& [value, name] : provider.names.channels) {
            names.insert(name);
        }
    }
    return publishers ? print_names(names, publishers->exit) : ExitCode::failed;
}

bool is_named(const ProviderEvents& provider, const std::string& name) {
    return is_selected(provider.names, {name});
}

ExitCode get_publisher(const SourceOptions& sources, const std::string& name,
                       const PublisherOptions& options) {
    const auto publishers = read_publishers(sources);
    if (!publishers) {
        return ExitCode::failed;
    }
    std::string text;
    for (const ProviderEvents& provider : publishers->list) {
        text += is_named(provider, name) ? describe_publisher(provider, options) : "";
    }
    if (text.empty()) {
        say(fmt::format("no schema describes the publisher '{}'; `etl wevtutil ep` lists those "
                        "that are known; name its manifest or executable after it",
                        printable(name)));
        return ExitCode::failed;
    }
    return worst(publishers->exit, print(text));
}

ExitCode get_log(const SourceOptions& sources, const std::string& name) {
    const auto publishers = read_publishers(sources);
    if (!publishers) {
        return ExitCode::failed;
    }
    std::string text;
    const std::string wanted = etl::to_lower_ascii(name);
    for (const ProviderEvents& provider : publishers->list) {
        for (const auto& [value, channel] : provider.names.channels) {
            if (etl::to_lower_ascii(channel) == wanted) {
                text += fmt::format("name: {}\nid: {}\nowningPublisher: {}\n", printable(channel),
                                    value, printable(provider.names.name));
            }
        }
    }
    if (text.empty()) {
        say(fmt::format("no schema declares the log '{}'; `etl wevtutil el` lists those that are "
                        "known",
                        printable(name)));
        return ExitCode::failed;
    }
    say("note: enabled, type, size, and retention are settings of a Windows machine, which schemas "
        "do not contain");
    return worst(publishers->exit, print(text));
}

} // namespace

void add_wevtutil_logs(Verb& wevtutil, ExitCode& exit) {
    Verb& list =
        *wevtutil.add_subcommand("el", "enum-logs: list the logs (channels) that schemas declare");
    list.alias("enum-logs");
    auto sources = std::make_shared<SourceOptions>();
    add_paths(list, *sources);
    list.callback([sources, &exit] { exit = enumerate_logs(*sources); });

    Verb& get = *wevtutil.add_subcommand("gl", "get-log: show which publisher owns a log");
    get.alias("get-log");
    auto of_get = std::make_shared<SourceOptions>();
    auto name = std::make_shared<std::string>();
    get.add_option("LOG", *name, "name of the log")->required();
    add_paths(get, *of_get);
    get.callback([of_get, name, &exit] { exit = get_log(*of_get, *name); });
}

void add_wevtutil_publishers(Verb& wevtutil, ExitCode& exit) {
    Verb& list = *wevtutil.add_subcommand(
        "ep", "enum-publishers: list the publishers (providers) that schemas describe");
    list.alias("enum-publishers");
    auto sources = std::make_shared<SourceOptions>();
    add_paths(list, *sources);
    list.callback([sources, &exit] { exit = enumerate_publishers(*sources); });

    Verb& get = *wevtutil.add_subcommand("gp", "get-publisher: describe a publisher");
    get.alias("get-publisher");

    struct Asked {
        SourceOptions sources;
        PublisherOptions options;
        std::string name;
    };

    auto asked = std::make_shared<Asked>();
    get.add_option("PUBLISHER", asked->name, "name or GUID")->required();
    add_paths(get, asked->sources);
    get.add_flag("--ge,--getevents", asked->options.events, "true: list the events");
    get.add_flag("--gm,--getmessage", asked->options.messages, "true: show messages");
    add_choice<PublisherFormat>(get, "--f,--format", asked->options.format,
                                {{"text", PublisherFormat::text}, {"xml", PublisherFormat::xml}},
                                "Text or XML (default: Text)", "FORMAT");
    get.callback(
        [asked, &exit] { exit = get_publisher(asked->sources, asked->name, asked->options); });
}

} // namespace cli
