#include "captures/capture.hpp"

#include "cli/console.hpp"
#include "cli/event_filter.hpp"
#include "cli/exit_code.hpp"
#include "cli/stop_signals.hpp"
#include "flow/losses.hpp"
#include "format/known_guids.hpp"
#include "inputs/growing_trace.hpp"
#include "inputs/live_session.hpp"
#include "io/byte_stream.hpp"
#include "packets/capture_names.hpp"
#include "packets/survey.hpp"
#include "trace/reader.hpp"
#include "trace/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace cli {

// Why a trace has no packets, and how to record them. docs/packets.md#none

/// Prints the reason and the next step.
void explain_no_packets(const etl::trace::Reader& trace, const etl::packets::Survey& survey);

namespace {

struct Advice {
    std::string reason, next;
};

std::string filters_of(const etl::packets::Rundown& rundown) {
    std::string text;
    for (const std::string& filter : rundown.filters()) {
        text += "; its capture " + filter;
    }
    return text;
}

Advice advice_on(const etl::packets::Survey& survey) {
    using etl::packets::NoPackets;
    constexpr const char* pktmon = "record packets with `pktmon start --capture --pkt-size 0`";
    switch (why_no_packets(survey)) {
    case NoPackets::unknown_layout:
        return {fmt::format("it contains {} of a version whose layout is not known",
                            plural(survey.unknown_layouts, "packet event")),
                "`etl dump` prints their headers; please report the version"};
    case NoPackets::counted_only:
        return {fmt::format("pktmon counted {} but the trace contains none: it recorded counters "
                            "or drops only, or a circular file overwrote them",
                            plural(survey.counted_packets(), "packet")),
                pktmon};
    case NoPackets::nothing_seen:
        return {"pktmon ran but no packet was recorded: nothing matched its filter, or it "
                "recorded counters or drops only" +
                    filters_of(survey.rundown),
                std::string(pktmon) + " and watch `pktmon counters`"};
    case NoPackets::capture_idle:
        return {"the NDIS capture driver (Microsoft-Windows-NDIS-PacketCapture) ran and saw no "
                "packet",
                "reproduce the traffic before `netsh trace stop`, and check the filters of `netsh "
                "trace show status`"};
    case NoPackets::not_captured:
        return {fmt::format("the trace contains {} of the network stack, but packets were not "
                            "captured",
                            plural(survey.network, "event")),
                "record with `netsh trace start capture=yes` or `pktmon start --capture "
                "--pkt-size 0`; profiles of WPR do not contain packets"};
    case NoPackets::not_a_network_trace:
        break;
    }
    return {"the providers that capture packets do not occur "
            "(Microsoft-Windows-NDIS-PacketCapture, Microsoft-Windows-PktMon)",
            "record with `netsh trace start capture=yes` or `pktmon start --capture --pkt-size 0`"};
}

} // namespace

void explain_no_packets(const etl::trace::Reader& trace, const etl::packets::Survey& survey) {
    const etl::flow::TraceInfo& info = trace.info();
    const std::string name = printable(info.name);
    const Advice advice = advice_on(survey);
    say(fmt::format("{}: no packets: {}; {}", name, advice.reason, advice.next));
    const etl::flow::StatedLosses losses = etl::flow::stated_losses(info);
    const std::uint64_t events = losses.events.value_or(0), buffers = losses.buffers.value_or(0);
    if (events + buffers > 0) {
        say(fmt::format("{}: note: {}{} and {} are lost, which may include packets", name,
                        losses.are_totals ? "" : "at least ", plural(events, "event"),
                        plural(buffers, "buffer")));
    } else if (!losses.are_totals) {
        say(fmt::format("{}: note: losses are unknown and may include packets", name));
    }
    if (trace.damage() > 0) {
        say(fmt::format("{}: note: the trace is damaged; `etl repair` may recover packets", name));
    }
}

// How captures are opened.

/// The filters without --skip and --limit, which count packets here.
FilterOptions capture_filters(const CaptureOptions& options);

/// Files, or a stream that is copied to one: they are read twice, the survey, and the packets.
ExitCode read_files(const CaptureOptions& options, UseCapture use);

FilterOptions capture_filters(const CaptureOptions& options) {
    FilterOptions filters = options.filters;
    filters.skip.reset();
    filters.limit.reset();
    return filters;
}

namespace {

/// Prints a warning if the trace describes other events than those that are extracted.
void report_other_layout(const etl::flow::TraceInfo& trace, const etl::schema::SchemaStore& store) {
    for (const std::uint16_t id : {std::uint16_t{160}, std::uint16_t{170}}) {
        const auto match = store.find({etl::format::pktmon_guid, id, 0});
        if (!match.candidates.empty() &&
            !etl::packets::has_known_layout(*match.candidates.front())) {
            say(fmt::format("warning: {}: the schema of the trace describes another layout of "
                            "PktMon event {}; its packets may be wrong",
                            printable(trace.name), id));
        }
    }
}

/// Traces that are read twice: the survey, and the packets.
class FileCapture {
public:
    explicit FileCapture(const CaptureOptions& options)
        : options_(&options), filters_(capture_filters(options)),
          traces_(reading_options(options, filters_)) {}

