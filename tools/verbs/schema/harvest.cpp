// etl schema harvest: what traces, event logs, and files of a system contain, as schemas by build
// of Windows. docs/schemas.md#harvest
#include "authoring/harvest.hpp"

#include <etl/record.hpp>

#include "authoring/compact_writer.hpp"
#include "authoring/merge.hpp"
#include "authoring/provider_events.hpp"
#include "base/text.hpp"
#include "catalog/cache.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/option_values.hpp"
#include "inputs/schema_sources.hpp"
#include "io/find_files.hpp"
#include "io/input_file.hpp"
#include "outputs/output_guard.hpp"
#include "schema/compact.hpp"
#include "verbs/schema/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

namespace cli {

namespace {

using etl::authoring::Known;
using etl::schema::Origin;
using etl::schema::SchemaSet;

struct HarvestOptions {
    SourceOptions sources{.skips_bad_paths = true, .by_machine = true};
    std::vector<std::string> inputs;
    std::string directory;
    std::uint32_t build = 0; // 0: as the inputs state it
    bool all = false;
    bool tracelogging = false;
};

constexpr const char* harvest_footer = R"(Examples:
  etl schema harvest trace.etl Security.evtx -o schemas/
  etl schema harvest C/Windows/System32 -o schemas/           files of another system, or of its image
  etl schema harvest --build 26100 ForwardedEvents.evtx -o schemas/
  etl dump --schema schemas/ trace.etl
Each provider has a file in DIR in the compact form, which contains no messages, with the builds of Windows of its
layouts. Files that exist get what they lack; those in another form are never replaced.
Exit codes: 0 success, 1 damage, or some inputs could not be read, 2 failure, 64 usage error.
See docs/schemas.md.)";

// What the inputs contain.

/// Layouts that are the same for all inputs are in it once.
struct Harvest {
    SchemaSet set;
    SchemaSet secondary; // of sources that describe events less well
};

/// Whether a build of Windows has the layout, but its source does not state which one.
bool needs_build(const etl::schema::EventSchema& event) {
    using enum Origin;
    const bool is_of_build =
        event.origin == manifest || event.origin == wevt || event.origin == event_info;
    return is_of_build && !event.is_class && event.provider && event.provider->builds.empty();
}

void append(SchemaSet& to, SchemaSet&& from) {
    std::ranges::move(from.providers, std::back_inserter(to.providers));
    std::ranges::move(from.events, std::back_inserter(to.events));
}

/// All layouts, each bound to the build of its source.
Harvest bound(std::vector<SchemaSource> sources, std::uint32_t build) {
    Harvest harvest;
    std::uint64_t unknown = 0;
    for (SchemaSource& source : sources) {
        source.build = build != 0 ? build : source.build;
        const bool is_unknown =
            source.build == 0 && std::ranges::any_of(source.set.events, [](const auto& event) {
                return needs_build(*event);
            });
        unknown += is_unknown ? 1U : 0U;
        append(source.is_secondary ? harvest.secondary : harvest.set,
               etl::authoring::bound_to_build(source.set, source.build));
    }
    if (unknown > 0) {
        say(fmt::format("note: unknown build of Windows ({}): layouts are for any build; state it "
                        "with --build",
                        plural(unknown, "input")));
    }
    return harvest;
}

void remove_tracelogging(Harvest& harvest) {
    std::size_t left_out = 0;
    for (SchemaSet* const set : {&harvest.set, &harvest.secondary}) {
        left_out += std::erase_if(
            set->events, [](const auto& event) { return event->origin == Origin::tracelogging; });
    }
    if (left_out > 0) {
        say(fmt::format("note: left out {} (self-describing); add them with --tracelogging",
                        plural(left_out, "TraceLogging event")));
    }
}

SchemaSet merged(const SchemaSet& set) {
    const std::array numbered{etl::authoring::with_tracelogging_ids(set)};
    return etl::authoring::merge(numbered);
}

/// The built-in schemas of the providers of a set.
SchemaSet built_in_schemas(const Harvest& harvest) {
    std::unordered_set<etl::Guid> providers;
    for (const auto* set : {&harvest.set, &harvest.secondary}) {
        for (const auto& event : set->events) {
            providers.insert(event->provider->guid);
        }
    }
    etl::schema::SchemaStore store;
    if (auto catalog = etl::catalog::Catalog::open({.environment = false})) {
        catalog->load(providers, store);
    }
    SchemaSet known;
    known.events.assign(store.schemas().begin(), store.schemas().end());
    return known;
}

void remove_built_in(Harvest& harvest) {
    const SchemaSet known = built_in_schemas(harvest);
    const std::size_t left_out =
        etl::authoring::remove_known(harvest.set, known, Known::for_builds) +
        etl::authoring::remove_known(harvest.secondary, known, Known::by_names);
    if (left_out > 0) {
        say(fmt::format("note: left out {} that built-in schemas have; add them with --all",
                        plural(left_out, "layout")));
    }
}

Harvest harvest_of(std::vector<SchemaSource> sources, const HarvestOptions& options) {
    Harvest harvest = bound(std::move(sources), options.build);
    remove_classes(harvest.set);
    std::erase_if(harvest.secondary.events, [](const auto& event) { return event->is_class; });
    if (!options.tracelogging) {
        remove_tracelogging(harvest);
    }
    harvest.set = merged(harvest.set);
    harvest.secondary = merged(harvest.secondary);
    etl::authoring::remove_known(harvest.secondary, harvest.set, Known::by_names);
    if (!options.all) {
        remove_built_in(harvest);
    }
    return harvest;
}

// The files of the directory.

/// A file before and after.
struct HarvestFile {
    std::string path;
    Harvest added;
    SchemaSet before;     // empty: there is no such file
    std::string comments; // at its beginning
    std::string text;     // empty: nothing is new
    std::size_t news = 0; // layouts, and layouts with builds that the file did not state for them
};

std::string file_name(const etl::schema::ProviderNames& provider) {
    constexpr std::size_t longest = 100;
    const std::string name = provider.name.empty() ? etl::to_string(provider.guid) : provider.name;
    return etl::catalog::portable_file_name(name.substr(0, longest)) + ".txt";
}

/// The files for all providers. Names that differ only in case are one file, as on Windows.
class HarvestFiles {
public:
    explicit HarvestFiles(std::string directory) : directory_(std::move(directory)) {
        for (const std::string& name : etl::io::names_in(directory_)) {
            existing_.emplace(etl::to_lower_ascii(name), name);
        }
    }

