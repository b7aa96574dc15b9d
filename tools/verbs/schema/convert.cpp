// etl schema import, export, cache: schemas from any source, as manifests.
#include "authoring/compact_writer.hpp"
#include "authoring/manifest_writer.hpp"
#include "authoring/merge.hpp"
#include "authoring/provider_events.hpp"
#include "catalog/cache.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "inputs/schema_sources.hpp"
#include "io/archive_writer.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"
#include "verbs/schema/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace cli {

namespace {

using etl::schema::Origin;
using etl::schema::SchemaSet;

struct ConvertOptions {
    SourceOptions sources;
    std::vector<std::string> providers;
    std::string output;
    bool force = false;
    bool compact = false;
    bool merge = false; // each version of an event once per layout
};

bool is_clear(const ConvertOptions& options) {
    return guard_of(options.sources).permits(options.output, existing_files(options.force));
}

constexpr const char* import_footer = R"(Examples:
  etl schema import driver.sys -o driver.man
  etl schema import schemas/ drivers.zip --provider 'Microsoft-Windows-Kernel-*' -o kernel.man
Anything a manifest cannot express is reported on standard error. MOF classes and trace messages (TMF) are skipped.)";

constexpr const char* export_footer = R"(Examples:
  etl schema export trace.etl -o trace.man
  etl schema export *.etl --provider MyCompany-* -o -
  etl schema export --built-in --provider Microsoft-Windows-Kernel-Process -o kernel-process.man
Exports manifests that .NET EventSource providers log, event information that a merge embedded, and the
schemas of TraceLogging events, which get IDs from 1. Schemas of several traces are merged: each layout
of an event is written once.)";

constexpr const char* cache_footer = R"(Examples:
  etl schema cache C/Windows/System32 -o windows.zip
  etl dump --schema windows.zip trace.etl
The zip file contains one manifest per provider; MOF classes and trace messages (TMF) are stored unchanged.)";

/// Writes a manifest or a file in the compact form.
template <typename Written>
ExitCode write(const std::string& path, const etl::Result<Written>& written) {
    if (!written) {
        say(path, written.error());
        return ExitCode::failed;
    }
    print_notes(written->notes);
    return write_file(path, written->text);
}

ExitCode convert(const ConvertOptions& options) {
    if (!is_clear(options)) {
        return ExitCode::failed;
    }
    Sources sources = read_sources(options.sources);
    if (sources.exit == ExitCode::failed) {
        return ExitCode::failed;
    }
    SchemaSet set = join(std::move(sources.list));
    select_providers(set, options.providers);
    remove_classes(set);
    if (options.merge) {
        const std::array numbered{etl::authoring::with_tracelogging_ids(set)};
        set = etl::authoring::merge(numbered);
    }
    if (set.events.empty()) {
        say("no events found that a manifest can describe");
        return ExitCode::failed;
    }
    // Providers without events come from the traits of self-describing events.
    std::set<etl::Guid> described;
    for (const auto& event : set.events) {
        described.insert(event->provider ? event->provider->guid : etl::Guid{});
    }
    std::erase_if(set.providers,
                  [&](const auto& names) { return !described.contains(names->guid); });
    return worst(sources.exit, options.compact
                                   ? write(options.output, etl::authoring::write_compact(set))
                                   : write(options.output, etl::authoring::write_manifest(
                                                               set, options.sources.culture)));
}

/// The members of a cache by name: the same sources produce the same file.
std::map<std::string, std::string> members_of(Sources& sources, const ConvertOptions& options,
                                              ExitCode& exit) {
    std::map<std::string, std::string> members;
    std::size_t number = 0;
    for (SchemaSource& source : sources.list) {
        if (!source.content.empty()) {
            members[fmt::format("{}classes/{:04}", etl::catalog::cache_directory, number++)] =
                std::move(source.content);
            source.set = {};
        }
    }
    SchemaSet set = join(std::move(sources.list));
    select_providers(set, options.providers);
    remove_classes(set);
    for (const etl::authoring::ProviderEvents& provider : etl::authoring::group_by_provider(set)) {
        SchemaSet one;
        one.providers.push_back(std::make_shared<etl::schema::ProviderNames>(provider.names));
        one.events = provider.events;
        auto written = etl::authoring::write_manifest(one, options.sources.culture);
        if (!written) {
            say(provider.names.name, written.error());
            exit = ExitCode::failed;
            continue;
        }
        print_notes(written->notes);
        members[etl::catalog::cache_member_name(provider.names)] = std::move(written->text);
    }
    return members;
}

