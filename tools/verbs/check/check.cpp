// etl check: checks the structure of traces for damage.
#include "cli/console.hpp"
#include "cli/in_order.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "gather/trace_index.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "outputs/output_guard.hpp"
#include "trace/summary.hpp"
#include "verbs/check/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace cli {

namespace {

struct CheckOptions {
    TraceOptions traces;
    bool json = false;
    BigNumbers big_numbers = BigNumbers::number;
    bool strict = false;
    unsigned jobs = 1;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
};

constexpr const char* check_footer = R"(Examples:
  etl check trace.etl
  etl check --json *.etl
  etl check --jobs 8 --recursive traces
Each finding starts with the file offset of its buffer. A note means that nothing was lost; a warning
means damage or missing buffers. An index next to the trace is compared with it.
Exit codes: 0 intact, 1 damage, or some files could not be opened, 2 failure, 64 usage error.
The JSON is described in docs/info-and-check.md.)";

CheckReport::Form form_of(const CheckOptions& options) {
    return options.json ? CheckReport::Form::json : CheckReport::Form::text;
}

/// The finding for a compressed input that could be decompressed only in part.
etl::Diagnostic finding_of(const etl::Error& damage, const etl::io::InputFile& file) {
    return {.what = damage.code == etl::ErrorCode::truncated ? "the compressed input is truncated"
                                                             : "the compressed input is damaged",
            .where = {file.bytes().size()},
            .buffer = {},
            .offset = {},
            .packed = damage.where};
}

/// Whether an index has other kinds of events than the trace, or no longer shows them.
bool has_other_kinds(const etl::trace::TraceIndex& stated, const etl::trace::TraceIndex& actual) {
    const auto kinds = stated.find_kinds();
    return kinds != nullptr && (actual.kinds == nullptr || *kinds != *actual.kinds);
}

/// Compares the index next to the trace, if it is trusted. Prints the first buffer that differs:
/// the trace itself is intact.
ExitCode check_index(etl::dataset::Dataset& trace) {
    const std::string path = etl::gather::index_path(trace.inputs().front().name());
    const auto stated = trace.indexes().front();
    if (stated == nullptr) {
        return ExitCode::well;
    }
    const auto actual =
        etl::gather::index_of(*trace.readers().front(), trace.options().worker_threads()).index;
    const auto wrong = std::ranges::mismatch(stated->buffers, actual.buffers).in1;
    const bool has_buffers = wrong == stated->buffers.end();
    if (has_buffers && !has_other_kinds(*stated, actual)) {
        return ExitCode::well;
    }
    const std::string what =
        has_buffers ? std::string("the kinds of events in the trace")
                    : fmt::format("buffer {} of the trace", wrong - stated->buffers.begin());
    say(fmt::format("warning: {}: does not match {}; `etl index --force` replaces it",
                    printable(path), what));
    return ExitCode::damaged;
}

etl::Result<ExitCode> exit_once(const etl::Result<void>& written, ExitCode exit) {
    return written ? etl::Result<ExitCode>(exit) : std::unexpected(written.error());
}

/// Checks one file and prints its report. Errors: those of the output.
etl::Result<ExitCode> check_file(const etl::dataset::Input& input, const CheckOptions& options,
                                 etl::Output& output) {
    CheckReport report(input.name(), form_of(options), output, options.big_numbers);
    std::uint64_t warnings = 0;
    if (input.is_event_log()) {
        for (const etl::Diagnostic& finding : input.log_findings->list()) {
            report.report(finding);
            warnings += finding.severity == etl::Severity::warning ? 1U : 0U;
        }
    }
    etl::dataset::Dataset trace(
        {.files = {input}},
        {.threads = options.traces.threads,
         .is_single_pass = true,
         .findings = [&](const auto& finding, const std::string&) { report.report(finding); },
         .remarks = say_remark});
    if (trace.is_empty()) {
        return exit_once(report.fail(trace.problems().front().error), ExitCode::failed);
    }
    etl::trace::Reader& reader = *trace.readers().front();
    {
        ProgressBar bar(options.progress);
        warnings += etl::trace::check(reader, report,
                                      [&](std::uint64_t events, const etl::flow::Event& newest) {
                                          bar.show(fraction_by_place(newest), events);
                                      });
    }
    if (input.file->damage()) {
        report.report(finding_of(*input.file->damage(), *input.file));
        ++warnings;
    }
    const std::uint64_t notes = report.findings() - warnings;
    const bool is_rejected = options.strict && notes > 0;
    const ExitCode of_index = check_index(trace);
    const ExitCode exit = warnings > 0 || is_rejected ? ExitCode::damaged : of_index;
    if (is_rejected) {
        say(fmt::format("{}: {} as damage (--strict); nothing was lost", printable(input.name()),
                        plural(notes, "note counts", "notes count")));
    }
    return exit_once(report.finish(reader.info().buffers, warnings), exit);
}

/// Checks the files of one path: several if it is an archive. Errors: those of the output.
etl::Result<EachInput> check_path(const CheckOptions& options, etl::Output& output) {
    const OpenedFiles opened = open_files(options.traces, LogFindings::kept);
    opened.explain_event_logs();
    EachInput exit;
    etl::Result<ExitCode> checked;
    for (const auto& problem : opened.problems) {
        if (problem.extent != etl::trace::InputProblem::Extent::all) {
            continue; // checked below, as far as it goes
        }
        exit.add(ExitCode::failed); // open_files has printed it
        if (checked && options.json) {
            CheckReport report(problem.name, CheckReport::Form::json, output, options.big_numbers);
            checked = exit_once(report.fail(problem.error), ExitCode::failed);
        }
    }
    for (const auto& file : opened.files) {
        checked = checked ? check_file(file, options, output) : checked;
        exit.add(checked.value_or(ExitCode::failed));
    }
    return checked ? etl::Result<EachInput>(exit) : std::unexpected(checked.error());
}

/// Opens one path after the other, so that there can be any number of them.
ExitCode check_all(const CheckOptions& options, etl::io::StandardOutput& output) {
    const std::vector<std::string> paths = list_inputs(options.traces);
    std::mutex mutex;
    EachInput exit;
    const auto written = for_each_in_order(
        paths.size(), options.jobs, output, [&] { return output.closed(); },
        [&](std::size_t number, etl::Output& part) {
            CheckOptions one = options;
            one.traces = with_inputs(options.traces, {paths[number]}, options.jobs);
            one.progress = options.jobs > 1 ? ProgressBar::Mode::never : options.progress;
            const auto checked = check_path(one, part);
            const std::scoped_lock lock(mutex);
            exit.add(checked ? checked->exit_code() : ExitCode::failed);
        });
    if (!written) {
        say("standard output", written.error());
        return ExitCode::failed;
    }
    return exit.exit_code();
}

ExitCode run(const CheckOptions& options) {
    OutputGuard guard;
    guard.reads(options.traces);
    if (!guard.permits_standard_streams()) {
        return ExitCode::failed;
    }
    etl::io::StandardOutput output;
    return check_all(options, output);
}

} // namespace

void add_check(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("check", "Check traces for damage");
    auto options = std::make_shared<CheckOptions>();
    options->traces.add_to(verb);
    verb.add_flag("--json", options->json, "print one JSON object per file");
    add_big_numbers(verb, options->big_numbers);
    verb.add_flag("--strict", options->strict, "treat notes as damage (exit code 1)");
    add_jobs(verb, options->jobs);
    add_progress(verb, options->progress);
    verb.footer(check_footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