    void add(SchemaSet&& set, SchemaSet Harvest::* part) {
        for (etl::authoring::ProviderEvents& provider : etl::authoring::group_by_provider(set)) {
            // A build whose layouts are all built in still says that those of a file are not its
            // own.
            const bool is_of_a_file =
                existing_.contains(key_of(provider.names)) && !provider.names.builds.empty();
            if (provider.events.empty() && !is_of_a_file) {
                continue;
            }
            SchemaSet& to = file_of(provider.names).added.*part;
            to.providers.push_back(
                std::make_shared<etl::schema::ProviderNames>(std::move(provider.names)));
            std::ranges::move(provider.events, std::back_inserter(to.events));
        }
    }

    /// By name.
    std::vector<HarvestFile> take() {
        std::vector<HarvestFile> files;
        for (auto& [name, file] : files_) {
            files.push_back(std::move(file));
        }
        return files;
    }

private:
    static std::string key_of(const etl::schema::ProviderNames& provider) {
        return etl::to_lower_ascii(file_name(provider));
    }

    HarvestFile& file_of(const etl::schema::ProviderNames& provider) {
        const std::string name = file_name(provider);
        const std::string key = key_of(provider);
        HarvestFile& file = files_[key];
        if (file.path.empty()) {
            const auto known = existing_.find(key);
            file.path = (std::filesystem::path(directory_) /
                         (known == existing_.end() ? name : known->second))
                            .string();
        }
        return file;
    }

    std::string directory_;
    std::map<std::string, std::string> existing_; // by name in lowercase
    std::map<std::string, HarvestFile> files_;    // likewise
};

/// The lines before the first one that is no comment.
std::string leading_comments(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && (text[end] == '#' || text[end] == '\n' || text[end] == '\r')) {
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    }
    return std::string(text.substr(0, end));
}

/// False after printing why the file must not be replaced.
bool read_existing(HarvestFile& file) {
    if (!etl::io::exists(file.path)) {
        return true;
    }
    const auto input = etl::io::InputFile::map(file.path);
    if (!input) {
        say(file.path, input.error());
        return false;
    }
    auto set = etl::schema::parse_compact((*input)->bytes());
    if (!set) {
        say(fmt::format("{}:{}: not a file in the compact form ({}); move it, or name another "
                        "directory",
                        printable(file.path), set.error().line, printable(set.error().reason)));
        return false;
    }
    file.before = std::move(*set);
    file.comments = leading_comments(etl::as_text((*input)->bytes()));
    return true;
}

/// Those of TraceLogging are only counted: they get other IDs whenever some are added.
std::size_t count_news(const SchemaSet& before, SchemaSet after) {
    const auto describes_itself = [](const auto& event) {
        return event->channel == etl::format::tracelogging_channel;
    };
    const auto known = std::ranges::count_if(before.events, describes_itself);
    const auto now = std::erase_if(after.events, describes_itself);
    etl::authoring::remove_known(after, before, Known::as_stated);
    return after.events.size() + now - std::min(now, static_cast<std::size_t>(known));
}

bool keeps_builds(const SchemaSet& before, const SchemaSet& after) {
    return std::ranges::all_of(before.providers, [&](const auto& old) {
        return std::ranges::any_of(after.providers, [&](const auto& names) {
            return names->guid == old->guid && std::ranges::includes(names->builds, old->builds);
        });
    });
}

