#include "verbs/tracerpt/running.hpp"

#include "base/text.hpp"
#include "outputs/event_log_output.hpp"
#include "outputs/event_summary.hpp"
#include "outputs/payload_notes.hpp"
#include "sink/event_log.hpp"
#include "sink/event_xml.hpp"
#include "sink/tracerpt_csv.hpp"
#include "verbs/tracerpt/report.hpp"
#include "verbs/tracerpt/schemas.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

/// Everything that the parts of a run share.
struct TracerptRun {
    const TracerptOptions& options;
    TraceOptions traces;
    SchemaOptions schemas;
    TracerptFiles files;
    std::uint64_t events = 0; // read
    std::shared_ptr<std::atomic<std::uint64_t>> trailing = make_payload_counter();
};

bool is_event_log(const TracerptRun& run) noexcept {
    return run.options.dump_kind == DumpKind::evtx && !run.files.dump.empty();
}

/// The encoder of XML or CSV.
std::unique_ptr<etl::sink::DecodingEncoder> text_encoder_of(const TracerptRun& run,
                                                            const MergedEvents& events) {
    const TracerptOptions& options = run.options;
    etl::sink::Options sink = events.sink();
    sink.utc_offset_minutes = events.local_offset_minutes();
    if (options.dump_kind == DumpKind::csv) {
        return std::make_unique<etl::sink::TracerptCsv>(
            std::move(sink), etl::sink::TracerptCsvOptions{.raw_times = options.raw_times,
                                                           .accept_short_payloads = options.lenient,
                                                           .trailing = run.trailing});
    }
    return std::make_unique<etl::sink::EventXml>(
        std::move(sink), etl::sink::XmlOptions{.layout = etl::sink::XmlOptions::Layout::tracerpt,
                                               .raw_times = options.raw_times,
                                               .accept_short_payloads = options.lenient,
                                               .utc_messages = options.utc_messages,
                                               .short_offset = options.short_offset,
                                               .trailing = run.trailing});
}

/// The encoder of the dump, if there is one, that also counts the events.
SummingEncoder encoder_of(const TracerptRun& run, const MergedEvents& events,
                          const std::shared_ptr<EventSummary>& summary) {
    const auto& schemas = events.sink().schemas;
    if (run.files.dump.empty() || is_event_log(run)) {
        std::unique_ptr<etl::flow::Encoder> log;
        if (is_event_log(run)) {
            log = std::make_unique<etl::sink::EventLog>(
                events.sink(),
                etl::sink::EventLogOptions{.accept_short_payloads = run.options.lenient});
        }
        return SummingEncoder(std::move(log), summary, schemas);
    }
    return SummingEncoder(text_encoder_of(run, events), summary, schemas);
}

EncodedOutput output_of(const TracerptRun& run) {
    const auto unencodable = run.options.dump_kind == DumpKind::csv ? Unencodable::question_mark
                                                                    : Unencodable::xml_reference;
    EncodedOutput to{.path = run.files.dump.empty() ? "-" : run.files.dump,
                     .threads = run.traces.worker_threads(),
                     .progress = run.options.progress};
    if (run.options.encoding != TextEncoding::utf8 && !run.files.dump.empty() &&
        !is_event_log(run)) {
        to.wrap = [encoding = run.options.encoding, unencodable](etl::Output& output) {
            return std::make_unique<TranscodedOutput>(output, encoding, unencodable);
        };
    }
    return to;
}

/// One pass over the events: the dump and the summary.
ExitCode read_events(TracerptRun& run) {
    auto events = MergedEvents::open(run.traces, run.schemas);
    if (!events) {
        return events.error();
    }
    const auto summary = std::make_shared<EventSummary>();
    etl::flow::PipelineResult result;
    ExitCode exit = ExitCode::well;
    {
        const SummingEncoder encoder = encoder_of(run, **events, summary);
        exit = is_event_log(run) ? write_event_log(**events, encoder, output_of(run), result)
                                 : write_encoded(**events, encoder, output_of(run), &result);
    }
    if (exit == ExitCode::failed) {
        return exit;
    }
    run.events = result.events;
    if (!is_event_log(run)) { // reported already
        report_payloads(result.decoding.errors, *run.trailing,
                        run.options.dump_kind == DumpKind::csv ? "one column of hex digits"
                                                               : "ProcessingErrorData");
    }
    (*events)->report(result.written);
    if (!run.files.summary.empty()) {
        exit = worst(exit, write_text(run.files.summary,
                                      summary->text((*events)->traces(), EventSummary::tracerpt),
                                      run.options.encoding));
    }
    return exit;
}

