// etl schema list: lists providers and the files that describe them.
#include "authoring/provider_events.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/print.hpp"
#include "inputs/schema_sources.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/schema/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace cli {

namespace {

struct ListOptions {
    SourceOptions sources;
    std::vector<std::string> providers;
    bool json = false;
};

constexpr const char* list_footer = R"(Examples:
  etl schema list                                   list built-in schemas and those of the environment
  etl schema list manifests/ drivers.zip --provider '*Kernel*'
  etl schema list --trace trace.etl                 list schemas embedded in a trace
  etl schema list --built-in                        list the schemas that are part of etl
With --json, each line is an object with provider, guid, source, events, and file.)";

struct Row {
    std::string name;
    std::string guid;
    std::string source;
    std::size_t events;
    std::string file;
    std::size_t order = 0; // of the sources, by precedence
};

std::string as_text(const Row& row) {
    return fmt::format("{}  {:<12} {:>6}  {}  {}\n", row.guid, row.source, row.events,
                       printable(row.name.empty() ? "-" : row.name), printable(row.file));
}

std::string as_json(const Row& row) {
    JsonObject json;
    json.text("provider", utf8_text(row.name)).text("guid", row.guid).text("source", row.source);
    json.number("events", row.events).text("file", utf8_text(row.file));
    return json.take() + "\n";
}

ExitCode run(const ListOptions& options) {
    if (!guard_of(options.sources).permits_standard_streams()) {
        return ExitCode::failed;
    }
    const Sources sources = read_sources(options.sources);
    std::vector<Row> rows;
    for (const SchemaSource& source : sources.list) {
        for (const etl::authoring::ProviderEvents& provider :
             etl::authoring::group_by_provider(source.set)) {
            if (is_selected(provider.names, options.providers)) {
                const auto* first =
                    provider.events.empty() ? nullptr : provider.events.front().get();
                rows.push_back({provider.names.name, etl::to_string(provider.names.guid),
                                std::string(origin_of(first)), provider.events.size(),
                                source.file});
            }
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].order = i;
    }
    std::ranges::sort(rows, {},
                      [](const Row& row) { return std::tie(row.name, row.guid, row.order); });
    std::string text;
    for (const Row& row : rows) {
        text += options.json ? as_json(row) : as_text(row);
    }
    return worst(sources.exit, print(text));
}

} // namespace

void add_schema_list(Verb& schema, ExitCode& exit) {
    Verb& verb = *schema.add_subcommand("list", "List providers and the files that define them");
    auto options = std::make_shared<ListOptions>();
    options->sources.skips_bad_paths = true;
    verb.add_option("PATH", options->sources.paths,
                    "schema files, directories, or archives (default: those that `etl dump` uses)")
        ->type_name("");
    verb.add_option("--trace", options->sources.traces,
                    "list schemas embedded in a trace; repeatable")
        ->allow_extra_args(false)
        ->type_name("FILE");
    verb.add_flag("--built-in", options->sources.built_in, "list the schemas that are part of etl");
    verb.add_option("--provider", options->providers, "only these providers: name, glob, or GUID")
        ->allow_extra_args(false)
        ->delimiter(',')
        ->type_name("NAME|GUID");
    options->sources.add_culture(verb);
    verb.add_flag("--json", options->json, "print one JSON object per line");
    verb.footer(list_footer);
    verb.callback([options, &exit] {
        options->sources.defaults = options->sources.paths.empty() &&
                                    options->sources.traces.empty() && !options->sources.built_in;
        exit = run(*options);
    });
}

} // namespace cli