/// Sets the text of a file. False after printing why there can be none.
bool complete(HarvestFile& file) {
    if (!read_existing(file)) {
        return false;
    }
    SchemaSet all = file.before;
    etl::authoring::remove_known(file.added.secondary, file.before, Known::by_names);
    append(all, std::move(file.added.set));
    append(all, std::move(file.added.secondary));
    const SchemaSet after = merged(all);
    if (!keeps_builds(file.before, after)) {
        say(fmt::format("{}: too many builds of Windows; name another directory",
                        printable(file.path)));
        return false;
    }
    const auto old = etl::authoring::write_compact(file.before);
    auto text = etl::authoring::write_compact(after);
    if (!text) {
        say(file.path, text.error());
        return false;
    }
    print_notes(text->notes);
    file.news = count_news(file.before, after);
    if (!old || old->text != text->text) {
        file.text = file.comments + text->text;
    }
    return true;
}

ExitCode write_files(const std::vector<HarvestFile>& files, const HarvestOptions& options) {
    std::vector<std::string> paths;
    for (const HarvestFile& file : files) {
        paths.push_back(file.path);
    }
    if (!guard_of(options.sources).permits(paths, OutputGuard::Existing::replace)) {
        return ExitCode::failed;
    }
    std::error_code code;
    std::filesystem::create_directories(options.directory, code);
    if (code) {
        say(fmt::format("{}: cannot create the directory: {}", printable(options.directory),
                        code.message()));
        return ExitCode::failed;
    }
    for (const HarvestFile& file : files) {
        if (!file.text.empty() && write_file(file.path, file.text) != ExitCode::well) {
            return ExitCode::failed;
        }
    }
    return ExitCode::well;
}

ExitCode harvest_into(Harvest harvest, const HarvestOptions& options) {
    HarvestFiles directory(options.directory);
    const std::size_t layouts = harvest.set.events.size() + harvest.secondary.events.size();
    SchemaSet both = harvest.set;
    append(both, SchemaSet(harvest.secondary));
    const auto providers =
        std::ranges::count_if(etl::authoring::group_by_provider(both),
                              [](const auto& provider) { return !provider.events.empty(); });
    directory.add(std::move(harvest.set), &Harvest::set);
    directory.add(std::move(harvest.secondary), &Harvest::secondary);
    std::vector<HarvestFile> files = directory.take();
    std::size_t news = 0;
    std::size_t others = 0;
    bool is_well = true;
    for (HarvestFile& file : files) {
        is_well = complete(file) && is_well; // all that are wrong are reported
        news += file.news;
        others += file.news == 0 && !file.text.empty() ? 1U : 0U;
    }
    const ExitCode exit = is_well ? write_files(files, options) : ExitCode::failed;
    if (exit == ExitCode::well) {
        say(fmt::format("{}, {} in {} ({} new)",
                        plural(static_cast<std::uint64_t>(providers), "provider"),
                        plural(layouts, "layout"), printable(options.directory), news));
        if (others > 0) {
            say(fmt::format("note: {} got only names or builds of Windows",
                            plural(others, "file")));
        }
    }
    return exit;
}

bool can_be_directory(const std::string& path) {
    if (path == "-") {
        say("cannot write files to standard output; name a directory with -o");
        return false;
    }
    if (etl::io::exists(path) && !etl::io::is_directory(path)) {
        say(fmt::format("{}: not a directory", printable(path)));
        return false;
    }
    return true;
}

ExitCode harvest(HarvestOptions& options) {
    if (!can_be_directory(options.directory)) {
        return options.directory == "-" ? ExitCode::usage : ExitCode::failed;
    }
    options.sources.add_inputs(options.inputs);
    if (!guard_of(options.sources).permits_standard_streams()) {
        return ExitCode::failed;
    }
    Sources sources = read_sources(options.sources);
    if (sources.exit == ExitCode::failed) {
        return ExitCode::failed;
    }
    std::size_t found = 0;
    for (const SchemaSource& source : sources.list) {
        found += source.set.events.size();
    }
    if (found == 0) {
        say("no schemas found");
        return ExitCode::failed;
    }
    return worst(sources.exit, harvest_into(harvest_of(std::move(sources.list), options), options));
}

} // namespace

void add_schema_harvest(Verb& schema, ExitCode& exit) {
    Verb& verb = *schema.add_subcommand(
        "harvest", "Collect schemas by build of Windows from traces, event logs, and files");
    auto options = std::make_shared<HarvestOptions>();
    verb.add_option("FILE", options->inputs,
                    "traces, event logs (.evtx), executables, manifests, archives, directories")
        ->required()
        ->type_name("");
    verb.add_option("-o,--output", options->directory,
                    "add to the files in DIR, which is created if it does not exist")
        ->required()
        ->type_name("DIR");
    verb.add_option("--build", options->build,
                    "the build of Windows of all inputs (22621), also of those that state another "
                    "one (default: that of the trace, or of the file)")
        ->check(in_range(1U, UINT32_MAX))
        ->type_name("N");
    verb.add_flag("--all", options->all,
                  "also layouts that the built-in schemas have for the build");
    verb.add_flag("--tracelogging", options->tracelogging,
                  "also TraceLogging events, which contain their schemas");
    verb.footer(harvest_footer);
    verb.callback([options, &exit] { exit = harvest(*options); });
}

} // namespace cli
