// etl schema diff: compares the schemas of two sources.
#include "authoring/compare.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/json_object.hpp"
#include "cli/option_values.hpp"
#include "inputs/schema_sources.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/schema/verbs.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

using etl::authoring::Difference;

struct DiffOptions {
    SourceOptions before, after;
    std::vector<std::string> providers;
    std::string first, second;
    std::vector<std::uint32_t> builds; // none, or two to compare
    bool json = false;
};

constexpr const char* diff_footer = R"(Examples:
  etl schema diff old.man new.man
  etl schema diff windows10/ windows11.zip --provider 'Microsoft-Windows-Kernel-*' --json
  etl schema diff --build 22631 --build 26100 --provider Microsoft-Windows-WLAN-AutoConfig
With --build twice, the layouts of two builds of Windows are compared: of A, or of the built-in schemas.
Exit codes, as for diff: 0 no differences, 1 differences, 2 failure, 64 usage error.)";

std::string as_text(const Difference& d) {
    const char sign = d.kind == Difference::Kind::added     ? '+'
                      : d.kind == Difference::Kind::removed ? '-'
                                                            : '~';
    std::string text = fmt::format("{} {}", sign, d.provider_name.empty() ? "-" : d.provider_name);
    if (d.thing == Difference::Thing::provider) {
        text += fmt::format(" {}", etl::to_string(d.provider));
    } else {
        text += fmt::format(" {}/{}", d.id, d.version);
        text += d.event_name.empty() ? "" : " " + d.event_name;
    }
    if (d.thing == Difference::Thing::field) {
        text += fmt::format(": field {}", d.field);
    }
    if (d.kind == Difference::Kind::changed) {
        text += fmt::format(": {}: `{}` -> `{}`", d.property, d.before, d.after);
    } else if (d.thing == Difference::Thing::field) {
        text += fmt::format(": {}", d.kind == Difference::Kind::added ? d.after : d.before);
    }
    return printable(text) + "\n";
}

std::string as_json(const Difference& d) {
    JsonObject json;
    json.text("change", etl::authoring::name(d.kind));
    json.text("element", etl::authoring::name(d.thing));
    const auto add = [&](std::string_view key, const std::string& value) {
        json.text(key, utf8_text(value));
    };
    add("provider", d.provider_name);
    add("guid", etl::to_string(d.provider));
    if (d.thing != Difference::Thing::provider) {
        json.number("id", d.id).number("version", d.version);
        add("event", d.event_name);
    }
    if (d.thing == Difference::Thing::field) {
        add("field", d.field);
    }
    if (d.kind == Difference::Kind::changed) {
        add("property", d.property);
    }
    if (d.kind != Difference::Kind::added) {
        add("before", d.before);
    }
    if (d.kind != Difference::Kind::removed) {
        add("after", d.after);
    }
    return json.take() + "\n";
}

ExitCode run(const DiffOptions& options) {
    if (!guard_of(options.before).permits_standard_streams() ||
        !guard_of(options.after).permits_standard_streams()) {
        return ExitCode::failed;
    }
    Sources before = read_sources(options.before);
    Sources after = read_sources(options.after);
    if (worst(before.exit, after.exit) == ExitCode::failed) {
        return ExitCode::failed;
    }
    etl::schema::SchemaSet old = join(std::move(before.list));
    etl::schema::SchemaSet now = join(std::move(after.list));
    select_providers(old, options.providers);
    select_providers(now, options.providers);
    const auto differences = etl::authoring::compare(old, now);
    std::string text;
    for (const Difference& difference : differences) {
        text += options.json ? as_json(difference) : as_text(difference);
    }
    return worst(differences.empty() ? ExitCode::well : ExitCode::damaged, print(text));
}

/// Two sources, or two builds of one. False: neither; says so.
bool choose_sources(DiffOptions& options) {
    options.after.culture = options.before.culture;
    if (options.builds.empty() && !options.second.empty()) {
        options.before.paths = {options.first};
        options.after.paths = {options.second};
        return true;
    }
    if (options.builds.size() != 2 || !options.second.empty()) {
        say("schema diff compares two sources (A and B) or two builds (--build twice)");
        return false;
    }
    for (SourceOptions* const side : {&options.before, &options.after}) {
        side->built_in = options.first.empty();
        side->paths = options.first.empty() ? std::vector<std::string>{}
                                            : std::vector<std::string>{options.first};
    }
    options.before.build = options.builds[0];
    options.after.build = options.builds[1];
    return true;
}

} // namespace

void add_schema_diff(Verb& schema, ExitCode& exit) {
    Verb& verb =
        *schema.add_subcommand("diff", "Compare providers, events, and fields of two sources");
    auto options = std::make_shared<DiffOptions>();
    verb.add_option("A", options->first, "schema file, directory, or archive")->type_name("");
    verb.add_option("B", options->second, "schema file, directory, or archive to compare with A")
        ->type_name("");
    verb.add_option("--build", options->builds,
                    "compare this build of Windows with that of the second --build")
        ->allow_extra_args(false)
        ->check(in_range(1U, UINT32_MAX))
        ->type_name("N");
    verb.add_option("--provider", options->providers, "only these providers: name, glob, or GUID")
        ->allow_extra_args(false)
        ->delimiter(',')
        ->type_name("NAME|GUID");
    options->before.add_culture(verb);
    verb.add_flag("--json", options->json, "print one JSON object per difference, one per line");
    verb.footer(diff_footer);
    verb.callback(
        [options, &exit] { exit = choose_sources(*options) ? run(*options) : ExitCode::usage; });
}

} // namespace cli
