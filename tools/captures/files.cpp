#include "captures/absence.hpp"
#include "captures/reading.hpp"
#include "cli/process_filter.hpp"
#include "format/known_guids.hpp"
#include "packets/drop_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace cli {

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

} // namespace cli