/// -export and -int.
ExitCode describe_events(const TracerptRun& run) {
    auto events = MergedEvents::open(run.traces, run.schemas);
    if (!events) {
        return events.error();
    }
    SchemaCollector collector((*events)->sink().schemas);
    for (etl::flow::Run batch = (*events)->source().next_run(); !batch.empty();
         batch = (*events)->source().next_run()) {
        for (const etl::flow::Event& event : batch) {
            collector.add(event);
        }
    }
    const etl::schema::SchemaSet set = collector.take();
    ExitCode exit = ExitCode::well;
    if (!run.files.schemas.empty()) {
        exit = write_schemas(run.files.schemas, set, run.options.encoding);
    }
    if (exit != ExitCode::failed && !run.files.structure.empty()) {
        exit = worst(exit, write_structure(run.files.structure, set, run.options.encoding));
    }
    return exit;
}

ExitCode write_report(const TracerptRun& run) {
    const Traces traces(open_files(run.traces), run.traces, Traces::Findings::silent);
    const auto report = make_report(run.traces, run.schemas, run.options.report_level,
                                    totals_of(traces, run.events));
    if (!report) {
        return report.error();
    }
    const bool is_html = run.options.report_format == ReportFormat::html; // declares UTF-8
    const TextEncoding encoding = is_html && run.options.encoding == TextEncoding::unicode
                                      ? TextEncoding::utf8
                                      : run.options.encoding;
    return write_text(run.files.report, report_text(*report, run.options.report_format), encoding,
                      Unencodable::xml_reference);
}

/// Options that cannot be combined, or have no meaning here. Empty: none.
std::string problem_of(const TracerptRun& run) {
    const TracerptOptions& options = run.options;
    if (!options.live.empty()) {
        return fmt::format(
            "-rt {}: `etl live NAME` prints a machine session; or stop the session and pass its "
            "file, or follow the file with `etl dump --follow FILE`",
            printable(options.live.front()));
    }
    if (is_event_log(run) && (options.raw_times || run.files.dump == "-")) {
        return "-of EVTX excludes -rts and -o -";
    }
    if (options.raw_times && (!options.dump || options.summary || options.report)) {
        return "-rts requires -o, and excludes -summary and -report";
    }
    for (const std::string& argument : run.traces.arguments) {
        const std::string name = etl::to_lower_ascii(argument);
        if (name.ends_with(".blg")) {
            return fmt::format("{}: performance counter logs are not read; `relog FILE -f csv` of "
                               "Windows converts them",
                               printable(argument));
        }
        if (name.ends_with(".evt")) {
            return fmt::format("{}: event logs before Windows Vista are not read; `wevtutil epl "
                               "FILE NEW.evtx /lf:true` of Windows converts them",
                               printable(argument));
        }
    }
    if (run.traces.arguments.empty()) {
        return "no trace is named; `etl tracerpt -?` shows the usage";
    }
    return "";
}

} // namespace

ExitCode run_tracerpt(const TracerptOptions& options) {
    TracerptRun run{.options = options,
                    .traces = traces_of(options),
                    .schemas = schemas_of(options),
                    .files = files_of(options)};
    if (const std::string problem = problem_of(run); !problem.empty()) {
        say(problem);
        return ExitCode::usage;
    }
    if (!options.report_schema.empty()) {
        say("note: -df: ignored; the form of report schemas is not public");
    }
    if (!permits(options, run.traces, run.schemas, run.files)) {
        return ExitCode::failed;
    }
    ExitCode exit = read_events(run);
    if (exit != ExitCode::failed && exit != ExitCode::usage &&
        (!run.files.schemas.empty() || !run.files.structure.empty())) {
        exit = worst(exit, describe_events(run));
    }
    if (exit != ExitCode::failed && exit != ExitCode::usage && !run.files.report.empty()) {
        exit = worst(exit, write_report(run));
    }
    if (exit == ExitCode::well || exit == ExitCode::damaged) {
        for (const std::string& file : run.files.all()) {
            if (file != "-") {
                say(fmt::format("wrote {}", printable(file)));
            }
        }
    }
    return exit;
}

} // namespace cli
