#include "verbs/xperf/passes.hpp"

#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "dumper/limits.hpp"
#include "io/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli::xperf {

namespace {

using etl::dumper::Dumper;
using etl::dumper::Survey;

/// What the lines are made with. Errors are printed.
std::optional<etl::dumper::Options>
dumper_options(const Run& run, const DumpPlan& plan, const Traces& traces,
               const std::shared_ptr<etl::gather::StoreSymbols>& symbols) {
    const Options& options = *run.options;
    const auto context =
        context_of(traces, options.schemas, {.facts = etl::facts::Scope::everything});
    if (!context) {
        return {};
    }
    const etl::match::TimeBounds bounds = bounds_of(traces);
    etl::dumper::Options how{.schemas = context->schemas,
                             .facts = context->facts,
                             .names = etl::facts::FrameNames(symbols),
                             .has_symbols = options.has_symbols,
                             .has_raw_data = plan.has_raw_data,
                             .joins_stacks = options.for_machine,
                             .excludes_interrupts = plan.excludes_interrupts,
                             .start = bounds.start,
                             .providers = plan.providers};
    how.from = plan.from ? plan.from->resolve(bounds) : std::nullopt;
    how.to = plan.to ? plan.to->resolve(bounds) : std::nullopt;
    return how;
}

/// The first pass, in all threads.
Survey survey_of(const Traces& traces, const etl::dumper::Options& how, const DumpPlan& plan,
                 const Options& options) {
    const unsigned threads = options.traces.worker_threads();
    std::uint64_t buffers = 0;
    for (const auto& reader : traces.readers()) {
        buffers += reader->buffers().size();
    }
    PassProgress progress(options.progress(), buffers);
    Survey all(how);
    for (const auto& reader : traces.readers()) {
        std::vector<Survey> parts;
        for (unsigned i = 0; i < threads; ++i) {
            parts.emplace_back(how);
        }
        reader->for_each_buffer(
            threads, [&](unsigned worker, const etl::trace::BufferEntry&, etl::flow::Run events) {
                for (const etl::flow::Event& event : events) {
                    if (!plan.wants || plan.wants(event)) {
                        parts[worker].add(event);
                    }
                }
                progress.add(events.size());
            });
        for (const Survey& part : parts) {
            all.combine(part);
        }
    }
    return all;
}

ExitCode write_events(etl::flow::Source& source, Dumper& dumper, const DumpPlan& plan,
                      const Run& run) {
    constexpr std::size_t block = std::size_t{1} << 18U;
    ProgressBar bar(run.options->progress());
    std::string text;
    std::uint64_t events = 0;
    for (etl::flow::Run batch = source.next_run(); !batch.empty(); batch = source.next_run()) {
        for (const etl::flow::Event& event : batch) {
            if (!plan.wants || plan.wants(event)) {
                dumper.add(event, text);
            }
            if (text.size() >= block) {
                if (const ExitCode exit = run.write(text); exit != ExitCode::well) {
                    return exit;
                }
                text.clear();
            }
        }
        events += batch.size();
        bar.show(fraction_by_place(batch.back()), events);
    }
    if (source.error() != nullptr) {
        say(etl::describe(*source.error()));
        return ExitCode::failed;
    }
    return run.write(text);
}

void report(const Survey& survey) {
    if (survey.dropped_kinds() > 0) {
        say(fmt::format("warning: {} have no schema line, because there are more kinds than the "
                        "limit of {}",
                        plural(survey.dropped_kinds(), "event"), etl::dumper::limits::kinds));
    }
    if (survey.wpp_messages() > 0) {
        say(fmt::format(
            "note: {} are printed as UnknownEvent/Classic; `etl dump` or `etl tracefmt` "
            "prints their text",
            plural(survey.wpp_messages(), "WPP message")));
    }
}

} // namespace

etl::match::TimeBounds bounds_of(const Traces& traces) {
    etl::match::TimeBounds bounds = traces.dataset().bounds();
    constexpr std::int64_t epoch = etl::Filetime::unix_epoch / etl::Filetime::per_second;
    bounds.utc_offset_minutes =
        etl::io::local_offset_minutes(bounds.start.ticks / etl::Filetime::per_second - epoch);
    return bounds;
}

ExitCode dump(const Run& run, const DumpPlan& plan) {
    const Traces traces(run.options->traces);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    const auto symbols = run.options->has_symbols ? run.options->symbols.open() : nullptr;
    const auto how = dumper_options(run, plan, traces, symbols);
    if (!how) {
        return ExitCode::failed;
    }
    const Survey survey = survey_of(traces, *how, plan, *run.options);
    if (const ExitCode exit = run.write(survey.head(traces.dataset().infos()));
        exit != ExitCode::well) {
        return exit;
    }
    Dumper dumper(*how, survey);
    const auto events = traces.dataset().events();
    const ExitCode written = write_events(events->source(), dumper, plan, run);
    report(survey);
    report_missing(symbols.get());
    return worst(written, traces.exit_code());
}

} // namespace cli::xperf
