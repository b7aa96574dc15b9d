#include "captures/capture.hpp"

#include <etl/flow/mux.hpp>
#include <etl/gather/facts.hpp>
#include <etl/io/byte_stream.hpp>

#include "captures/absence.hpp"
#include "captures/survey.hpp"
#include "cli/process_filter.hpp"
#include "cli/stop_signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace cli {

namespace {

using etl::packets::Survey;

/// The filters without --skip and --limit, which count packets here.
FilterOptions filters_of(const CaptureOptions& options) {
    FilterOptions filters = options.filters;
    filters.skip.reset();
    filters.limit.reset();
    return filters;
}

/// Traces that are read twice: the survey, and the packets.
class FileCapture {
public:
    explicit FileCapture(const CaptureOptions& options)
        : options_(&options), filters_(filters_of(options)), trace_options_(options.traces),
          opened_(open_files(options.traces)),
          traces_(opened_, with_selection(), Traces::Findings::reported) {}

    ExitCode read(UseCapture use) {
        if (traces_.readers().empty() || report_capture_files()) {
            return ExitCode::failed;
        }
        if (!survey()) {
            return worst(ExitCode::damaged, traces_.exit_code());
        }
        auto compiled = compile(filters_, etl::gather::bounds_of(traces_.readers()));
        if (!compiled) {
            return ExitCode::usage;
        }
        if (!gather(*compiled)) {
            return ExitCode::failed;
        }
        std::vector<etl::flow::Source*> sources;
        for (const auto& reader : traces_.readers()) {
            sources.push_back(reader.get());
        }
        etl::flow::Mux merged(sources);
        etl::flow::Source& source =
            sources.size() == 1 ? *sources.front() : static_cast<etl::flow::Source&>(merged);
        FilterChain chain(source, *compiled, order_of(traces_));
        Anonymizing& anonymizing = *options_->anonymizing;
        if (!anonymizing.prepare(
                traces_, schemas_, options_->traces.worker_threads(),
                {.drop_undecodable = true, .pointer_size = options_->pointer_size})) {
            return ExitCode::failed;
        }
        if (etl::anonymize::Anonymizer* const edit = anonymizing.edit()) {
            read_rundowns(*edit);
        }
        Capture capture{.options = *options_,
                        .events = anonymizing.over(chain.end()),
                        .first_trace = traces_.readers().front()->info(),
                        .several_traces = traces_.readers().size() > 1,
                        .is_anonymous = anonymizing.edit() != nullptr,
                        .rundowns = rundowns_,
                        .names = names_.names(),
                        .schemas = schemas_,
                        .skip = options_->filters.skip.value_or(0),
                        .limit = options_->filters.limit};
        ExitCode exit = use(capture);
        exit = worst(exit, anonymizing.finish(exit));
        if (!capture.limit) {
            report_unmatched(compiled->condition);
        }
        cli::report(compiled->condition.notes());
        return worst(exit, traces_.exit_code());
    }

private:
    TraceOptions& with_selection() {
        trace_options_.select = [by_header = header_condition(filters_),
                                 all = options_->with_events](const auto& event) {
            return (all || has_packet(etl::packets::kind_of(event))) &&
                   (!by_header || by_header(event));
        };
        return trace_options_;
    }

    /// Returns whether an input is a capture file already. Prints that.
    bool report_capture_files() const {
        bool any = false;
        for (const auto& file : traces_.files()) {
            if (etl::pcapng::looks_like_capture_file(file->bytes())) {
                say(fmt::format("{}: a capture file, not a trace; Wireshark and tshark read it",
                                printable(file->name())));
                any = true;
            }
        }
        return any;
    }

