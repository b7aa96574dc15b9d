// etl info: trace metadata and contents.
#include "cli/console.hpp"
#include "cli/in_order.hpp"
#include "cli/json_object.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "evtx/reader.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"
#include "io/output_file.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/info/coverage.hpp"
#include "verbs/info/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace cli {

namespace {

struct InfoOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    bool json = false;
    BigNumbers big_numbers = BigNumbers::number;
    bool decode = false;
    bool needs = false;
    unsigned jobs = 1;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
    etl::decode::DecoderOptions decoder;
};

constexpr const char* info_footer = R"(Examples:
  etl info trace.etl
  etl info --json trace.etl | jq '.providers[0:5]'
  etl info --decode --schema manifests.zip trace.etl
  etl info --needs trace.etl
  etl info --json --jobs 8 --recursive traces
  etl info --decode --json trace.etl | jq '.decoding.raw_by_reason'
The JSON is described in docs/info-and-check.md.)";

/// Writes an object for each trace that cannot be opened. Returns whether it was written.
bool write_unopened(const Traces& traces, etl::Output& output) {
    std::string text;
    for (const auto& problem : traces.problems()) {
        if (problem.extent == etl::trace::InputProblem::Extent::all) {
            text += unopened_json(problem.name, problem.error);
        }
    }
    return output.write(text).has_value();
}

/// The requested information about one trace, as text or JSON, and whether it is damaged.
std::pair<std::string, ExitCode> describe_trace(etl::trace::Reader& reader,
                                                const InfoOptions& options,
                                                const etl::DiagnosticList* log_findings,
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
    if (log_findings != nullptr) {
        shown.damage += static_cast<std::uint64_t>(std::ranges::count(
            log_findings->list(), etl::Severity::warning, &etl::Diagnostic::severity));
        shown.is_log_dirty = !etl::evtx::was_closed(*log_findings);
    }
    shown.coverage = coverage ? &*coverage : nullptr;
    shown.needs = needs ? &*needs : nullptr;
    return {options.json ? with_big_numbers(info_json(shown), options.big_numbers)
                         : info_text(shown),
            shown.damage > 0 ? ExitCode::damaged : ExitCode::well};
}

/// Prints each remark once, however many groups of traces it comes from. Thread-safe.
class RemarksOnce {
public:
    void add(const etl::gather::Remark& remark) {
        constexpr std::size_t max = 10'000;
        const std::scoped_lock lock(mutex_);
        const std::string text = etl::gather::describe(remark);
        if (said_.size() >= max || said_.insert(text).second) {
            say(printable(text));
        }
    }

private:
    std::mutex mutex_;
    std::set<std::string> said_;
};

/// Describes traces that are open at the same time; nothing if a schema file cannot be used, which
/// has been printed. The errors of `output` are also reported by its owner.
std::optional<ExitCode> describe_group(const InfoOptions& options, RemarksOnce& remarks,
                                       bool is_first, etl::Output& output) {
    const OpenedFiles opened = open_files(options.traces);
    opened.explain_event_logs();
    TraceOptions reading = options.traces;
    reading.remarks = [&](const etl::gather::Remark& remark) { remarks.add(remark); };
    const Traces traces(opened, reading, Traces::Findings::reported);
    const bool has_unopened = options.json && !write_unopened(traces, output);
    if (has_unopened || traces.readers().empty()) {
        return ExitCode::failed;
    }
    const auto context = context_of(traces, options.schemas);
    if (!context) {
        return std::nullopt;
    }
    ExitCode exit = traces.exit_code();
    for (const auto& reader : traces.readers()) {
        const auto [text, outcome] = describe_trace(
            *reader, options, opened.findings_in(reader->info().name), context->schemas);
        exit = worst(exit, outcome);
        const std::string gap = options.json || std::exchange(is_first, false) ? "" : "\n";
        if (!output.write(gap + text)) {
            return ExitCode::failed;
        }
    }
    return exit;
}

/// Describes groups of files, each of which is open by itself, so that there can be any number of
/// files. The files of a session's series, which rely on each other, are mostly in one group.
ExitCode describe_all(const InfoOptions& options, etl::io::StandardOutput& output) {
    constexpr std::size_t size = 64;
    const std::vector<std::string> paths = list_inputs(options.traces);
    std::mutex mutex;
    EachInput exit;
    RemarksOnce remarks;
    std::atomic<bool> has_failed = false;
    const auto written = for_each_in_order(
        (paths.size() + size - 1) / size, options.jobs, output,
        [&] { return has_failed || output.closed(); },
        [&](std::size_t number, etl::Output& part) {
            const auto group = std::span(paths).subspan(number * size);
            const auto members = group.first(std::min(size, group.size()));
            InfoOptions some = options;
            some.traces =
                with_inputs(options.traces, {members.begin(), members.end()}, options.jobs);
            some.progress = options.jobs > 1 ? ProgressBar::Mode::never : options.progress;
            const auto outcome = describe_group(some, remarks, number == 0, part);
            has_failed = has_failed || !outcome;
            const std::scoped_lock lock(mutex);
            exit.add(outcome.value_or(ExitCode::failed));
        });
    if (!written) {
        say("standard output", written.error());
    }
    return has_failed || !written ? ExitCode::failed : exit.exit_code();
}

ExitCode run(const InfoOptions& options) {
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!guard.permits_standard_streams()) {
        return ExitCode::failed;
    }
    etl::io::StandardOutput output;
    return describe_all(options, output);
}

} // namespace

void add_info(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("info", "Show trace metadata and contents");
    auto options = std::make_shared<InfoOptions>();
    options->traces.add_to(verb);
    options->schemas.add_to(verb);
    verb.add_flag("--json", options->json, "print one JSON object per file");
    add_big_numbers(verb, options->big_numbers);
    verb.add_flag("--decode", options->decode,
                  "decode every event; count decoded events, and undecoded events by reason");
    verb.add_flag(
        "--needs", options->needs,
        "list the missing manifests, TMF and PDB files, and MOF classes (docs/info-and-check.md)");
    add_pointer_size(verb, options->decoder.pointer_size);
    add_jobs(verb, options->jobs);
    add_progress(verb, options->progress);
    verb.footer(info_footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
