#include "inputs/schema_sources.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "inputs/schemas.hpp"
#include "schema/schema_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace cli {

namespace {

using etl::schema::Origin;
using etl::schema::SchemaSet;

bool is_text_of_its_own(const SchemaSet& set) {
    return !set.events.empty() && std::ranges::all_of(set.events, [](const auto& event) {
        return event->origin == Origin::mof || event->origin == Origin::wpp;
    });
}

ExitCode read_files(const SourceOptions& options, std::vector<SchemaSource>& into) {
    etl::catalog::Options wanted = options.schema_files();
    ExitCode exit = ExitCode::well;
    auto catalog = etl::catalog::Catalog::open(wanted);
    while (!catalog) {
        say(catalog.error().path, catalog.error().error);
        std::erase(wanted.paths, catalog.error().path);
        if (!options.skips_bad_paths || (wanted.paths.empty() && !wanted.built_in)) {
            return ExitCode::failed;
        }
        exit = ExitCode::damaged;
        catalog = etl::catalog::Catalog::open(wanted);
    }
    catalog->load_all([&](const etl::catalog::LoadedFile& file, SchemaSet&& set) {
        const bool keeps = options.keep_content && is_text_of_its_own(set);
        into.push_back({file.file->built_in ? "built-in" : file.name, std::move(set),
                        keeps ? std::string(etl::as_text(file.content)) : std::string()});
    });
    etl::gather::report_rejections(*catalog, say_remark);
    return exit;
}

/// Schemas in traces, also those of TraceLogging events: a source per trace, or per series of files
/// of one session, because these can share the parts of a schema.
ExitCode read_traces(const SourceOptions& options, std::vector<SchemaSource>& into) {
    TraceOptions wanted;
    wanted.arguments = options.traces;
    const Traces traces(wanted);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    for (const auto& carried :
         etl::gather::harvest(traces.readers(), wanted.worker_threads(), nullptr, say_remark)) {
        const bool is_whole = carried.merged_inputs.empty() || carried.merged_inputs.front() == 0;
        if (!is_whole) {
            continue; // a machine of a merged trace, whose schemas the whole trace carries too
        }
        const etl::schema::SchemaStore& store = *carried.store;
        SchemaSource source{carried.readers.front()->info().name, {}, {}};
        source.set.events.assign(store.schemas().begin(), store.schemas().end());
        for (const auto& [guid, names] : store.providers()) {
            source.set.providers.push_back(names);
        }
        std::ranges::sort(source.set.providers, {},
                          [](const auto& names) { return std::tie(names->name, names->guid); });
        SchemaSet own =
            etl::gather::tracelogging_of(carried.readers, wanted.worker_threads(), say_remark);
        std::ranges::move(own.providers, std::back_inserter(source.set.providers));
        std::ranges::move(own.events, std::back_inserter(source.set.events));
        into.push_back(std::move(source));
    }
    return traces.exit_code_of_buffers();
}

} // namespace

etl::catalog::Options SourceOptions::schema_files() const {
    return {.paths = paths,
            .environment = defaults,
            .built_in = defaults || built_in,
            .culture = culture,
            .code_names = code_names};
}

void SourceOptions::add_culture(Verb& verb) {
    verb.add_option("--culture", culture, "message language, with fallback (default: en-US)")
        ->type_name("NAME");
}

void SourceOptions::add_build(Verb& verb) {
    verb.add_option("--build", build,
                    "only the layouts of this build of Windows (22621), or of the newest known one "
                    "below it")
        ->check(in_range(1U, UINT32_MAX))
        ->type_name("N");
}

void select_build(SchemaSet& set, std::uint32_t build) {
    std::erase_if(set.events, [&](const auto& event) {
        return etl::schema::fit_of(*event, build) == etl::schema::BuildFit::other;
    });
}

Sources read_sources(const SourceOptions& options) {
    Sources sources;
    std::vector<ExitCode> exits;
    if (!options.paths.empty() || options.defaults || options.built_in) {
        exits.push_back(read_files(options, sources.list));
    }
    if (!options.traces.empty()) {
        exits.push_back(read_traces(options, sources.list));
    }
    for (SchemaSource& source : sources.list) {
        if (options.build != 0) {
            select_build(source.set, options.build);
        }
    }
    EachInput each;
    for (const ExitCode exit : exits) {
        each.add(exit);
        sources.exit = worst(sources.exit, exit);
    }
    sources.exit = options.skips_bad_paths ? each.exit_code() : sources.exit;
    return sources;
}

SchemaSet join(std::vector<SchemaSource> sources) {
    SchemaSet all;
    for (SchemaSource& source : sources) {
        std::ranges::move(source.set.providers, std::back_inserter(all.providers));
        std::ranges::move(source.set.events, std::back_inserter(all.events));
        std::ranges::move(source.set.code_names, std::back_inserter(all.code_names));
    }
    return all;
}

bool is_selected(const etl::schema::ProviderNames& names,
                 const std::vector<std::string>& patterns) {
    return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
               const auto guid = etl::parse_guid(pattern);
               return guid ? *guid == names.guid : etl::matches_glob(pattern, names.name);
           });
}

void select_providers(SchemaSet& set, const std::vector<std::string>& patterns) {
    std::erase_if(set.providers, [&](const auto& names) { return !is_selected(*names, patterns); });
    std::erase_if(set.events, [&](const auto& event) {
        return event->provider && !is_selected(*event->provider, patterns);
    });
}

std::string_view origin_of(const etl::schema::EventSchema* event) {
    return event != nullptr ? etl::schema::name(event->origin) : "-";
}

void print_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
        say(fmt::format("note: {}", printable(note)));
    }
}

void remove_classes(SchemaSet& set) {
    const auto left_out = std::erase_if(set.events, [](const auto& event) {
        return event->origin == Origin::mof || event->origin == Origin::wpp;
    });
    if (left_out == 0) {
        return;
    }
    std::set<const etl::schema::ProviderNames*> still;
    for (const auto& event : set.events) {
        still.insert(event->provider.get());
    }
    std::erase_if(set.providers, [&](const auto& names) { return !still.contains(names.get()); });
    say(fmt::format("note: skipped {}: MOF classes and trace messages do not fit into manifests",
                    plural(left_out, "event")));
}

void remove_class_names(SchemaSet& set) {
    std::set<etl::Guid> classes;
    std::set<etl::Guid> others;
    for (const auto& event : set.events) {
        if (event->provider) {
            (event->origin == Origin::mof ? classes : others).insert(event->provider->guid);
        }
    }
    std::erase_if(set.providers, [&](const auto& names) {
        return classes.contains(names->guid) && !others.contains(names->guid);
    });
}

} // namespace cli