    /// Returns whether there are packets. Prints why a trace has none.
    bool survey() {
        bool any = false;
        for (const auto& reader : traces_.readers()) {
            SurveyPart part = survey_of(*reader, options_->traces.worker_threads());
            Survey& survey = part.survey;
            with_schemas_.push_back(std::move(part.with_schemas));
            names_.combine(std::move(survey.names));
            any = any || survey.packets > 0;
            has_drops_ = has_drops_ || survey.drops > 0;
            if (survey.packets == 0) {
                explain_no_packets(*reader, survey);
            }
            rundowns_.resize(reader->info().file);
            rundowns_.push_back(
                std::make_shared<const etl::packets::Rundown>(std::move(survey.rundown)));
        }
        return any;
    }

    /// The rundowns and names again, with their events changed.
    void read_rundowns(etl::anonymize::Anonymizer& edit) {
        TraceOptions options = options_->traces;
        using etl::packets::EventKind;
        options.select = [](const etl::flow::Event& event) {
            const EventKind kind = etl::packets::kind_of(event);
            return kind == EventKind::pktmon_rundown || kind == EventKind::ndis_source ||
                   kind == EventKind::dns_answer;
        };
        names_ = {};
        const Traces again(opened_, options, Traces::Findings::silent);
        for (const auto& reader : again.readers()) {
            etl::packets::Rundown rundown;
            etl::relog::EditedSource edited(*reader, edit);
            etl::flow::EventCursor events(edited);
            while (const etl::flow::Event* const event = events.next()) {
                const EventKind kind = etl::packets::kind_of(*event);
                if (kind == EventKind::dns_answer) {
                    names_.add(*event);
                } else {
                    rundown.add(*event, kind);
                }
            }
            rundown.finish();
            rundowns_[reader->info().file] =
                std::make_shared<const etl::packets::Rundown>(std::move(rundown));
        }
    }

    /// Only the buffers that contain schemas are read again.
    void gather_names_of_drops() {
        const auto files = schemas_of_drops(options_->schemas);
        schemas_ = files;
        for (std::size_t i = 0; i < traces_.readers().size(); ++i) {
            etl::trace::Reader& reader = *traces_.readers()[i];
            if (options_->schemas.harvest && !with_schemas_[i].empty()) {
                static_cast<void>(
                    schemas_.set(reader.info().file, // beyond the most: names of files
                                 carried_schemas(reader, std::move(with_schemas_[i]), files)));
            }
        }
    }

    bool gather(CompiledFilters& filters) {
        const unsigned threads = options_->traces.worker_threads();
        etl::facts::OriginCollector collected;
        const bool needs_origins = filters_.needs_origins();
        const bool needs_all = options_->with_events || options_->anonymizing->is_wanted() ||
                               needs_origins || filters_.needs_schemas() || filters_.needs_facts();
        if (has_drops_ && !needs_all) {
            gather_names_of_drops();
        }
        if (needs_all) {
            auto gathered = gather_schemas(options_->schemas, traces_, threads,
                                           needs_origins ? &collected : nullptr);
            if (!gathered) {
                return false;
            }
            schemas_ = gathered->by_trace;
        }
        filters.inputs.schemas = schemas_;
        filters.inputs.decoder.pointer_size = options_->pointer_size;
        if (needs_origins) {
            filters.inputs.origins = etl::gather::origins_of(traces_.readers(), collected);
        }
        if (filters_.needs_facts()) {
            filters.inputs.facts = etl::gather::facts_of(traces_.readers(), schemas_,
                                                         {.scope = etl::facts::Scope::processes,
                                                          .pointer_size = options_->pointer_size,
                                                          .code_page = nullptr},
                                                         threads, say_remark);
            report_unknown_names(filters_.processes, *filters.inputs.facts);
        }
        return true;
    }

