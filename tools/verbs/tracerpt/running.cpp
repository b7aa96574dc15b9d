#include "verbs/tracerpt/running.hpp"

#include <etl/sink/event_xml.hpp>

#include "cli/plural.hpp"
#include "verbs/tracerpt/report.hpp"
#include "verbs/tracerpt/schemas.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

/// Passes all events and writes nothing: for runs without a dump.
class NoDump final : public etl::flow::Encoder {
public:
    std::unique_ptr<etl::flow::Encoder> clone() const override {
        return std::make_unique<NoDump>();
    }

    bool encode(const etl::flow::Event& /*event*/, std::string& /*to*/) override { return true; }
};

std::unique_ptr<etl::flow::Encoder> encoder_of(const TracerptOptions& options,
                                               const etl::sink::Options& sink) {
    if (options.dump_kind == DumpKind::csv) {
        return std::make_unique<etl::sink::TracerptCsv>(
            sink, etl::sink::TracerptCsvOptions{.raw_times = options.raw_times,
                                                .accept_short_payloads = options.lenient});
    }
    return std::make_unique<etl::sink::EventXml>(
        sink, etl::sink::XmlOptions{.layout = etl::sink::XmlOptions::Layout::tracerpt,
                                    .raw_times = options.raw_times,
                                    .accept_short_payloads = options.lenient,
                                    .utc_messages = options.utc_messages,
                                    .short_offset = options.short_offset});
}

/// One pass over the events: the dump, and the counts.
ExitCode read_events(const TracerptOptions& options, const TracerptFiles& files,
                     EncodingInput& input, EventCounts& counts) {
    const auto written = [&](const etl::flow::Event& event) { counts.add(event); };
    if (files.dump.empty()) {
        etl::NullOutput nothing;
        return input.run(NoDump(), nothing, "", written);
    }
    const auto encoder = encoder_of(options, input.sink());
    const auto unencodable = options.dump_kind == DumpKind::csv ? Unencodable::question_mark
                                                                : Unencodable::xml_reference;
    const auto wrap = [&](etl::Output& to) -> std::unique_ptr<etl::Output> {
        return options.encoding == TextEncoding::utf8
                   ? nullptr
                   : std::make_unique<EncodedOutput>(to, options.encoding, unencodable);
    };
    const ExitCode exit = input.write(*encoder, files.dump, wrap, written);
    if (input.decode_errors() > 0) {
        say(fmt::format("note: {} contradict their schema; {}",
                        plural(input.decode_errors(), "payload"),
                        options.dump_kind == DumpKind::csv ? "they are one column of hex digits"
                                                           : "they are ProcessingErrorData"));
    }
    return exit;
}

ExitCode write_report(const TracerptOptions& options, const EncodingOptions& inputs,
                      const std::string& path, const InputTotals& totals) {
    const auto report = make_report(inputs, options.report_level, totals);
    if (!report) {
        return report.error();
    }
    const std::string text = report_text(*report, options.report_format);
    // HTML declares UTF-8.
    const bool is_html = options.report_format == ReportFormat::html;
    const TextEncoding encoding = is_html && options.encoding == TextEncoding::unicode
                                      ? TextEncoding::utf8
                                      : options.encoding;
    return write_text(path, text, encoding, Unencodable::xml_reference);
}

/// Everything after the pass over the events. Stops at the first failure.
ExitCode write_others(const TracerptOptions& options, const EncodingOptions& inputs,
                      const TracerptFiles& files, const EncodingInput& input, EventCounts& counts) {
    const InputTotals totals = totals_of(input.traces(), counts);
    ExitCode exit = ExitCode::well;
    if (!files.summary.empty()) {
        exit = write_text(files.summary,
                          summary_text(totals, counts, input.sink().utc_offset_minutes.value_or(0)),
                          options.encoding);
    }
    const auto schemas = !files.schemas.empty() || !files.structure.empty()
                             ? counts.schemas()
                             : etl::schema::SchemaSet();
    if (exit != ExitCode::failed && !files.schemas.empty()) {
        exit = worst(exit, write_schemas(files.schemas, schemas, options.encoding));
    }
    if (exit != ExitCode::failed && !files.structure.empty()) {
        exit = worst(exit, write_structure(files.structure, schemas, options.encoding));
    }
    if (exit != ExitCode::failed && !files.report.empty()) {
        exit = worst(exit, write_report(options, inputs, files.report, totals));
    }
    return exit;
}

/// What was done, for the console.
void report_done(const InputTotals& totals, const TracerptFiles& files) {
    say(fmt::format("read {} in {} from {}; {} lost", plural(totals.events, "event"),
                    plural(totals.buffers, "buffer"), plural(totals.files.size(), "trace"),
                    totals.lost_events));
    for (const std::string& file : files.all()) {
        if (file != "-") {
            say(fmt::format("wrote {}", printable(file)));
        }
    }
}

/// Options that cannot be combined, or have no meaning here. Empty: none.
std::string problem_of(const TracerptOptions& options, const TracerptFiles& files) {
    if (!options.live.empty()) {
        return "-rt: this machine has no Windows trace sessions; record to a file on Windows "
               "(tracelog, logman, wpr) and name it instead";
    }
    if (options.dump_kind == DumpKind::evtx && !files.dump.empty()) {
        return "-of EVTX: not supported yet; use -of XML or CSV";
    }
    if (options.raw_times && (!options.summary && !options.report ? !options.dump : true)) {
        return "-rts: only with -o, and without -report and -summary";
    }
    return "";
}

} // namespace

ExitCode run_tracerpt(const TracerptOptions& options) {
    const TracerptFiles files = files_of(options);
    const EncodingOptions inputs = [&] {
        EncodingOptions result = encoding_options(options);
        result.sink.message = true;
        return result;
    }();
    if (const std::string problem = problem_of(options, files); !problem.empty()) {
        say(problem);
        return ExitCode::usage;
    }
    if (inputs.traces.arguments.empty()) {
        say("no trace is named; `etl tracerpt --help` shows the usage");
        return ExitCode::usage;
    }
    if (!options.report_schema.empty()) {
        say("note: -df: ignored; the form of report schemas is not public");
    }
    if (!permits(options, inputs, files)) {
        return ExitCode::failed;
    }
    auto input = EncodingInput::open(inputs);
    if (!input) {
        return input.error();
    }
    EventCounts counts((*input)->sink(), !files.schemas.empty() || !files.structure.empty());
    ExitCode exit = read_events(options, files, **input, counts);
    if (exit != ExitCode::failed) {
        exit = worst(exit, write_others(options, inputs, files, **input, counts));
    }
    if (exit != ExitCode::failed) {
        (*input)->report();
        report_done(totals_of((*input)->traces(), counts), files);
    }
    return worst(exit, (*input)->exit_code());
}

} // namespace cli
