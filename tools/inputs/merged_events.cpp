#include "inputs/merged_events.hpp"

#include <etl/time.hpp>

#include "cli/event_filter.hpp"
#include "cli/needs.hpp"
#include "cli/progress.hpp"
#include "flow/mux.hpp"
#include "io/output_file.hpp"

#include <utility>
#include <vector>

namespace cli {

namespace {

using IsAbandoned = std::function<bool()>;

ExitCode encode(MergedEvents& events, const etl::flow::Encoder& encoder, etl::Output& output,
                const EncodedOutput& to, etl::flow::PipelineResult* written,
                const IsAbandoned& is_abandoned) {
    ProgressBar bar(to.progress);
    etl::flow::PipelineOptions how;
    how.threads = to.threads;
    how.skip = events.filters().skip.value_or(0);
    how.limit = events.filters().limit;
    how.progress = [&](std::uint64_t count, const etl::flow::Event& newest) {
        bar.show(fraction_by_place(newest), count);
        return !is_abandoned();
    };
    const auto wrapped = to.wrap ? to.wrap(output) : nullptr;
    const auto result = etl::flow::run(events.source(), encoder, wrapped ? *wrapped : output, how);
    if (const etl::Error* error = events.source().error()) {
        say(events.traces().files().front().name(), *error);
        return ExitCode::damaged;
    }
    if (!result) {
        say(to.path == "-" ? "standard output" : to.path, result.error());
        return ExitCode::failed;
    }
    if (written != nullptr) {
        *written = *result;
    }
    return ExitCode::well;
}

ExitCode encode_to_file(MergedEvents& events, const etl::flow::Encoder& encoder,
                        const EncodedOutput& to, etl::flow::PipelineResult* written) {
    auto file = etl::io::AtomicFile::create(to.path);
    if (!file) {
        say(to.path, file.error());
        return ExitCode::failed;
    }
    const ExitCode exit = encode(events, encoder, **file, to, written, [] { return false; });
    if (exit == ExitCode::failed) {
        return exit;
    }
    if (const auto committed = (*file)->commit(); !committed) {
        say(to.path, committed.error());
        return ExitCode::failed;
    }
    return exit;
}

TraceOptions reading_options(TraceOptions traces, const FilterOptions& filters,
                             const etl::sink::Options& sink) {
    traces.select = header_condition(filters);
    traces.pointer_size = sink.pointer_size;
    traces.code_page = sink.code_page;
    return traces;
}

} // namespace

MergedEvents::MergedEvents(const TraceOptions& options, const OpenedFiles& opened,
                           const FilterOptions& filters, etl::sink::Options sink)
    : filters_(filters), sink_(std::move(sink)),
      traces_(opened, reading_options(options, filters_, sink_), Traces::Findings::reported) {}

std::expected<std::unique_ptr<MergedEvents>, ExitCode>
MergedEvents::open(const TraceOptions& traces, const SchemaOptions& schemas,
                   const FilterOptions& filters, etl::sink::Options sink) {
    const OpenedFiles opened = open_files(traces);
    std::unique_ptr<MergedEvents> events(
        new MergedEvents(traces, opened, filters, std::move(sink)));
    if (const ExitCode exit = events->prepare(schemas); exit != ExitCode::well) {
        return std::unexpected(exit);
    }
    return events;
}

ExitCode MergedEvents::prepare(const SchemaOptions& schemas) {
    if (traces_.readers().empty()) {
        return ExitCode::failed;
    }
    etl::match::TimeBounds bounds = traces_.dataset().bounds();
    bounds.utc_offset_minutes = sink_.utc_offset_minutes.value_or(0);
    compiled_ = compile(filters_, bounds);
    if (!compiled_) {
        return ExitCode::usage;
    }
    const auto context = context_of(traces_, schemas, needs_of(filters_));
    if (!context) {
        return ExitCode::failed;
    }
    schema_files_ = context->schema_files;
    sink_.schemas = context->schemas;
    sink_.tally = std::make_shared<etl::sink::Tally>(sink_.fields);
    if (filters_.needs_origins()) {
        sink_.origins = context->origins;
    }
    if (filters_.needs_facts()) {
        sink_.matching_facts = context->facts;
        report_unknown_names(filters_.processes, *sink_.matching_facts);
    }
    if (!compiled_->condition.is_always_true()) {
        sink_.where = compiled_->condition;
    }
    auto events = traces_.dataset().events(
        {.time = compiled_->window, .untimed = &compiled_->condition.notes().untimed});
    if (!events) {
        say(events.error().about, events.error());
        return ExitCode::failed;
    }
    events_ = *std::move(events);
    return ExitCode::well;
}

int MergedEvents::local_offset_minutes() const {
    const etl::Filetime start = traces_.dataset().bounds().start;
    return etl::io::local_offset_minutes((start.ticks - etl::Filetime::unix_epoch) /
                                         etl::Filetime::per_second);
}

void MergedEvents::report(std::uint64_t written) {
    report_undecoded(sink_.tally->undecoded());
    report_misfits(sink_.tally->misfits());
    if (filters_.limit && written >= *filters_.limit) {
        return; // not all events were seen
    }
    if (report_unmatched(compiled_->condition)) {
        report_undecoded(sink_.tally->rejected(), "so their fields cannot match");
    }
    report_unused(*schema_files_, *sink_.tally);
    if (compiled_->condition.needs_facts() && written == 0) {
        say("warning: no event matched --process and the other filters");
    }
    cli::report(compiled_->condition.notes());
}

ExitCode write_encoded_to(MergedEvents& events, const etl::flow::Encoder& encoder,
                          etl::Output& output, const EncodedOutput& to,
                          etl::flow::PipelineResult* result) {
    const ExitCode exit = encode(events, encoder, output, to, result, [] { return false; });
    return worst(exit, events.traces().exit_code());
}

ExitCode write_encoded(MergedEvents& events, const etl::flow::Encoder& encoder,
                       const EncodedOutput& to, etl::flow::PipelineResult* result) {
    ExitCode exit = ExitCode::well;
    if (to.path == "-") {
        etl::io::StandardOutput output;
        exit = encode(events, encoder, output, to, result, [&] { return output.closed(); });
    } else {
        exit = encode_to_file(events, encoder, to, result);
    }
    return worst(exit, events.traces().exit_code());
}

} // namespace cli