    const CaptureOptions* options_;
    FilterOptions filters_;
    TraceOptions trace_options_;
    OpenedFiles opened_;
    Traces traces_;
    etl::packets::Rundowns rundowns_;
    etl::packets::NameTable names_;
    std::vector<SchemaBuffers> with_schemas_; // by reader
    etl::schema::SchemasByTrace schemas_;
    bool has_drops_ = false;
};

ExitCode read_stream(const CaptureOptions& options, etl::trace::StreamInput input, UseCapture use) {
    const std::vector<std::string> names{input.name()};
    FindingPrinter findings(names);
    const StopSignals signals; // packets that have arrived are still written
    auto reader = etl::trace::StreamReader::open(
        std::move(input), {.diagnostics = &findings, .stop = &signals.received()});
    if (!reader) {
        say(names.front(), reader.error());
        return ExitCode::failed;
    }
    const etl::flow::TraceInfo& trace = (*reader)->info();
    const etl::Filetime start{trace.has_header ? trace.header.start_time : 0};
    auto filters = compile(filters_of(options), {.start = start, .end = {}});
    if (!filters) {
        return ExitCode::usage;
    }
    const etl::schema::SchemasByTrace schemas(schemas_of_drops(options.schemas));
    filters->inputs.schemas = schemas;
    FilterChain chain(**reader, *filters, etl::flow::TimeFilter::Upstream::unordered);
    Capture capture{.options = options,
                    .events = chain.end(),
                    .first_trace = trace,
                    .is_stream = true,
                    .schemas = schemas,
                    .skip = options.filters.skip.value_or(0),
                    .limit = options.filters.limit};
    const ExitCode exit = use(capture);
    if ((*reader)->late_events() > 0) {
        say(fmt::format("warning: {}: {} events arrived late and out of time order",
                        printable(names.front()), (*reader)->late_events()));
    }
    return worst(exit, findings.warnings() > 0 ? ExitCode::damaged : ExitCode::well);
}

/// Why a stream must be copied to a file first; empty: it need not.
std::string why_spooled(const CaptureOptions& options, const etl::trace::StreamInput& input) {
    const FilterOptions filters = filters_of(options);
    return !input.spool_reason().empty()      ? fmt::format("it is {}", input.spool_reason())
           : filters.needs_facts()            ? "--process reads it twice"
           : filters.needs_origins()          ? "--where with an origin reads it twice"
           : options.anonymizing->is_wanted() ? "--anonymize reads it twice"
           : options.with_events              ? "--events and --link etw read it twice"
           : options.adapters_only            ? "--nic reads it twice"
           : !options.components.empty()      ? "--component reads it twice"
                                              : "";
}

ExitCode read_growing(const CaptureOptions& options, UseCapture use) {
    const std::string& path = options.traces.arguments.front();
    auto opened = etl::trace::GrowingTrace::open(path);
    auto input = opened ? etl::trace::StreamInput::open(*std::move(opened), path)
                        : std::unexpected(opened.error());
    if (!input) {
        say(path, input.error());
        return ExitCode::failed;
    }
    if (const std::string why = why_spooled(options, *input); !why.empty()) {
        say(fmt::format("{}: cannot be followed: {}", printable(path), why));
        return ExitCode::failed;
    }
    return read_stream(options, *std::move(input), use);
}

ExitCode read_pipe(CaptureOptions options, UseCapture use) {
    const std::string path = options.traces.arguments.front();
    auto stream = etl::io::open_stream(path);
    auto input = stream ? etl::trace::StreamInput::open(*std::move(stream), path)
                        : std::unexpected(stream.error());
    if (!input) {
        say(path, input.error());
        return ExitCode::failed;
    }
    options.traces.why_spooled = why_spooled(options, *input);
    if (options.traces.why_spooled.empty()) {
        return read_stream(options, *std::move(input), use);
    }
    options.traces.opened = std::make_shared<etl::trace::StreamInput>(*std::move(input));
    return FileCapture(options).read(use);
}

} // namespace

ExitCode read_capture(const CaptureOptions& options, UseCapture use) {
    const std::vector<std::string>& arguments = options.traces.arguments;
    if (options.follow && arguments.size() > 1) {
        say("--follow requires a single trace");
        return ExitCode::usage;
    }
    if (arguments.size() == 1 && etl::io::is_stream(arguments.front())) {
        return read_pipe(options, use);
    }
    return options.follow ? read_growing(options, use) : FileCapture(options).read(use);
}

} // namespace cli
