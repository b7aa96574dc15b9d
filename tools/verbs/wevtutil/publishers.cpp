#include "base/text.hpp"
#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "cli/print.hpp"
#include "inputs/schema_sources.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/wevtutil/publisher_text.hpp"
#include "verbs/wevtutil/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cli {

namespace {

using etl::authoring::ProviderEvents;

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
    return Publishers{etl::authoring::group_by_provider(join(std::move(read.list))), exit};
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
