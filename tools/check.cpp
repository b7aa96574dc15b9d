// etl check: is the structure of a trace whole?
#include <etl/base/json_text.hpp>
#include <etl/base/text.hpp>
#include <etl/io/output_file.hpp>
#include <etl/trace/summary.hpp>

#include "cli/console.hpp"
#include "cli/traces.hpp"
#include "cli/verbs.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

struct CheckOptions {
    TraceOptions traces;
    bool json = false;
};

constexpr const char* footer = R"(Examples:
  etl check trace.etl
  etl check --json *.etl
Every finding has the offset of its buffer in the file. A `note` loses nothing; a `warning` is damage (exit code 1).
The JSON is described in docs/info-and-check.md.)";

void append_json(const etl::Diagnostic& finding, std::string& to) {
    to += fmt::format(R"({{"severity":"{}","what":)",
                      finding.severity == etl::Severity::warning ? "warning" : "note");
    etl::append_json_string(to, finding.what);
    to += fmt::format(R"(,"file_offset":{})", finding.where.value);
    if (finding.buffer) {
        to += fmt::format(R"(,"buffer":{})", *finding.buffer);
    }
    if (finding.offset) {
        to += fmt::format(R"(,"offset":{})", *finding.offset);
    }
    if (finding.packed) {
        to += fmt::format(R"(,"packed_offset":{})", finding.packed->value);
    }
    if (finding.step) {
        to += R"(,"time_before":")";
        etl::append_rfc3339(to, finding.step->from);
        to += R"(","time_after":")";
        etl::append_rfc3339(to, finding.step->to);
        to += '"';
    }
    to += fmt::format(R"(,"bytes_skipped":{}}})", finding.bytes_skipped);
}

/// One file's report, and how it went.
struct Report {
    std::string name;
    etl::DiagnosticList findings;
    std::uint64_t buffers = 0;
    bool opened = false;
    etl::Error error{};
    std::uint64_t warnings = 0;
};

std::string as_json(const Report& report) {
    std::string text = R"({"file":)";
    etl::append_json_string(text, report.name);
    if (!report.opened) {
        text += R"(,"error":)";
        etl::append_json_string(text, etl::describe(report.error));
        return text + "}\n";
    }
    text +=
        fmt::format(R"(,"buffers":{},"warnings":{},"findings":[)", report.buffers, report.warnings);
    bool first = true;
    for (const etl::Diagnostic& finding : report.findings.list()) {
        text += first ? "" : ",";
        first = false;
        append_json(finding, text);
    }
    return text + "]}\n";
}

std::string as_text(const Report& report) {
    if (!report.opened) {
        return fmt::format("{}: {}\n", printable(report.name), etl::describe(report.error));
    }
    const std::string name = printable(report.name);
    std::string text;
    for (const etl::Diagnostic& finding : report.findings.list()) {
        text += fmt::format("{}:{}\n", name, etl::describe(finding));
    }
    return text + fmt::format("{}: {} buffers, {}\n", name, report.buffers,
                              report.warnings == 0
                                  ? std::string("whole")
                                  : fmt::format("damaged ({} finding{})", report.warnings,
                                                report.warnings == 1 ? "" : "s"));
}

Report check_file(const std::shared_ptr<const etl::io::InputFile>& file, unsigned threads) {
    Report report;
    etl::append_utf8(report.name, std::as_bytes(std::span(file->name())));
    auto reader =
        etl::trace::Reader::open(file, {.threads = threads, .diagnostics = &report.findings});
    if (!reader) {
        report.error = reader.error();
        return report;
    }
    report.opened = true;
    report.warnings = etl::trace::check(**reader, report.findings);
    report.buffers = (*reader)->info().buffers;
    return report;
}

ExitCode run(const CheckOptions& options) {
    const OpenedFiles opened = open_files(options.traces);
    etl::io::StandardOutput output;
    ExitCode exit = opened.exit;
    for (const auto& file : opened.files) {
        const Report report = check_file(file, options.traces.worker_threads());
        exit = worst(exit, !report.opened        ? ExitCode::failed
                           : report.warnings > 0 ? ExitCode::damaged
                                                 : ExitCode::well);
        if (auto written = output.write(options.json ? as_json(report) : as_text(report));
            !written) {
            say("standard output", written.error());
            return ExitCode::failed;
        }
    }
    return exit;
}

} // namespace

void add_check(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb =
        *etl.add_subcommand("check", "Validate the structure of traces and list each finding");
    auto options = std::make_shared<CheckOptions>();
    options->traces.add_to(verb);
    verb.add_flag("--json", options->json, "one JSON object per file");
    verb.footer(footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