    ExitCode read(UseCapture use) {
        if (traces_.readers().empty() || report_capture_files()) {
            return ExitCode::failed;
        }
        if (!survey()) {
            return worst(ExitCode::damaged, traces_.exit_code());
        }
        auto compiled = compile(filters_, traces_.dataset().bounds());
        if (!compiled) {
            return ExitCode::usage;
        }
        if (!gather(*compiled)) {
            return ExitCode::failed;
        }
        const auto events = traces_.dataset().events();
        FilterChain chain(events->source(), *compiled, traces_.dataset().upstream());
        Anonymizing& anonymizing = *options_->anonymizing;
        if (!anonymizing.prepare(traces_, schemas_, options_->traces.worker_threads(),
                                 {.drop_undecodable = true,
                                  .keep_fragments = true,
                                  .pointer_size = options_->pointer_size})) {
            return ExitCode::failed;
        }
        if (etl::anonymize::Anonymizer* const edit = anonymizing.edit()) {
            read_rundowns(*edit);
        }
        Capture capture{.options = *options_,
                        .events = anonymizing.over(chain.end()),
                        .traces = traces_.dataset().infos(),
                        .labels = labels(),
                        .has_payloads = !anonymizing.wipes_payloads(),
                        .anonymizer = anonymizing.edit(),
                        .rundowns = known_.rundowns,
                        .names = known_.names.names(),
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
    static TraceOptions reading_options(const CaptureOptions& options,
                                        const FilterOptions& filters) {
        TraceOptions traces = options.traces;
        traces.pointer_size = options.pointer_size;
        traces.select = [by_header = header_condition(filters),
                         all = options.with_events](const auto& event) {
            return (all || etl::packets::is_for_extractor(event)) &&
                   (!by_header || by_header(event));
        };
        return traces;
    }

    /// With --anonymize, numbers: names of files and directories may be personal.
    etl::packets::TraceLabels labels() const {
        etl::packets::TraceLabels labels = etl::packets::labels_of(traces_.dataset());
        if (options_->anonymizing->wipes_payloads()) {
            for (std::size_t i = 0; i < labels.size(); ++i) {
                labels[i] = std::to_string(i + 1);
            }
        }
        return labels;
    }

    /// Returns whether an input is a capture file already. Prints that.
    bool report_capture_files() const {
        bool any = false;
        for (const auto& file : traces_.files()) {
            if (etl::pcapng::looks_like_capture_file(file.file->bytes())) {
                say(fmt::format("{}: a capture file, not a trace; Wireshark and tshark read it",
                                printable(file.name())));
                any = true;
            }
        }
        return any;
    }

    /// Returns whether there are packets. Prints why a trace has none.
    bool survey() {
        known_ = etl::packets::survey(traces_.dataset());
        for (std::size_t i = 0; i < known_.traces.size(); ++i) {
            if (known_.traces[i].survey.packets == 0) {
                explain_no_packets(*traces_.readers()[i], known_.traces[i].survey);
            }
        }
        return known_.has_packets();
    }

    /// The rundowns and names again, with their events changed.
    void read_rundowns(etl::anonymize::Anonymizer& edit) {
        using etl::packets::EventKind;
        const auto again = traces_.again([](const etl::flow::Event& event) {
            const EventKind kind = etl::packets::kind_of(event);
            return is_rundown(kind) || kind == EventKind::dns_answer;
        });
        if (again == nullptr) {
            return;
        }
        known_.names = {};
        for (const auto& reader : again->readers()) {
            etl::packets::Rundown rundown;
            etl::relog::EditedSource edited(*reader, edit);
            etl::flow::EventCursor events(edited);
            while (const etl::flow::Event* const event = events.next()) {
                const EventKind kind = etl::packets::kind_of(*event);
                if (kind == EventKind::dns_answer) {
                    known_.names.add(*event);
                } else {
                    rundown.add(*event, kind);
                }
            }
            rundown.finish();
            known_.rundowns[reader->info().file] =
                std::make_shared<const etl::packets::Rundown>(std::move(rundown));
        }
    }

    void gather_names_of_drops() {
        if (!options_->schemas.harvest) {
            schemas_ = etl::packets::schemas_of_drops(options_->schemas.paths);
            return;
        }
        traces_.dataset().options().schemas = options_->schemas.paths;
        schemas_ = etl::packets::schemas_of_drops(traces_.dataset(), known_);
        for (std::uint32_t i = 0; i < known_.traces.size(); ++i) {
            if (!known_.traces[i].with_schemas.empty()) {
                report_other_layout(traces_.readers()[i]->info(), *schemas_.store_for(i));
            }
        }
    }

    bool gather(CompiledFilters& filters) {
        const bool needs_all = options_->with_events || options_->anonymizing->is_wanted() ||
                               filters_.needs_origins() || filters_.needs_schemas() ||
                               filters_.needs_facts();
        filters.inputs.decoder.pointer_size = options_->pointer_size;
        if (needs_all) {
            const auto context = context_of(traces_, options_->schemas, needs_of(filters_));
            if (!context) {
                return false;
            }
            schemas_ = context->schemas;
            filters.inputs.facts = context->facts;
            filters.inputs.origins = context->origins;
        } else if (known_.has_drops() || known_.has_schemas()) {
            gather_names_of_drops();
        }
        filters.inputs.schemas = schemas_;
        if (filters_.needs_facts()) {
            report_unknown_names(filters_.processes, *filters.inputs.facts);
        }
        return true;
    }

    const CaptureOptions* options_;
    FilterOptions filters_;
    Traces traces_;
    etl::packets::Capture known_;
    etl::schema::SchemasByTrace schemas_;
};

} // namespace

ExitCode read_files(const CaptureOptions& options, UseCapture use) {
    return FileCapture(options).read(use);
}

namespace {

ExitCode read_stream(const CaptureOptions& options, etl::trace::StreamInput input, UseCapture use,
                     const etl::trace::GrowingTrace* growing = nullptr) {
    const std::vector<std::string> names{input.name()};
    FindingPrinter findings(names);
    const StopSignals signals; // packets that have arrived are still written
    auto reader = etl::trace::StreamReader::open(
        std::move(input),
        {.diagnostics = &findings, .stop = &signals.received(), .growing = growing});
    if (!reader) {
        say(names.front(), reader.error());
        return ExitCode::failed;
    }
    const etl::flow::TraceInfo& trace = (*reader)->info();
    const etl::Filetime start{trace.has_header ? trace.header.start_time : 0};
    auto filters = compile(capture_filters(options), {.start = start, .end = {}});
    if (!filters) {
        return ExitCode::usage;
    }
    const etl::schema::SchemasByTrace schemas(
        etl::packets::schemas_of_drops(options.schemas.paths));
    filters->inputs.schemas = schemas;
    FilterChain chain(**reader, *filters, etl::flow::TimeFilter::Upstream::unordered);
    Capture capture{.options = options,
                    .events = chain.end(),
                    .traces = {&trace},
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

/// Why the options need a trace that can be read twice; empty: they do not.
std::string why_twice(const CaptureOptions& options) {
    const FilterOptions filters = capture_filters(options);
    return filters.needs_facts()                ? "--process reads it twice"
           : filters.needs_origins()            ? "--where with an origin reads it twice"
           : options.anonymizing->is_wanted()   ? "--anonymize reads it twice"
           : options.with_events                ? "--events and --link etw read it twice"
           : options.choice.adapters_only       ? "--nic reads it twice"
           : !options.choice.components.empty() ? "--component reads it twice"
                                                : "";
}

/// Why a stream must be copied to a file first; empty: it need not.
std::string why_spooled(const CaptureOptions& options, const etl::trace::StreamInput& input) {
    return !input.spool_reason().empty() ? fmt::format("it is {}", input.spool_reason())
                                         : why_twice(options);
}

ExitCode read_session(const CaptureOptions& options, UseCapture use) {
    const std::string& session = options.session;
    if (const std::string why = why_twice(options); !why.empty()) {
        say(fmt::format("{}: cannot be read while it runs: {}", printable(session), why));
        return ExitCode::failed;
    }
    const auto pipe = deliver_session(session);
    if (!pipe) {
        return ExitCode::failed;
    }
    auto stream = etl::io::open_stream(pipe->path());
    auto input = stream ? etl::trace::StreamInput::open(*std::move(stream), session)
                        : std::unexpected(stream.error());
    if (!input) {
        say(session, input.error());
        return ExitCode::failed;
    }
    return read_stream(options, *std::move(input), use);
}

ExitCode read_growing(const CaptureOptions& options, UseCapture use) {
    auto growing = open_growing(options.traces.arguments.front(), why_twice(options));
    return growing ? read_stream(options, std::move(growing->stream), use, growing->trace.get())
                   : ExitCode::failed;
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
    return read_files(options, use);
}

} // namespace

ExitCode read_capture(const CaptureOptions& options, UseCapture use) {
    if (!options.session.empty()) {
        return read_session(options, use);
    }
    const std::vector<std::string>& arguments = options.traces.arguments;
    if (options.follow && arguments.size() > 1) {
        say("--follow requires a single trace");
        return ExitCode::usage;
    }
    if (arguments.size() == 1 && etl::io::is_stream(arguments.front())) {
        return read_pipe(options, use);
    }
    return options.follow ? read_growing(options, use) : read_files(options, use);
}

ExitCode read_capture(const CaptureOptions& options, UseCapture use,
                      etl::FunctionRef<ExitCode()> none) {
    bool is_used = false;
    const ExitCode exit = read_capture(options, [&](Capture& capture) {
        is_used = true;
        return use(capture);
    });
    return !is_used && exit == ExitCode::damaged ? worst(exit, none()) : exit;
}

} // namespace cli
