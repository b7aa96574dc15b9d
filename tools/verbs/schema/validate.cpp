// etl schema validate: checks manifests by the rules of the message compiler.
#include "authoring/validate.hpp"

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/plural.hpp"
#include "cli/print.hpp"
#include "inputs/schema_sources.hpp"
#include "io/find_files.hpp"
#include "io/input_file.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/schema/verbs.hpp"

#include <fmt/format.h>

namespace cli {

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
