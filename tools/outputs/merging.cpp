#include "outputs/merging.hpp"

#include "cli/progress.hpp"
#include "inputs/joined_traces.hpp"
#include "trace/copy.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

ExitCode copy(etl::flow::Source& source, const JoinedTraces& joined, TraceOutput& output,
              ProgressBar::Mode progress) {
    ProgressBar bar(progress);
    const auto show = [&](std::uint64_t events, const etl::flow::Event& newest) {
        bar.show(joined.fraction_done(newest), events);
        return !output.writer().status().failure;
    };
    const auto copied = etl::trace::copy(source, output.writer(), {.progress = show});
    if (!copied) {
        say(etl::describe(copied.error()));
        return ExitCode::failed;
    }
    return ExitCode::well;
}

} // namespace

void MergingOptions::add_to(Verb& verb) {
    traces.add_to(verb);
    output.add_atomic_to(verb);
    schemas.add_to(verb);
    embedding.add_to(verb);
    add_progress(verb, progress);
}

bool is_clear(const MergingOptions& options) {
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    return is_clear(options.output, guard);
}

ExitCode merge_into_file(MergingOptions& options, Traces& traces, const etl::merge::Options& how) {
    etl::schema::SchemasByTrace schemas;
    if (options.embedding.is_wanted()) {
        auto context = context_of(traces, options.schemas);
        if (!context) {
            return ExitCode::failed;
        }
        schemas = std::move(context->schemas);
    }
    auto joined = JoinedTraces::join(traces, how);
    if (!joined) {
        return joined.error();
    }
    if (!options.output.buffer_size) {
        options.output.buffer_size = options.embedding.buffer_size(joined->buffer_size());
    }
    auto output = TraceOutput::open(options.output, options.traces.worker_threads(),
                                    joined->writer_options());
    if (!output) {
        return output.error();
    }
    etl::flow::Source& source =
        options.embedding.over(joined->source(), std::move(schemas),
                               {.by_logger = joined->writer_options().keep_logger_ids});
    const ExitCode copied = copy(source, *joined, *output, options.progress);
    if (copied != ExitCode::well) {
        return copied;
    }
    const ExitCode finished = output->finish();
    options.embedding.report_counts();
    return worst(finished, traces.exit_code());
}

} // namespace cli
