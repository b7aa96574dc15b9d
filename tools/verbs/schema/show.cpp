// etl schema show: a provider's events and fields, or one event.
#include "authoring/provider_events.hpp"
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "inputs/schema_sources.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/schema/description.hpp"
#include "verbs/schema/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace cli {

namespace {

using etl::authoring::ProviderEvents;
using etl::schema::EventSchema;

struct ShowOptions {
    SourceOptions sources;
    std::string what;
    bool json = false;
};

constexpr const char* show_footer = R"(Examples:
  etl schema show Process/Start                     show a kernel class
  etl schema show Microsoft-Windows-Kernel-Process --schema manifests/
  etl schema show '{22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716}/1' --schema manifests.zip
  etl schema show MyCompany-App --trace trace.etl
  etl schema show Microsoft-Windows-WLAN-AutoConfig/40001 --build 22621
PROVIDER is a name, glob, or GUID, or the name of a MOF class; EVENT is an ID, name, or glob.
If several sources describe an event, all schemas are shown.)";

bool is_selected(const EventSchema& event, std::string_view pattern) {
    unsigned id = 0;
    const char* const end = pattern.data() + pattern.size();
    const auto [stop, error] = std::from_chars(pattern.data(), end, id);
    if (error == std::errc{} && stop == end) {
        return event.id == id;
    }
    return etl::matches_glob(pattern, event.event_name) ||
           (!event.symbol.empty() && etl::matches_glob(pattern, event.symbol));
}

/// The sources reduced to a provider and an event; no event: all.
std::vector<SchemaSource> select(const std::vector<SchemaSource>& sources,
                                 const std::string& provider,
                                 std::optional<std::string_view> event) {
    std::vector<SchemaSource> selected;
    for (const SchemaSource& source : sources) {
        etl::schema::SchemaSet set = source.set;
        select_providers(set, {provider});
        if (event) {
            std::erase_if(set.events, [&](const auto& e) { return !is_selected(*e, *event); });
            set.providers.clear();
        }
        std::erase_if(set.events, [](const auto& e) { return !e->provider; });
        if (!set.providers.empty() || !set.events.empty()) {
            selected.push_back({source.file, std::move(set), {}});
        }
    }
    return selected;
}

/// MOF classes share one provider and are selected by class name.
std::vector<SchemaSource> select_classes(const std::vector<SchemaSource>& sources,
                                         const std::string& what) {
    std::vector<SchemaSource> selected;
    for (const SchemaSource& source : sources) {
        etl::schema::SchemaSet set;
        std::ranges::copy_if(source.set.events, std::back_inserter(set.events),
                             [&](const auto& event) {
                                 return event->origin == etl::schema::Origin::mof &&
                                        (etl::matches_glob(what, event->task_name) ||
                                         etl::matches_glob(what, event->event_name));
                             });
        if (!set.events.empty()) {
            selected.push_back({source.file, std::move(set), {}});
        }
    }
    return selected;
}

/// Names of providers and events can contain slashes: the longest provider name wins.
std::vector<SchemaSource> select(const std::vector<SchemaSource>& sources,
                                 const std::string& what) {
    auto selected = select(sources, what, std::nullopt);
    for (std::size_t slash = what.rfind('/'); selected.empty() && slash != what.npos && slash > 0;
         slash = what.rfind('/', slash - 1)) {
        selected = select(sources, what.substr(0, slash), std::string_view(what).substr(slash + 1));
    }
    return selected.empty() ? select_classes(sources, what) : selected;
}

ExitCode run(const ShowOptions& options) {
    if (!guard_of(options.sources).permits_standard_streams()) {
        return ExitCode::failed;
    }
    const Sources sources = read_sources(options.sources);
    if (sources.exit == ExitCode::failed) {
        return ExitCode::failed;
    }
    const std::vector<SchemaSource> selected = select(sources.list, options.what);
    if (selected.empty()) {
        say(fmt::format(
            "no provider, event, or class {}matches {}",
            options.sources.build == 0 ? "" : fmt::format("of build {} ", options.sources.build),
            printable(options.what)));
        return ExitCode::failed;
    }
    std::string text;
    for (const SchemaSource& source : selected) {
        for (const ProviderEvents& provider : etl::authoring::group_by_provider(source.set)) {
            text += options.json ? description_json(provider, source.file)
                                 : description_text(provider, source.file);
        }
    }
    return worst(sources.exit, print(text));
}

} // namespace

void add_schema_show(Verb& schema, ExitCode& exit) {
    Verb& verb = *schema.add_subcommand("show", "Show the events and fields of a provider");
    auto options = std::make_shared<ShowOptions>();
    verb.add_option("PROVIDER[/EVENT]", options->what, "provider or event to show")
        ->required()
        ->type_name("");
    verb.add_option(
            "--schema", options->sources.paths,
            "schema file, directory, or archive; repeatable. Also searched: ETL_SCHEMA_PATH, "
            "TRACE_FORMAT_SEARCH_PATH, etl/schemas in the user configuration, the built-in schemas")
        ->allow_extra_args(false)
        ->type_name("PATH");
    verb.add_option("--trace", options->sources.traces,
                    "show schemas embedded in a trace; repeatable")
        ->allow_extra_args(false)
        ->type_name("FILE");
    options->sources.add_build(verb);
    options->sources.add_culture(verb);
    options->sources.defaults = true;
    options->sources.skips_bad_paths = true;
    verb.add_flag("--json", options->json, "print one JSON object per provider, one per line");
    verb.footer(show_footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