ExitCode cache(const ConvertOptions& options) {
    if (options.output == "-") {
        say("cannot write a cache to standard output; name a file with -o");
        return ExitCode::usage;
    }
    if (!is_clear(options)) {
        return ExitCode::failed;
    }
    Sources sources = read_sources(options.sources);
    ExitCode exit = sources.exit;
    if (exit == ExitCode::failed) {
        return exit;
    }
    const auto members = members_of(sources, options, exit);
    if (members.empty() || exit == ExitCode::failed) {
        say("no schemas found");
        return ExitCode::failed;
    }
    auto archive = etl::io::ArchiveWriter::create(options.output);
    if (!archive) {
        say(options.output, archive.error());
        return ExitCode::failed;
    }
    etl::Result<void> done;
    for (const auto& [name, content] : members) {
        done = done ? (*archive)->add(name, std::as_bytes(std::span(content))) : done;
    }
    done = done ? (*archive)->commit() : done;
    if (!done) {
        say(options.output, done.error());
        return ExitCode::failed;
    }
    return exit;
}

void add_common(Verb& verb, ConvertOptions& options) {
    verb.add_option("-o,--output", options.output,
                    "write to FILE, which appears when complete; - for standard output")
        ->required()
        ->type_name("FILE");
    add_force(verb, options.force);
    verb.add_option("--provider", options.providers, "only these providers: name, glob, or GUID")
        ->allow_extra_args(false)
        ->delimiter(',')
        ->type_name("NAME|GUID");
    options.sources.add_culture(verb);
}

void add_compact(Verb& verb, ConvertOptions& options) {
    verb.add_flag("--compact", options.compact,
                  "write the compact form: one line per field, no messages (schemas/README.md)");
}

void add_paths(Verb& verb, ConvertOptions& options) {
    verb.add_option("PATH", options.sources.paths,
                    "schema files (manifests, executables, ...), directories, or archives")
        ->required()
        ->type_name("");
}

} // namespace

void add_schema_import(Verb& schema, ExitCode& exit) {
    Verb& verb = *schema.add_subcommand("import", "Write schemas from any source as a manifest");
    auto options = std::make_shared<ConvertOptions>();
    add_paths(verb, *options);
    add_common(verb, *options);
    add_compact(verb, *options);
    verb.footer(import_footer);
    verb.callback([options, &exit] { exit = convert(*options); });
}

void add_schema_export(Verb& schema, ExitCode& exit) {
    Verb& verb = *schema.add_subcommand(
        "export", "Write schemas from traces, or built-in ones, as a manifest");
    auto options = std::make_shared<ConvertOptions>();
    Option& traces = *verb.add_option("TRACE", options->sources.traces, "traces, as for `etl dump`")
                          ->type_name("");
    verb.add_flag("--built-in", options->sources.built_in, "also schemas that are part of etl");
    add_common(verb, *options);
    add_compact(verb, *options);
    verb.footer(export_footer);
    verb.callback([options, &traces, &exit] {
        if (options->sources.traces.empty() && !options->sources.built_in) {
            throw RequiredError(traces.get_name());
        }
        options->merge = true;
        exit = convert(*options);
    });
}

void add_schema_cache(Verb& schema, ExitCode& exit) {
    Verb& verb = *schema.add_subcommand("cache", "Pack schemas into one file for --schema");
    auto options = std::make_shared<ConvertOptions>();
    options->sources.keep_content = true;
    add_paths(verb, *options);
    add_common(verb, *options);
    verb.get_option("--output")
        ->description("write to FILE, a zip file, which appears when complete");
    verb.footer(cache_footer);
    verb.callback([options, &exit] { exit = cache(*options); });
}

} // namespace cli
