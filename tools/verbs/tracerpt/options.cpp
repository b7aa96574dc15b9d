#include "verbs/tracerpt/options.hpp"

#include "base/text.hpp"
#include "inputs/symbol_path.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "outputs/event_log_output.hpp"
#include "outputs/event_summary.hpp"
#include "outputs/output_guard.hpp"
#include "sink/event_log.hpp"
#include "sink/event_xml.hpp"
#include "sink/tracerpt_csv.hpp"
#include "verbs/tracerpt/report.hpp"
#include "verbs/tracerpt/schemas.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace cli {

namespace {

std::string file_of(const OptionalFile& option, std::string_view by_default) {
    return !option ? "" : option->empty() ? std::string(by_default) : option->front();
}

std::string default_dump(DumpKind kind) {
    return kind == DumpKind::csv    ? "dumpfile.csv"
           : kind == DumpKind::evtx ? "dumpfile.evtx"
                                    : "dumpfile.xml";
}

/// Symbol stores are not schema files.
bool is_store(const std::string& path) {
    return etl::to_lower_ascii(path).starts_with("srv*") || path.contains("://");
}

std::vector<std::string> elements_of(const std::vector<std::string>& lists) {
    std::vector<std::string> all;
    for (const std::string& list : lists) {
        const std::vector<std::string> elements = split_list(list);
        all.insert(all.end(), elements.begin(), elements.end());
    }
    return all;
}

/// One line from the terminal; true if it starts with `y`.
bool is_confirmed(const std::string& path) {
    std::fprintf(stderr, "%s already exists. Replace it? [y/n] ", printable(path).c_str());
    const int answer = std::getchar();
    for (int c = answer; c != '\n' && c != EOF;) {
        c = std::getchar();
    }
    return answer == 'y' || answer == 'Y';
}

bool is_replaceable(const std::string& path) {
    if (path == "-" || !etl::io::is_regular_file(path)) {
        return true;
    }
    if (!etl::io::standard_input_is_terminal()) {
        say(fmt::format("{}: already exists; use -y to replace it", printable(path)));
        return false;
    }
    if (!is_confirmed(path)) {
        say(fmt::format("{}: not replaced; nothing is written", printable(path)));
        return false;
    }
    return true;
}

} // namespace

std::vector<std::string> TracerptFiles::all() const {
    std::vector<std::string> list;
    for (const std::string* file : {&dump, &summary, &report, &schemas, &structure}) {
        if (!file->empty()) {
            list.push_back(*file);
        }
    }
    return list;
}

TracerptFiles files_of(const TracerptOptions& options) {
    TracerptFiles files{.dump = file_of(options.dump, default_dump(options.dump_kind)),
                        .summary = file_of(options.summary, "summary.txt"),
                        .report = file_of(options.report, options.report_format == ReportFormat::xml
                                                              ? "workload.xml"
                                                              : "workload.html"),
                        .schemas = file_of(options.schemas, "schema.man"),
                        .structure = options.structure};
    if (files.all().empty()) {
        files.dump = default_dump(options.dump_kind);
        files.summary = "summary.txt";
    }
    return files;
}

TraceOptions traces_of(const TracerptOptions& options) {
    TraceOptions traces;
    traces.arguments = options.files;
    traces.arguments.insert(traces.arguments.end(), options.listed.begin(), options.listed.end());
    traces.threads = options.threads;
    return traces;
}

SchemaOptions schemas_of(const TracerptOptions& options) {
    SchemaOptions schemas;
    schemas.paths = options.schema_paths;
    const auto add = [&](const std::vector<std::string>& paths) {
        schemas.paths.insert(schemas.paths.end(), paths.begin(), paths.end());
    };
    const std::vector<std::string> images = elements_of(options.images);
    std::vector<std::string> databases = elements_of(options.pdb_paths);
    add(options.manifests);
    add(options.tmf_files);
    add(elements_of(options.tmf_paths));
    add(images);
    if (!images.empty()) {
        add(databases_of(images, options.pdb_paths));
    }
    std::erase_if(databases, is_store);
    add(databases);
    return schemas;
}

bool permits(const TracerptOptions& options, const TraceOptions& traces,
             const SchemaOptions& schemas, const TracerptFiles& files) {
    OutputGuard guard("-y");
    guard.reads(traces);
    guard.reads(schemas);
    return guard.permits(files.all(), OutputGuard::Existing::replace) &&
           (options.yes || std::ranges::all_of(files.all(), is_replaceable));
}

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
