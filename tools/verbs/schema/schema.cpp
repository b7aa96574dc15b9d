// etl schema: verbs for schemas.
#include "authoring/provider_events.hpp"
#include "authoring/validate.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/json_object.hpp"
#include "cli/verbs.hpp"
#include "inputs/schema_sources.hpp"
#include "io/find_files.hpp"
#include "io/input_file.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/schema/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace cli {

namespace {

constexpr const char* schema_footer = R"(Examples:
  etl schema list manifests/                        list providers and their files
  etl schema show Microsoft-Windows-Kernel-Process/1
  etl schema validate provider.man
  etl schema export trace.etl -o trace.man          write the schemas embedded in a trace
  etl schema harvest *.etl *.evtx -o schemas/       collect schemas of many machines
  etl schema cache manifests/ -o manifests.zip      pack schemas into one file for --schema
  etl schema header provider.man -o events.hpp      generate functions for logging
Run `etl schema VERB --help` for a verb's options. See docs/schemas.md.)";

} // namespace

void add_schema(Verb& etl, ExitCode& exit) {
    Verb& verb =
        *etl.add_subcommand("schema", "List, show, validate, compare, convert, and pack schemas");
    verb.require_subcommand(1);
    add_schema_list(verb, exit);
    add_schema_show(verb, exit);
    add_schema_validate(verb, exit);
    add_schema_diff(verb, exit);
    add_schema_import(verb, exit);
    add_schema_export(verb, exit);
    add_schema_harvest(verb, exit);
    add_schema_cache(verb, exit);
    add_schema_header(verb, exit);
    verb.footer(schema_footer);
}

// etl schema list: lists providers and the files that describe them.

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
  etl schema list --built-in --build 22621          list those of one build of Windows
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
    options->sources.add_build(verb);
    options->sources.add_culture(verb);
    verb.add_flag("--json", options->json, "print one JSON object per line");
    verb.footer(list_footer);
    verb.callback([options, &exit] {
        options->sources.defaults = options->sources.paths.empty() &&
                                    options->sources.traces.empty() && !options->sources.built_in;
        exit = run(*options);
    });
}

// etl schema validate: checks manifests by the rules of the message compiler.

namespace {

using etl::authoring::ManifestFinding;
using Severity = ManifestFinding::Severity;

struct ValidateOptions {
    std::vector<std::string> files;
    bool json = false;
};

constexpr const char* validate_footer = R"(Examples:
  etl schema validate provider.man
  etl schema validate --json manifests/
Findings are printed as FILE:LINE:COLUMN: error|warning: TEXT. An error is rejected by the message compiler or Windows,
or makes an event undecodable (exit code 1). Warnings alone exit with 0. The rules are listed in docs/schemas.md.)";

struct Report {
    std::string file;
    etl::Error error{}; // when it could not be read
    etl::authoring::Validation result;

    bool is_read() const noexcept { return error.code == etl::ErrorCode::none; }
};

std::string_view word(Severity severity) {
    return severity == Severity::error ? "error" : "warning";
}

std::string as_text(const Report& report) {
    const std::string file = printable(report.file);
    std::string text;
    for (const ManifestFinding& finding : report.result.findings) {
        text += file;
        if (finding.line != 0) {
            text += fmt::format(":{}", finding.line);
        }
        if (finding.line != 0 && finding.column != 0) {
            text += fmt::format(":{}", finding.column);
        }
        text += fmt::format(": {}: {}\n", word(finding.severity), printable(finding.text));
    }
    return text + fmt::format("{}: {}, {}\n", file, plural(report.result.errors, "error"),
                              plural(report.result.warnings, "warning"));
}

std::string as_json(const Report& report) {
    JsonList findings;
    for (const ManifestFinding& finding : report.result.findings) {
        JsonObject row;
        row.text("severity", word(finding.severity)).number("line", finding.line);
        row.number("column", finding.column).text("text", utf8_text(finding.text));
        findings.raw(row.take());
    }
    JsonObject json;
    json.text("file", utf8_text(report.file)).number("errors", report.result.errors);
    json.number("warnings", report.result.warnings).raw("findings", findings.take());
    return json.take() + "\n";
}

Report validate(const std::string& path) {
    Report report{path, {}, {}};
    const auto file = etl::io::InputFile::map(path);
    if (!file) {
        report.error = file.error();
    } else {
        report.result = etl::authoring::validate_manifest((*file)->bytes());
    }
    return report;
}

ExitCode report_unread(const std::string& path, const etl::Error& error, bool json) {
    say(path, error);
    return json ? worst(ExitCode::failed, print(unopened_json(path, error))) : ExitCode::failed;
}

ExitCode validate_and_print(const std::string& path, bool json) {
    const Report report = validate(path);
    if (!report.is_read()) {
        return report_unread(path, report.error, json);
    }
    const ExitCode found = report.result.errors > 0 ? ExitCode::damaged : ExitCode::well;
    return worst(found, print(json ? as_json(report) : as_text(report)));
}

ExitCode run(const ValidateOptions& options) {
    OutputGuard guard;
    guard.reads(etl::catalog::Options{.paths = options.files, .environment = false});
    if (!guard.permits_standard_streams()) {
        return ExitCode::failed;
    }
    EachInput exit;
    for (const std::string& argument : options.files) {
        const auto files = etl::io::find_files(argument, etl::io::Recursion::yes,
                                               [](std::string_view) { return true; });
        if (!files) {
            exit.add(report_unread(argument, files.error(), options.json));
            continue;
        }
        for (const std::string& path : *files) {
            exit.add(validate_and_print(path, options.json));
        }
    }
    return exit.exit_code();
}

} // namespace

void add_schema_validate(Verb& schema, ExitCode& exit) {
    Verb& verb = *schema.add_subcommand("validate",
                                        "Validate manifests by the rules of the message compiler");
    auto options = std::make_shared<ValidateOptions>();
    verb.add_option("FILE", options->files, "manifests, directories, or globs")
        ->required()
        ->type_name("");
    verb.add_flag("--json", options->json, "print one JSON object per file, one per line");
    verb.footer(validate_footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
