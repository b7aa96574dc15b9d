// etl info: trace metadata and contents.
#include <etl/io/output_file.hpp>

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/pointer_size.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/info/coverage.hpp"
#include "verbs/info/overview.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

struct InfoOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    bool json = false;
    bool decode = false;
    bool needs = false;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
    etl::decode::DecoderOptions decoder;
};

constexpr const char* footer = R"(Examples:
  etl info trace.etl
  etl info --json trace.etl | jq '.providers[0:5]'
  etl info --decode --schema manifests.zip trace.etl
  etl info --needs trace.etl
  etl info --decode --json trace.etl | jq '.decoding.raw_by_reason'
The JSON is described in docs/info-and-check.md.)";

/// Writes an object for each trace that cannot be opened. If standard output fails, prints that and
/// returns false.
bool write_unopened(const Traces& traces, etl::Output& output) {
    std::string text;
    for (const auto& problem : traces.problems()) {
        if (problem.extent == etl::trace::InputProblem::Extent::all) {
            text += unopened_json(problem.name, problem.error);
        }
    }
    const auto written = output.write(text);
    if (!written) {
        say("standard output", written.error());
    }
    return written.has_value();
}

/// The requested information about one trace, as text or JSON, and whether it is damaged.
std::pair<std::string, ExitCode> describe_trace(etl::trace::Reader& reader,
                                                const InfoOptions& options,
                                                const etl::schema::SchemasByTrace& schemas) {
    const unsigned threads = options.traces.worker_threads();
    const auto passes = 1U + (options.decode ? 1U : 0U) + (options.needs ? 1U : 0U);
    PassProgress progress(options.progress, passes * std::uint64_t{reader.buffers().size()});
    const Overview overview = look_over(reader, threads, progress);
    std::optional<etl::decode::Coverage> coverage;
    if (options.decode) {
        coverage = measure_coverage(reader, schemas, options.decoder, threads, progress);
    }
    std::optional<TraceNeeds> needs;
    if (options.needs) {
        needs = find_needs(reader, schemas, options.decoder, threads, progress);
    }
    ShownTrace shown = shown_of(reader, overview, schemas);
    shown.enabled = find_enabled(reader, overview.summary, schemas, threads);
    shown.coverage = coverage ? &*coverage : nullptr;
    shown.needs = needs ? &*needs : nullptr;
    return {options.json ? info_json(shown) : info_text(shown),
            shown.damage > 0 ? ExitCode::damaged : ExitCode::well};
}

ExitCode run(const InfoOptions& options) {
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!guard.permits_standard_streams()) {
        return ExitCode::failed;
    }
    const OpenedFiles opened = open_files(options.traces);
    opened.explain_event_logs();
    const Traces traces(opened, options.traces, Traces::Findings::reported);
    etl::io::StandardOutput output;
    if (options.json && !write_unopened(traces, output)) {
        return ExitCode::failed;
    }
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    const auto schemas = gather_schemas(options.schemas, traces, options.traces.worker_threads());
    if (!schemas) {
        return ExitCode::failed;
    }
    bool first = true;
    ExitCode exit = traces.exit_code();
    for (const auto& reader : traces.readers()) {
        const auto [text, outcome] = describe_trace(*reader, options, schemas->by_trace);
        exit = worst(exit, outcome);
        const std::string gap = options.json || first ? "" : "\n";
        first = false;
        if (auto written = output.write(gap + text); !written) {
            say("standard output", written.error());
            return ExitCode::failed;
        }
    }
    return exit;
}

} // namespace

void add_info(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb = *etl.add_subcommand("info", "Show trace metadata and contents");
    auto options = std::make_shared<InfoOptions>();
    options->traces.add_to(verb);
    options->schemas.add_to(verb);
    verb.add_flag("--json", options->json, "print one JSON object per file");
    verb.add_flag("--decode", options->decode,
                  "decode every event; count decoded events, and undecoded events by reason");
    verb.add_flag(
        "--needs", options->needs,
        "list the missing manifests, TMF and PDB files, and MOF classes (docs/info-and-check.md)");
    add_pointer_size(verb, options->decoder.pointer_size);
    add_progress(verb, options->progress);
    verb.footer(footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
